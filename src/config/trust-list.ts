// The list of folders that a person trusts, with what the person has seen of each: keys of its configuration and its
// commands, as digests. A list of an older program has no digests.
import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { isJsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { readPlainFile } from "../base/plain-file.ts";
import { isWithin } from "../base/real-path.ts";
import type { Environment } from "../base/xdg.ts";
import { type ProjectLocation, personalFolder } from "./paths.ts";
import { writePrivateFile } from "./private-file.ts";

/** The name of a thing -> the digest of its value. */
export type SeenPowers = Readonly<Record<string, string>>;

export interface TrustedFolder {
  readonly folder: string;
  /** Undefined in a list of an older program: what is there now has been in force all along. */
  readonly seen: SeenPowers | undefined;
}

const MOST_BYTES = 10_000_000;

export function trustListPath(env: Environment): string {
  return join(personalFolder(env), "trusted-folders.json");
}

/** The nearest folder in the list that is this one or above it; null if the folder isn't trusted. */
export async function trustOf(env: Environment, folder: string): Promise<TrustedFolder | null> {
  const wanted = realFolder(folder);
  const above = (await readTrustList(env)).filter((trusted) => isWithin(wanted, trusted.folder));
  return above.toSorted((one, other) => other.folder.length - one.folder.length)[0] ?? null;
}

/** The trust in a project as it is at a place: of a worktree that we made, what was seen in its main tree. */
export async function trustAt({ env, root, mainTree }: ProjectLocation): Promise<TrustedFolder | null> {
  const own = await trustOf(env, root);
  if (mainTree === undefined || own?.folder === realFolder(root)) return own;
  const main = await trustOf(env, mainTree);
  // A list of an older program learns what was seen from the main tree alone.
  if (main?.seen === undefined) return null;
  // The trusted folder may be above the main tree, and what was seen is named from there.
  const above = relative(main.folder, mainTree);
  const inTree = above === "" ? "" : `${above}/`;
  const seen = Object.entries(main.seen)
    .filter(([name]) => name.startsWith(inTree))
    .map(([name, digest]) => [name.slice(inTree.length), digest]);
  return { folder: realFolder(root), seen: Object.fromEntries(seen) };
}

export async function readTrustList(env: Environment): Promise<readonly TrustedFolder[]> {
  if (!existsSync(trustListPath(env))) return [];
  // If the list is unreadable, nothing is trusted, which is safe.
  const file = await readPlainFile(trustListPath(env), { mostBytes: MOST_BYTES });
  const parsed = parseJson(file.type === "read" ? file.bytes.toString("utf8") : "");
  const { folders, seen } = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  if (!Array.isArray(folders)) return [];
  return folders
    .filter((folder) => typeof folder === "string")
    .map((folder) => ({ folder, seen: isJsonObject(seen) ? digestsOf(seen[folder]) : undefined }));
}

export function writeTrustList(env: Environment, list: readonly TrustedFolder[]): Promise<void> {
  const folders = list.map(({ folder }) => folder);
  const seen = Object.fromEntries(
    list.flatMap((trusted) => (trusted.seen === undefined ? [] : [[trusted.folder, trusted.seen]])),
  );
  return writePrivateFile(trustListPath(env), `${JSON.stringify({ folders, seen }, null, 2)}\n`);
}

/** Resolves symlinks, so that none can make a folder look like a trusted one. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // The folder is gone, so only its written path is left.
  }
}

/** Anything that isn't a digest matches nothing, so a damaged list asks again. */
function digestsOf(value: JsonValue | undefined): SeenPowers | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, digest]) => [name, typeof digest === "string" ? digest : ""]),
  );
}
