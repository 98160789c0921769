// Explains file errors in words that a model can act on, with similar names for a path that doesn't exist.
import { opendir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { editDistance } from "../base/nearest-name.ts";
import { errorMessage, ToolError } from "../domain/error.ts";
import type { Workspace } from "./ports.ts";
import { displayPath } from "./workspace-path.ts";

const MOST_ENTRIES = 5_000;
const MOST_SUGGESTIONS = 3;
const LONGEST_NAME = 100;

export function fileError(message: string, cause?: unknown): ToolError {
  return new ToolError(message, cause === undefined ? undefined : { cause });
}

/** Turns a file system error into one for the model. Rethrows anything else, such as an abort or a bug. */
export async function explainFileError(
  error: unknown,
  path: string,
  workspace: Workspace,
): Promise<ToolError> {
  const number = errorNumber(error);
  if (number === undefined) throw error;
  if (number === "ENOENT") return explainMissing(path, workspace, error);
  const shown = displayPath(workspace, path);
  return fileError(EXPLANATIONS[number]?.(shown) ?? `${shown}: ${errorMessage(error)}`, error);
}

const denied = (shown: string) =>
  `Permission denied for ${shown}. The person has to change its mode or owner.`;
const full = (shown: string) => `No space left on the disk for ${shown}. Nothing was changed.`;

const EXPLANATIONS: Readonly<Record<string, (shown: string) => string>> = {
  ENOTDIR: (shown) => `${shown} can't exist: part of its path is a file, not a directory.`,
  EISDIR: (shown) => `${shown} is a directory. Use list_dir to see what is in it.`,
  EACCES: denied,
  EPERM: denied,
  EROFS: (shown) => `${shown} is on a read-only file system.`,
  ENOSPC: full,
  EDQUOT: full,
  ELOOP: (shown) => `${shown} is a symbolic link that points back to itself.`,
  ENAMETOOLONG: (shown) => `The path is too long: ${shown.slice(0, 200)}`,
};

export function errorNumber(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && "errno" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

export async function explainMissing(
  path: string,
  workspace: Workspace,
  cause?: unknown,
): Promise<ToolError> {
  const said = `${displayPath(workspace, path)} doesn't exist.`;
  const near = await nearNames(path);
  if (near.length > 0) {
    const names = near.map((name) => displayPath(workspace, name)).join(", ");
    return fileError(`${said} Did you mean: ${names}?`, cause);
  }
  const folder = await deepestFolder(dirname(path));
  const hint =
    folder === dirname(path)
      ? "Nothing in that directory has a similar name."
      : `Its path exists up to ${displayPath(workspace, folder).replace(/^\.$/, "the working directory")}.`;
  return fileError(`${said} ${hint} Use list_dir or glob to find it.`, cause);
}

async function deepestFolder(folder: string): Promise<string> {
  const parent = dirname(folder);
  if (parent === folder) return folder;
  const found = await stat(folder).catch(() => null);
  return found?.isDirectory() ? folder : deepestFolder(parent);
}

async function nearNames(missing: string): Promise<string[]> {
  const wanted = plain(basename(missing));
  const folder = dirname(missing);
  const scored: { readonly name: string; readonly score: number }[] = [];
  for (const name of await entryNames(folder)) {
    const score = likeness(wanted, plain(name));
    if (score > 0) scored.push({ name, score });
  }
  scored.sort((a, b) => b.score - a.score || a.name.localeCompare(b.name));
  return scored.slice(0, MOST_SUGGESTIONS).map(({ name }) => join(folder, name));
}

async function entryNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      names.push(entry.name);
      if (names.length >= MOST_ENTRIES) break;
    }
  } catch {
    // A folder that is missing or unreadable yields no suggestions.
  }
  return names;
}

/** Models most often get case, composed accents and unusual spaces wrong. */
function plain(name: string): string {
  return name.normalize("NFKC").toLowerCase().slice(0, LONGEST_NAME);
}

/** 0 means unlike. Ranks names that differ in case or form first, then in the extension, then in a few letters. */
function likeness(wanted: string, name: string): number {
  if (wanted === name) return 4;
  if (stem(wanted) === stem(name)) return 3;
  const distance = editDistance(wanted, name);
  const allowed = Math.max(1, Math.floor(wanted.length / 4));
  if (distance <= allowed) return 2 - distance / (allowed + 1);
  return wanted.length >= 4 && (name.includes(stem(wanted)) || wanted.includes(stem(name))) ? 0.5 : 0;
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
