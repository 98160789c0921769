// Which files of a repository git keeps byte for byte, and how to get them back. Git is asked to list, never to compare:
// comparing would run the filters that a repository names.
import { spawn } from "node:child_process";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { FileLook } from "./tree-walk.ts";

/** The blob of each file that is as git knows it, by path relative to the repository. */
export type KnownBlobs = ReadonlyMap<string, string>;

interface IndexEntry {
  readonly path: string;
  readonly blob: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;
}

/** Git on a hostile or huge repository must not run for ever. */
const MAX_GIT_MS = 20_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/**
 * `lookAt` gives what is on disk at a path of the repository. A file counts if git's index took it for unchanged when
 * it looked like this, no attribute converts it, and the blob is here and has its size.
 */
export async function knownBlobs(
  repository: string,
  lookAt: (path: string) => FileLook | undefined,
  signal: AbortSignal,
): Promise<KnownBlobs> {
  const writtenMs = indexTime(repository);
  if (writtenMs === null) return new Map();
  const listing = await git(repository, ["ls-files", "-z", "--stage", "--debug"], "", signal);
  const entries = readEntries(listing).filter((entry) => {
    const look = lookAt(entry.path);
    // A file that changed in the very tick in which the index was written may look the same.
    return look !== undefined && isClean(entry, look) && entry.modifiedMs < writtenMs;
  });
  if (entries.length === 0) return new Map();
  const [sizes, converted] = await Promise.all([
    blobSizes(repository, entries, signal),
    convertedPaths(repository, entries, signal),
  ]);
  const known = entries.filter(({ path, blob, size }) => sizes.get(blob) === size && !converted.has(path));
  return new Map(known.map(({ path, blob }) => [path, blob]));
}

/** null if it is gone. */
export async function readBlob(
  repository: string,
  blob: string,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  return await git(repository, ["cat-file", "blob", blob], "", signal).catch(() => null);
}

function indexTime(repository: string): number | null {
  // The index of a worktree or a submodule is elsewhere; its .git file is older than every entry, so nothing counts
  // as racy by mistake: those entries are compared by content instead.
  for (const path of [".git/index", ".git"]) {
    const stat = lstatSync(join(repository, path), { throwIfNoEntry: false });
    if (stat !== undefined) return stat.mtimeMs;
  }
  return null;
}

function isClean(entry: IndexEntry, look: FileLook): boolean {
  return (
    look.kind === "file" &&
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

function readEntries(listing: Uint8Array): readonly IndexEntry[] {
  const text = new TextDecoder().decode(listing);
  const entries: IndexEntry[] = [];
  for (const match of text.matchAll(ENTRY)) {
    const [, mode = "", blob = "", stage, path = "", cs, cn, ms, mn, inode, size] = match;
    // Other modes are links and submodules; another stage is a conflict.
    if (!mode.startsWith("100") || stage !== "0") continue;
    entries.push({
      path,
      blob,
      size: Number(size),
      modifiedMs: Number(ms) * 1000 + Number(mn) / 1e6,
      changedMs: Number(cs) * 1000 + Number(cn) / 1e6,
      inode: Number(inode),
    });
  }
  return entries;
}

async function blobSizes(
  repository: string,
  entries: readonly IndexEntry[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const blobs = [...new Set(entries.map(({ blob }) => blob))];
  const form = "--batch-check=%(objectname) %(objecttype) %(objectsize)";
  const answer = await git(repository, ["cat-file", form], `${blobs.join("\n")}\n`, signal);
  const sizes = new Map<string, number>();
  for (const line of new TextDecoder().decode(answer).split("\n")) {
    const [blob = "", type, size] = line.split(" ");
    if (type === "blob") sizes.set(blob, Number(size));
  }
  return sizes;
}

/** Line ends show in the size. A filter, an encoding or an expanded keyword may keep it. */
async function convertedPaths(
  repository: string,
  entries: readonly IndexEntry[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const paths = entries.map(({ path }) => `${path}\0`).join("");
  const attributes = ["filter", "ident", "working-tree-encoding"];
  const answer = await git(repository, ["check-attr", "-z", "--stdin", ...attributes], paths, signal);
  const fields = new TextDecoder().decode(answer).split("\0");
  const converted = new Set<string>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = "", , value] = fields.slice(index, index + 3);
    if (value !== "unspecified" && value !== "unset") converted.add(path);
  }
  return converted;
}

/** What a repository's configuration could make these commands run or fetch is switched off. */
const ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "core.hooksPath",
  GIT_CONFIG_VALUE_1: "/dev/null",
};

async function git(
  repository: string,
  args: readonly string[],
  input: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const child = spawn("git", args, {
    cwd: repository,
    env: { ...process.env, ...ENVIRONMENT },
    stdio: ["pipe", "pipe", "ignore"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_GIT_MS)]),
    killSignal: "SIGKILL",
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`git ${args[0]} ended with ${code}.`)),
    );
  });
  child.stdout.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) child.kill("SIGKILL");
    else chunks.push(chunk);
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  await ended;
  return Buffer.concat(chunks);
}
