// The file tools' common ground: what the model has seen of each file, so that it never overwrites what it hasn't,
// and loading and saving a whole file.
import { type BigIntStats, readlinkSync, realpathSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { sha256 } from "../base/digest.ts";
import type { Grant } from "../domain/grant.ts";
import { writeAtomically } from "./atomic-write.ts";
import { errorNumber, explainFileError, explainMissing, fileError } from "./file-problem.ts";
import { WHOLE_FILE_BYTES } from "./file-text.ts";
import { requireGranted } from "./granted-path.ts";
import type { Workspace } from "./ports.ts";
import { displayPath, resolveInWorkspace } from "./workspace-path.ts";

/** A larger file is edited with a stream editor, not by an agent. */
export const MAX_EDIT_BYTES = 128 * 1024 * 1024;

const MOST_LINKS = 40;

export interface FileAccessOptions {
  /** Problems a language server finds in a file that was just written; null when there are none. */
  readonly diagnostics?: (path: string, signal: AbortSignal) => Promise<string | null>;
}

export interface FileAccess {
  /** Throws where it leads elsewhere than was permitted. */
  locate(path: string, grant: Grant): Promise<FileLocation>;
  /** Turns an error of the file system into a failure the model understands. */
  explain(error: unknown, file: FileLocation): Promise<Error>;
  /** The model has seen this state of the file. */
  remember(file: FileLocation, state: FileState): void;
  /** What to say when a file that must exist doesn't: which names are near. */
  missing(file: FileLocation): Promise<Error>;
  /** null: there is no such file. */
  load(file: FileLocation, signal: AbortSignal): Promise<LoadedFile | null>;
  seen(file: FileLocation, loaded: LoadedFile): Seen;
  /** Replaces the file's content, all or nothing, unless it changed since it was loaded. Gives remarks for the model. */
  save(
    file: FileLocation,
    before: LoadedFile | null,
    bytes: readonly Buffer[],
    signal: AbortSignal,
  ): Promise<string[]>;
  diagnose(file: FileLocation, signal: AbortSignal): Promise<string | null>;
}

export interface FileLocation {
  /** Absolute, as asked for. */
  readonly path: string;
  /** With links resolved: what is read, written and remembered. */
  readonly real: string;
  /** For messages. */
  readonly shown: string;
}

/** `hash` is null for files too large to look at as a whole; then the identity decides alone. */
export interface FileState {
  readonly identity: string;
  readonly hash: string | null;
}

export interface LoadedFile {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
  readonly state: FileState;
}

export type Seen = "never" | "current" | "outdated";

export function createFileAccess(workspace: Workspace, options: FileAccessOptions = {}): FileAccess {
  const states = new Map<string, FileState>();

  const explain = (error: unknown, file: FileLocation) => explainFileError(error, file.path, workspace);

  return {
    explain,

    async locate(path, grant) {
      const absolute = resolveInWorkspace(workspace, path);
      const shown = displayPath(workspace, absolute);
      if (absolute.includes("\0")) throw fileError("A path can't hold a NUL character.");
      requireGranted(absolute, grant);
      try {
        return { path: absolute, real: followLinks(absolute), shown };
      } catch (error) {
        throw await explainFileError(error, absolute, workspace);
      }
    },

    missing: (file) => explainMissing(file.path, workspace),

    remember(file, state) {
      states.set(file.real, state);
    },

    async load(file, signal) {
      try {
        return await loadFile(file, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (errorNumber(error) === "ENOENT") return null;
        throw await explain(error, file);
      }
    },

    seen(file, loaded) {
      const known = states.get(file.real);
      if (known === undefined) return "never";
      // Content decides where it is known: a touch or a checkout back and forth is no change.
      const same =
        known.hash === null ? known.identity === loaded.state.identity : known.hash === loaded.state.hash;
      return same ? "current" : "outdated";
    },

    async save(file, before, bytes, signal) {
      try {
        const remarks = await writeAtomically(file.real, bytes, before?.stats ?? null, signal);
        // It is written; should it be gone again by now, the next edit will say so.
        const after = await stat(file.real, { bigint: true }).catch(() => null);
        if (after !== null) states.set(file.real, { identity: fileIdentity(after), hash: hashOf(bytes) });
        return remarks;
      } catch (error) {
        throw await explain(error, file);
      }
    },

    async diagnose(file, signal) {
      // The edit is made and must be reported, whatever becomes of the comments on it.
      return (await options.diagnostics?.(file.path, signal).catch(() => null)) ?? null;
    },
  };
}

export function fileIdentity(stats: BigIntStats): string {
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

/** Opening a pipe or a device could wait for ever, so this comes first. */
export function requireRegularFile(stats: BigIntStats, shown: string): void {
  if (stats.isDirectory()) throw fileError(`${shown} is a directory. Use list_dir to see what is in it.`);
  if (!stats.isFile()) throw fileError(`${shown} isn't a regular file (a device, a pipe or a socket).`);
}

async function loadFile(file: FileLocation, signal: AbortSignal): Promise<LoadedFile> {
  requireRegularFile(await stat(file.real, { bigint: true }), file.shown);
  const handle = await open(file.real, "r");
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.size > MAX_EDIT_BYTES)
      throw fileError(
        `${file.shown} has ${stats.size} bytes; files over ${MAX_EDIT_BYTES} are edited with bash (sed, a script).`,
      );
    const bytes = await handle.readFile({ signal });
    return { bytes, stats, state: { identity: fileIdentity(stats), hash: hashOf([bytes]) } };
  } finally {
    await handle.close();
  }
}

function hashOf(pieces: readonly Buffer[]): string | null {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (size > WHOLE_FILE_BYTES) return null;
  return sha256(...pieces);
}

/**
 * Like realpath, but the last link may lead to a file that is still to be made. At once: whoever permitted the call has
 * just followed the same names, and the way through the thread pool takes longer than the work.
 */
function followLinks(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errorNumber(error) !== "ENOENT") throw error;
    if (links >= MOST_LINKS) throw fileError(`${path} leads through too many symbolic links.`);
    const target = linkTarget(path);
    if (target !== null) return followLinks(resolve(dirname(path), target), links + 1);
    const parent = dirname(path);
    if (parent === path) return path;
    return join(followLinks(parent, links), basename(path));
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
