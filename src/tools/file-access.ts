// Loads and saves files for the file tools, and remembers what the model has seen of each, so that it never overwrites
// what it hasn't seen.
import { type BigIntStats, realpathSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { relative } from "node:path";
import { sha256 } from "../base/digest.ts";
import { linksOnDisk, realPath } from "../base/real-path.ts";
import type { Grant } from "../domain/grant.ts";
import { writeAtomically } from "./atomic-write.ts";
import { errorNumber, explainFileError, explainMissing, fileError } from "./file-problem.ts";
import { WHOLE_FILE_BYTES } from "./file-text.ts";
import { requireGranted } from "./granted-path.ts";
import type { ToolPorts } from "./ports.ts";
import { displayPath } from "./workspace-path.ts";

/** Larger files are left to stream editors. */
const MAX_EDIT_BYTES = 128 * 1024 * 1024;

export interface FileLocation {
  /** Absolute, with symlinks unresolved. */
  readonly path: string;
  /** With symlinks resolved: what is read, written and remembered. */
  readonly real: string;
  /** A symlink leads elsewhere than the path says. */
  readonly isLink: boolean;
  /** For messages. */
  readonly shown: string;
}

/** `hash` is null for files too large to hash; then the identity alone decides. */
export interface FileState {
  readonly identity: string;
  readonly hash: string | null;
}

export interface LoadedFile {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
  readonly state: FileState;
}

export interface Replacement {
  readonly file: FileLocation;
  /** null if the file doesn't exist yet. */
  readonly before: LoadedFile | null;
  readonly bytes: readonly Buffer[];
}

export class FileAccess {
  readonly #ports: Pick<ToolPorts, "workspace" | "diagnostics">;
  readonly #states = new Map<string, FileState>();

  constructor(ports: Pick<ToolPorts, "workspace" | "diagnostics">) {
    this.#ports = ports;
  }

  /** Throws if the path no longer leads where it was permitted to lead. */
  async locate(path: string, grant: Grant): Promise<FileLocation> {
    const { workspace } = this.#ports;
    const absolute = requireGranted(workspace, path, grant);
    try {
      const real = followLinks(absolute);
      // That the project itself lies behind a symlink is nothing to tell.
      const isLink =
        real !== absolute &&
        relative(followLinks(workspace.root), real) !== relative(workspace.root, absolute);
      return { path: absolute, real, isLink, shown: displayPath(workspace, absolute) };
    } catch (error) {
      throw await explainFileError(error, absolute, workspace);
    }
  }

  /** Turns a file system error into a failure the model understands. */
  explain(error: unknown, file: FileLocation): Promise<Error> {
    return explainFileError(error, file.path, this.#ports.workspace);
  }

  /** The failure for a file that must exist but doesn't; it suggests similar names. */
  missing(file: FileLocation): Promise<Error> {
    return explainMissing(file.path, this.#ports.workspace);
  }

  /** The model has seen this state of the file. */
  remember(file: FileLocation, state: FileState): void {
    this.#states.set(file.real, state);
  }

  /** null if the file doesn't exist. */
  async load(file: FileLocation, signal: AbortSignal): Promise<LoadedFile | null> {
    try {
      return await loadFile(file, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (errorNumber(error) === "ENOENT") return null;
      throw await this.explain(error, file);
    }
  }

  seen(file: FileLocation, { state }: LoadedFile): "never" | "current" | "outdated" {
    const known = this.#states.get(file.real);
    if (known === undefined) return "never";
    // Where the content is known it decides: a touch, or a checkout back and forth, is not a change.
    const isSame = known.hash === null ? known.identity === state.identity : known.hash === state.hash;
    return isSame ? "current" : "outdated";
  }

  /** Replaces the file's content atomically, unless it changed since it was loaded. Returns remarks for the model. */
  async save({ file, before, bytes }: Replacement, signal: AbortSignal): Promise<string[]> {
    try {
      const remarks = await writeAtomically(file.real, bytes, before?.stats ?? null, signal);
      // The file is written; if it has been deleted since, the next edit reports that.
      const after = await stat(file.real, { bigint: true }).catch(() => null);
      if (after !== null) this.remember(file, { identity: fileIdentity(after), hash: hashOf(bytes) });
      return remarks;
    } catch (error) {
      throw await this.explain(error, file);
    }
  }

  /** Never fails: the edit is already made and must be reported. */
  async diagnose(file: FileLocation, signal: AbortSignal): Promise<string | null> {
    return (await this.#ports.diagnostics?.(file.path, signal).catch(() => null)) ?? null;
  }
}

export function fileIdentity(stats: BigIntStats): string {
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

/** Checked before opening, because opening a pipe or a device can block forever. */
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
  return size > WHOLE_FILE_BYTES ? null : sha256(...pieces);
}

/** Like realpath, which knows a name's spelling on disk, but the path may lead to a file that doesn't exist yet. */
function followLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errorNumber(error) !== "ENOENT") throw error;
    return realPath(path, linksOnDisk) ?? path;
  }
}
