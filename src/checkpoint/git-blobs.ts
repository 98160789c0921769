// Which files of a repository git keeps byte for byte, and how to get them back. Git is asked to list, never to compare:
// comparing would run the filters that a repository names.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ContentId } from "../domain/file-change.ts";
import type { FileLook } from "./file-look.ts";
import { git, gitOutput } from "./git-command.ts";

/** A blob that a file may be. */
export interface GitBlob {
  /** Of the file, relative to the folder that was asked about. */
  readonly path: string;
  readonly content: ContentId;
  /** It is the very bytes of the file. Otherwise that is so if it has the same hash. */
  readonly isCertain: boolean;
  /** It is part of the last commit. What is only staged may be lost with the next command. */
  readonly isCommitted: boolean;
}

interface IndexEntry {
  readonly path: string;
  readonly blob: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;
}

/** What git says about a repository once and for all. */
export interface GitRepository {
  /** A folder in it, which paths are relative to. */
  readonly folder: string;
  /** The file of git's index. */
  readonly index: string;
  /** Some of its objects are only promised by a server. */
  readonly isPartial: boolean;
}

/** Rejects if git can't tell. */
export async function askRepository(folder: string, signal: AbortSignal): Promise<GitRepository> {
  const asked = git(folder, ["rev-parse", "--git-path", "index"], "", signal);
  const [path, isPartial] = await Promise.all([asked, hasPromises(folder, signal)]);
  return { folder, index: resolve(folder, path.toString().slice(0, -1)), isPartial };
}

/** When git's index was last written; null where there is none. */
export function indexTime({ index }: GitRepository): number | null {
  return statSync(index, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Above this, listing everything is faster than naming what is wanted. */
const MAX_NAMED = 200;

/**
 * `lookAt` gives what is on disk. A file is certain if git's index took it for unchanged when it looked like this, and
 * no attribute converts it. Where `only` is given, nothing else is listed. Rejects if git can't tell.
 */
export async function* knownBlobs(
  repository: GitRepository,
  lookAt: (path: string) => FileLook | undefined,
  only: readonly string[] | null,
  signal: AbortSignal,
): AsyncGenerator<GitBlob> {
  const { folder } = repository;
  const writtenMs = indexTime(repository);
  if (writtenMs === null) return;
  const staged = await stagedPaths(folder, signal);
  const isFile = (path: string) => lookAt(path)?.kind === "file";
  for await (const entries of entriesIn(folder, only, isFile, signal)) {
    const sizes = await blobSizes(repository, [...new Set(entries.map(({ blob }) => blob))], signal);
    const converted = await convertedPaths(folder, entries, signal);
    for (const entry of entries) {
      const { path, blob } = entry;
      const [look, size] = [lookAt(path), sizes.get(blob)];
      // Line ends show in the size: git only ever adds to them at a checkout, and removes from them when it takes a
      // file.
      if (size === undefined || look?.size !== size) continue;
      // A file that changed in the very tick in which the index was written may look the same.
      const isCertain = isClean(entry, look) && entry.modifiedMs < writtenMs && !converted.has(path);
      yield { path, content: `git:${blob}`, isCertain, isCommitted: staged?.has(path) === false };
    }
  }
}

/** Of those that are there. */
export async function blobSizes(
  { folder, isPartial }: Pick<GitRepository, "folder" | "isPartial">,
  blobs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const form = "--batch-check=%(objectname) %(objecttype) %(objectsize)";
  // An older git would try to fetch each one that is missing, so it has to list what it has.
  const input = isPartial ? "" : `${blobs.join("\n")}\n`;
  const all = isPartial ? ["--batch-all-objects", "--unordered"] : [];
  const answer = (await git(folder, ["cat-file", "--buffer", form, ...all], input, signal)).toString(
    "latin1",
  );
  const wanted = new Set(blobs);
  const sizes = new Map<string, number>();
  for (const line of answer.split("\n")) {
    const [blob = "", type, size] = line.split(" ");
    if (type === "blob" && wanted.has(blob)) sizes.set(blob, Number(size));
  }
  return sizes;
}

/** Reading many from a slow disk takes a while. */
const MAX_READING_MS = 60_000;
const NEWLINE = 10;
const NOTHING = { output: Buffer.alloc(0) };

/** Those that are there, in order. One that can't be read ends it. */
export async function* readBlobs(
  folder: string,
  blobs: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<{ readonly blob: string; readonly bytes: Uint8Array }> {
  const asked = `${blobs.join("\n")}\n`;
  const reading = gitOutput(folder, ["cat-file", "--buffer", "--batch"], asked, signal, MAX_READING_MS);
  const { output } = await reading.catch(() => {
    // There is no git, or no such folder any more.
    signal.throwIfAborted();
    return NOTHING;
  });
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(NEWLINE, at);
    if (end < 0) return;
    const [blob = "", type, length] = output.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (length === undefined) continue;
    const bytes = output.subarray(at, at + Number(length));
    at += bytes.length + 1;
    if (type === "blob" && at <= output.length) yield { blob, bytes };
  }
}

function isClean(entry: IndexEntry, look: FileLook): boolean {
  return (
    look.size === entry.size &&
    look.inode % 2 ** 32 === entry.inode &&
    isSameTime(look.modifiedMs, entry.modifiedMs) &&
    isSameTime(look.changedMs, entry.changedMs)
  );
}

/** Times are floating-point milliseconds, precise to less than a microsecond. */
function isSameTime(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.001;
}

/** An entry is `MODE BLOB STAGE\tPATH\0` and then lines of what git saw when it looked at the file. */
const ENTRY =
  /(\d+) ([0-9a-f]+) (\d)\t([^\0]+)\0 {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: [0-9a-f]+\n/g;

/** So many are worked on in one step, and held in memory. */
const MAX_ENTRIES = 10_000;
const PIECE_BYTES = 64 * 1024;

async function* entriesIn(
  folder: string,
  only: readonly string[] | null,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): AsyncGenerator<readonly IndexEntry[]> {
  const named = only !== null && only.length <= MAX_NAMED ? ["--", ...only] : [];
  const listing = ["--literal-pathspecs", "ls-files", "-z", "--stage", "--debug", ...named];
  const listed = await git(folder, listing, "", signal);
  const decoder = new TextDecoder();
  let [text, entries]: [string, IndexEntry[]] = ["", []];
  // Parts of a long string would keep all of it in memory.
  for (let at = 0; at < listed.length; at += PIECE_BYTES) {
    text += decoder.decode(listed.subarray(at, at + PIECE_BYTES), { stream: true });
    let end = 0;
    for (const match of text.matchAll(ENTRY)) {
      end = match.index + match[0].length;
      const entry = readEntry(match);
      if (entry !== null && isWanted(entry.path)) entries.push(entry);
    }
    text = text.slice(end);
    if (entries.length < MAX_ENTRIES) continue;
    yield entries;
    entries = [];
  }
  if (entries.length > 0) yield entries;
}

function readEntry(match: RegExpExecArray): IndexEntry | null {
  const [, mode = "", blob = "", stage, path = "", cs, cn, ms, mn, inode, size] = match;
  // Other modes are links and submodules; another stage is a conflict.
  if (!mode.startsWith("100") || stage !== "0") return null;
  return {
    path,
    blob,
    size: Number(size),
    modifiedMs: Number(ms) * 1000 + Number(mn) / 1e6,
    changedMs: Number(cs) * 1000 + Number(cn) / 1e6,
    inode: Number(inode),
  };
}

/** Those that a filter, an encoding or an expanded keyword may change without changing their size. */
async function convertedPaths(
  folder: string,
  entries: readonly IndexEntry[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const converted = new Set<string>();
  const ask = ["check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"];
  const paths = entries.map(({ path }) => `${path}\0`).join("");
  const fields = (await git(folder, ask, paths, signal)).toString().split("\0");
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = "", value] = [fields[index], fields[index + 2]];
    if (value !== "unspecified" && value !== "unset") converted.add(path);
  }
  return converted;
}

/** What the index has and the last commit hasn't; null: git can't tell, as where nothing has been committed yet. */
async function stagedPaths(folder: string, signal: AbortSignal): Promise<ReadonlySet<string> | null> {
  const options = ["--cached", "--name-only", "-z", "--no-renames", "--relative", "--ignore-submodules"];
  return await git(folder, ["diff-index", ...options, "HEAD"], "", signal).then(
    (listing) => new Set(listing.toString().split("\0")),
    () => null,
  );
}

/** True for a partial clone. */
export async function hasPromises(folder: string, signal: AbortSignal): Promise<boolean> {
  const promises = ["config", "--get-regexp", "^(extensions\\.partialclone|remote\\..*\\.promisor)$"];
  // Git ends with 1 if there is none.
  return await git(folder, promises, "", signal).then(
    () => true,
    () => false,
  );
}
