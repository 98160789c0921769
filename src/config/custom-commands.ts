// Custom commands: Markdown files whose text becomes the prompt. A project's commands apply only if its folder is
// trusted and the person has seen them as they are, and override personal ones of the same name.
import { readdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { defined } from "../base/defined.ts";
import { sha256 } from "../base/digest.ts";
import { readPlainFile } from "../base/plain-file.ts";
import { ConfigError } from "../domain/error.ts";
import { type ProjectLocation, personalFolder } from "./paths.ts";
import { trustAt } from "./trust-list.ts";

export interface CustomCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  readonly source: "person" | "project";
  readonly path: string;
  readonly template: string;
  /** Of the whole file. */
  readonly digest: string;
  /** Why the file was not read. */
  readonly refused?: string;
}

interface CustomCommands {
  readonly commands: readonly CustomCommand[];
  /** The project's commands that aren't trusted, or have changed since: they can be listed, but not used. */
  readonly withheld: readonly CustomCommand[];
}

const NAME = /^[a-z0-9][\w.-]*$/i;
/** No prompt is longer than this. */
const LONGEST_FILE = 1_000_000;
const LONGEST_DESCRIPTION = 80;
/** Nobody has more of them in one folder. */
const MOST_COMMANDS = 500;

export async function loadCustomCommands(place: ProjectLocation, trusted: boolean): Promise<CustomCommands> {
  const { env, root } = place;
  const personal = await readFolder(join(personalFolder(env), "commands"), "person");
  const project = await projectCommands(root);
  // Most projects have none.
  const trust = trusted && project.length > 0 ? await trustAt(place) : null;
  const isSeen = ({ path, digest }: CustomCommand) =>
    trust !== null && (trust.seen === undefined || trust.seen[relative(trust.folder, path)] === digest);
  const used = [...personal, ...project.filter(isSeen)];
  // A Map keeps the last of a name.
  const commands = [...new Map(used.map((command) => [command.name, command])).values()];
  commands.sort((a, b) => a.name.localeCompare(b.name));
  return { commands, withheld: project.filter((command) => !isSeen(command)) };
}

export function projectCommands(root: string): Promise<readonly CustomCommand[]> {
  return readFolder(join(root, ".tunacode", "commands"), "project", root);
}

/** `/name words` -> the command and its words. Undefined if the prompt has another form. */
export function splitCommand(prompt: string): { readonly name: string; readonly words: string } | undefined {
  const [, name, words = ""] = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  return name === undefined ? undefined : { name, words };
}

/** `$ARGUMENTS` stands for all words, `$1` to `$9` for one each. Without any of these, the words follow at the end. */
export function expandCommand({ name, path, template, refused }: CustomCommand, words: string): string {
  if (refused !== undefined) throw new ConfigError(`/${name} can't be used: ${path} ${refused}.`);
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
    `/${name} is a command of this project that you haven't trusted, or that has changed since. Remedy: look at it, then tunacode config trust`,
  );
}

/** inside: the folder that the files must be in, wherever links lead. */
async function readFolder(
  folder: string,
  source: CustomCommand["source"],
  inside?: string,
): Promise<CustomCommand[]> {
  // Most people have none.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const commands = entries
    .flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]))
    .filter((file) => file.endsWith(".md") && NAME.test(basename(file, ".md")))
    .slice(0, MOST_COMMANDS)
    .map((file) => readCommand(join(folder, file), source, inside));
  return (await Promise.all(commands)).flat();
}

async function readCommand(
  path: string,
  source: CustomCommand["source"],
  inside: string | undefined,
): Promise<CustomCommand[]> {
  const file = await readPlainFile(path, { mostBytes: LONGEST_FILE, ...defined({ inside }) });
  const command = { name: basename(path, ".md"), source, path };
  if (file.type === "refused") {
    const { why } = file;
    return [{ ...command, description: `can't be used: it ${why}`, template: "", digest: why, refused: why }];
  }
  const text = file.type === "read" ? file.bytes.toString("utf8") : "";
  const [, head = "", body = text] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  const [, described = ""] = /^description:\s*(.*)$/m.exec(head) ?? [];
  const template = (head === "" ? text : body).trim();
  if (template === "") return [];
  const description = unquote(described.trim()) || (template.split("\n")[0] ?? "");
  const digest = sha256(text);
  return [{ ...command, description: description.slice(0, LONGEST_DESCRIPTION), template, digest }];
}

function unquote(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

/** Quotes keep words together. */
function splitWords(text: string): string[] {
  const words = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map(unquote);
}
