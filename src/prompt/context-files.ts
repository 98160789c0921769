// Finds AGENTS.md files: the person's own, then every one from the project's root down to the working directory.
// In a folder without AGENTS.md, CLAUDE.md is used instead.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

export interface ContextFile {
  readonly path: string;
  readonly text: string;
  /** The length at which a long file was cut; null if it is complete. */
  readonly cutAt: number | null;
}

/** What a person chose about the prompt: `settings.prompt` of an agent. */
export interface PromptSettings {
  /** The name of an instruction file that is tried before the usual names. */
  readonly guideFile?: string;
}

export interface ContextPlaces extends PromptSettings {
  /** The person's configuration folder. */
  readonly configFolder: string;
  readonly root: string;
  readonly cwd: string;
}

const NAMES = ["AGENTS.md", "CLAUDE.md"];
/** About 8,000 tokens. Sending more than that with every call costs more than it helps. */
const MAX_CHARACTERS = 32_000;

export async function contextFiles(places: ContextPlaces): Promise<ContextFile[]> {
  const { configFolder, root, cwd, guideFile } = places;
  const names = guideFile === undefined || NAMES.includes(guideFile) ? NAMES : [guideFile, ...NAMES];
  const folders = [configFolder, ...foldersBetween(root, cwd)];
  const found = await Promise.all(folders.map((folder) => firstReadable(folder, names)));
  return found.filter((file) => file !== null);
}

function foldersBetween(root: string, cwd: string): string[] {
  const below = relative(root, cwd);
  if (below.startsWith("..")) return [cwd];
  const folders: string[] = [];
  for (let folder = cwd; folder !== root; folder = dirname(folder)) folders.unshift(folder);
  return [root, ...folders];
}

async function firstReadable(folder: string, names: readonly string[]): Promise<ContextFile | null> {
  for (const name of names) {
    const path = join(folder, name);
    // Most folders have no such file, and a failed read costs much more than this check.
    if (!existsSync(path)) continue;
    // An unreadable file is skipped, because it must not stop a request.
    const text = await readFile(path, "utf8").catch(() => "");
    if (text.trim() === "") continue;
    const cutAt = text.length > MAX_CHARACTERS ? MAX_CHARACTERS : null;
    return { path, text: text.slice(0, MAX_CHARACTERS).trim(), cutAt };
  }
  return null;
}
