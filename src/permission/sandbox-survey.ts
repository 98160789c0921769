// Looks through the folders in which a command may write, for what it must not write or read there: files that other
// programs obey, and secrets. The same look afterwards shows what the command made.

import type { Dirent } from "node:fs";
import { chmod, lstat, readdir, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { failureCode } from "../base/failure-code.ts";
import { NOT_UTF8 } from "../base/real-path.ts";
import { guardedName, INSTALLED, SECRET_FOLDERS } from "./guarded-paths.ts";

export interface Survey {
  /** What other programs obey. A folder stands for all that is in it. Symlinks are told with where they lead. */
  readonly obeyed: ReadonlyMap<string, Link | null>;
  readonly secrets: readonly string[];
  /** The folders that were looked into. */
  readonly folders: ReadonlySet<string>;
  /** Those that were not, because there was too much. */
  readonly unseen: readonly string[];
  /** Guarded files that have a second name somewhere, by which they could be written or read all the same. */
  readonly doubled: readonly string[];
}

export interface Link {
  readonly text: string;
  /** null if it leads nowhere. */
  readonly target: string | null;
}

/** About 200 ms. */
const MOST_ENTRIES = 100_000;
const AT_ONCE = 32;

interface SurveyOptions {
  /** Folders to look into first, whatever the bound is: they existed before. */
  readonly known?: ReadonlySet<string>;
  /** What was read-only for the command, so that nothing in it is new. */
  readonly guarded?: Survey["obeyed"];
  readonly mostEntries?: number;
}

export async function surveyFolders(roots: readonly string[], options: SurveyOptions = {}): Promise<Survey> {
  const { known, guarded: before, mostEntries = MOST_ENTRIES } = options;
  const folders = new Set<string>();
  const obeyed: string[] = [];
  const secrets: string[] = [];
  const familiar = [...roots];
  const strange: string[] = [];
  let entries = 0;
  for (;;) {
    if (familiar.length === 0 && entries > mostEntries) break;
    const batch = (familiar.length > 0 ? familiar : strange).splice(-AT_ONCE);
    if (batch.length === 0) break;
    const opened = await Promise.all(batch.map((folder) => list(folder, known !== undefined)));
    for (const { folder, listing } of opened) {
      const isGit = listing !== null && isGitFolder(listing);
      const earlier = known?.has(folder) === true ? known : null;
      // A folder that can't be listed may hold anything, and the command can change its mode.
      if (listing === null || (isGit && earlier === null)) {
        obeyed.push(folder);
        continue;
      }
      // The folder with all that is in it is the person's; only what makes it a repository is the command's.
      if (isGit && earlier !== null) obeyed.push(join(folder, newPartOf(folder, listing, earlier)));
      folders.add(folder);
      if (earlier === null) entries += listing.length;
      const beginning = folder.endsWith("/") ? folder : `${folder}/`;
      for (const entry of listing) {
        // Not with join, which normalises: there may be a hundred thousand.
        const path = `${beginning}${entry.name}`;
        const guarded = guardedName(entry.name);
        // Under such a name it can't be listed either.
        const isLocked = entry.isDirectory() && entry.name.includes(NOT_UTF8);
        const isObeyed = guarded.obeyed || isLocked || before?.has(path) === true;
        if (isObeyed) obeyed.push(path);
        if (guarded.secret) secrets.push(path);
        if (!entry.isDirectory() || isObeyed || INSTALLED.has(entry.name)) continue;
        // A folder called credentials may hold source.
        if (guarded.secret && SECRET_FOLDERS.includes(entry.name.toLowerCase())) continue;
        (known?.has(path) === true ? familiar : strange).push(path);
      }
    }
  }
  return { folders, unseen: strange, ...(await inspected(obeyed, secrets)) };
}

/** null if it can't be listed. A command may have locked one to hide what it made in it. */
async function list(
  folder: string,
  unlock: boolean,
): Promise<{ readonly folder: string; readonly listing: readonly Dirent[] | null }> {
  const read = () => readdir(folder, { withFileTypes: true });
  try {
    return { folder, listing: await read() };
  } catch (error) {
    if (isGone(error)) return { folder, listing: [] };
    if (unlock) await chmod(folder, 0o700).catch(() => {});
    return { folder, listing: unlock ? await read().catch(() => null) : null };
  }
}

function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(failureCode(error));
}

/** A bare repository, or one whose folder has another name: git obeys its configuration. */
function isGitFolder(listing: readonly Dirent[]): boolean {
  const has = (wanted: string) => listing.some(({ name }) => name === wanted);
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

/** One of those without which it is none, and which wasn't there before. */
function newPartOf(folder: string, listing: readonly Dirent[], known: ReadonlySet<string>): string {
  if (listing.some(({ name }) => name === "commondir")) return "commondir";
  return ["objects", "refs"].find((name) => !known.has(join(folder, name))) ?? "HEAD";
}

async function inspected(
  obeyedPaths: readonly string[],
  secretPaths: readonly string[],
): Promise<Pick<Survey, "obeyed" | "secrets" | "doubled">> {
  const obeyed = new Map<string, Link | null>();
  const secrets = new Set<string>();
  const doubled: string[] = [];
  const look = async (path: string) => {
    const stat = await lstat(path).catch(() => null);
    if (stat?.isFile() === true && stat.nlink > 1) doubled.push(path);
    return { stat, link: stat?.isSymbolicLink() === true ? await readLinkAt(path) : null };
  };
  for (const path of obeyedPaths) obeyed.set(path, (await look(path)).link);
  for (const path of secretPaths) {
    const { stat, link } = await look(path);
    const real = link === null ? path : link.target;
    const isFolder = stat?.isDirectory() === true;
    if (
      real !== null &&
      (!isFolder || SECRET_FOLDERS.some((name) => path.toLowerCase().endsWith(`/${name}`)))
    )
      secrets.add(real);
  }
  return { obeyed, secrets: [...secrets], doubled };
}

export async function readLinkAt(path: string): Promise<Link | null> {
  const text = await readlink(path).catch(() => null);
  return text === null ? null : { text, target: await realpath(path).catch(() => null) };
}
