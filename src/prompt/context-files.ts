// Finds AGENTS.md files: the person's own, then every one from the project's root down to the working directory.
// In a folder without AGENTS.md, CLAUDE.md is used instead. A project's files are plain files inside it, so that none
// can send something else to the model.
import { lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isBlank } from "../base/blank.ts";
import { defined } from "../base/defined.ts";
import { type PlainFileBounds, readPlainFile } from "../base/plain-file.ts";

export interface ContextFile {
  readonly path: string;
  readonly text: string;
  /** The length at which a long file was cut; null if it is complete. */
  readonly cutAt: number | null;
  /** The person's own file, or one that the project brings. */
  readonly source: "person" | "project";
}

interface ContextFiles {
  readonly files: readonly ContextFile[];
  /** Sentences about files that were not read. */
  readonly refused: readonly string[];
}

/** What a person chose about the prompt: `settings.prompt` of an agent. */
export interface PromptSettings {
  /** The name of an instruction file that is tried before the usual names. */
  readonly guideFile?: string;
}

interface ContextPlaces extends PromptSettings {
  /** The person's configuration folder. */
  readonly configFolder: string;
  readonly root: string;
  readonly cwd: string;
  /** Says why a project's file at this real path must not be sent to the model; null if it may. */
  readonly refuse?: PlainFileBounds["refuse"];
}

const NAMES = ["AGENTS.md", "CLAUDE.md"];
/** About 8,000 tokens. Sending more than that with every call costs more than it helps. */
const MAX_CHARACTERS = 32_000;

/** Of folders below the root, the nearest ones to the working directory. */
const MAX_FOLDERS = 20;
/** No instructions are longer than this. */
const MAX_BYTES = 1_000_000;

export async function contextFiles(places: ContextPlaces): Promise<ContextFiles> {
  const { configFolder, root, cwd, guideFile, refuse } = places;
  const names = guideFile === undefined || NAMES.includes(guideFile) ? NAMES : [guideFile, ...NAMES];
  const folders = foldersBetween(root, cwd);
  const ofProject = { mostBytes: MAX_BYTES, inside: folders[0] ?? root, ...defined({ refuse }) };
  const found = await Promise.all([
    firstReadable(configFolder, names, { mostBytes: MAX_BYTES }),
    ...folders.map((folder) => firstReadable(folder, names, ofProject)),
  ]);
  return { files: found.flatMap(({ files }) => files), refused: found.flatMap(({ refused }) => refused) };
}

function foldersBetween(root: string, cwd: string): string[] {
  const below = relative(root, cwd);
  if (below.startsWith("..")) return [cwd];
  const folders: string[] = [];
  for (let folder = cwd; folder !== root; folder = dirname(folder)) folders.unshift(folder);
  return [root, ...folders.slice(-MAX_FOLDERS)];
}

async function firstReadable(
  folder: string,
  names: readonly string[],
  bounds: PlainFileBounds,
): Promise<ContextFiles> {
  const refused: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    // Most folders have no such file, and a failed read costs much more than this check.
    if (!mayExist(path)) continue;
    const file = await readPlainFile(path, bounds);
    if (file.type === "refused") refused.push(`${path} ${file.why}, so the model is not given it.`);
    if (file.type !== "read") continue;
    const text = file.bytes.toString("utf8");
    if (isBlank(text)) continue;
    const cutAt = text.length > MAX_CHARACTERS ? MAX_CHARACTERS : null;
    const source = bounds.inside === undefined ? "person" : "project";
    return { files: [{ path, text: text.slice(0, MAX_CHARACTERS).trim(), cutAt, source }], refused };
  }
  return { files: [], refused };
}

function mayExist(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // A parent is a file or can't be entered.
  }
}
