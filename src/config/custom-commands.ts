// Custom commands: Markdown files whose text becomes the prompt. A project's commands apply only if its folder is
// trusted, and override personal ones of the same name.
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { ConfigError } from "../domain/error.ts";
import { type ProjectLocation, personalFolder } from "./paths.ts";

export interface CustomCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  readonly source: "person" | "project";
  readonly path: string;
  readonly template: string;
}

interface CustomCommands {
  readonly commands: readonly CustomCommand[];
  /** The project's commands if its folder isn't trusted: they can be listed, but not used. */
  readonly withheld: readonly CustomCommand[];
}

const NAME = /^[a-z0-9][\w.-]*$/i;
/** No prompt is longer than this. */
const LONGEST_FILE = 1_000_000;
const LONGEST_DESCRIPTION = 80;

export async function loadCustomCommands(
  { env, root }: ProjectLocation,
  trusted: boolean,
): Promise<CustomCommands> {
  const personal = await readFolder(join(personalFolder(env), "commands"), "person");
  const project = await readFolder(join(root, ".tunacode", "commands"), "project");
  const used = trusted ? [...personal, ...project] : personal;
  // A Map keeps the last of a name.
  const commands = [...new Map(used.map((command) => [command.name, command])).values()];
  commands.sort((a, b) => a.name.localeCompare(b.name));
  return { commands, withheld: trusted ? [] : project };
}

/** `/name words` -> the command and its words. Undefined if the prompt has another form. */
export function splitCommand(prompt: string): { readonly name: string; readonly words: string } | undefined {
  const [, name, words = ""] = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  return name === undefined ? undefined : { name, words };
}

/** `$ARGUMENTS` stands for all words, `$1` to `$9` for one each. Without any of these, the words follow at the end. */
export function expandCommand({ template }: CustomCommand, words: string): string {
  const given = words.trim();
  const single = splitWords(given);
  let placed = false;
  const text = template.replace(/\$(ARGUMENTS|[1-9](?!\d))/g, (_, place: string) => {
    placed = true;
    return place === "ARGUMENTS" ? given : (single[Number(place) - 1] ?? "");
  });
  return placed || given === "" ? text : `${text}\n\n${given}`;
}

/** The error for a command that is withheld. */
export function untrustedCommand(name: string): ConfigError {
  return new ConfigError(
    `/${name} is a command of this project, and you haven't trusted its folder. Remedy: tunacode config trust`,
  );
}

async function readFolder(folder: string, source: CustomCommand["source"]): Promise<CustomCommand[]> {
  // Most people have none.
  const files = await readdir(folder).catch(() => []);
  const commands = files
    .filter((file) => file.endsWith(".md") && NAME.test(basename(file, ".md")))
    .map((file) => readCommand(join(folder, file), source));
  return (await Promise.all(commands)).flat();
}

async function readCommand(path: string, source: CustomCommand["source"]): Promise<CustomCommand[]> {
  // Skips folders and broken links.
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile() !== true || facts.size > LONGEST_FILE) return [];
  const text = await readFile(path, "utf8").catch(() => "");
  if (text.trim() === "") return [];
  const [, head = "", body = text] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  const [, described = ""] = /^description:\s*(.*)$/m.exec(head) ?? [];
  const template = (head === "" ? text : body).trim();
  if (template === "") return [];
  const description = unquote(described.trim()) || (template.split("\n")[0] ?? "");
  return [
    {
      name: basename(path, ".md"),
      description: description.slice(0, LONGEST_DESCRIPTION),
      source,
      path,
      template,
    },
  ];
}

function unquote(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

/** Quotes keep words together. */
function splitWords(text: string): string[] {
  const words = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map(unquote);
}
