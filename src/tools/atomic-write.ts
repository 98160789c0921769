// Replaces a file's content all or nothing: writes a temporary file in the same folder, then renames it. Mode and owner
// are kept. Where a rename is impossible or would lose hard links or the owner, it writes in place and says so.
import { type BigIntStats, constants } from "node:fs";
import { access, type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorNumber, fileError } from "./file-problem.ts";

const LONGEST_NAME_BYTES = 255;

/** `before` is the state the new content is based on, null to create the file. Returns remarks for the model. */
export async function writeAtomically(
  path: string,
  pieces: readonly Buffer[],
  before: BigIntStats | null,
  signal: AbortSignal,
): Promise<string[]> {
  signal.throwIfAborted();
  if (before === null) {
    await mkdir(dirname(path), { recursive: true });
    await replace(path, pieces, null, signal);
    return [];
  }
  // A rename needs no write permission on the old file, but a read-only file must not change.
  await access(path, constants.W_OK);
  if (before.nlink > 1n) {
    await overwrite(path, pieces, before);
    return [`It has ${before.nlink} hard links and was written in place, so all of them changed.`];
  }
  try {
    await replace(path, pieces, before, signal);
    return [];
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "EBUSY"].includes(errorNumber(error) ?? "")) throw error;
    await overwrite(path, pieces, before);
    return ["Its folder or owner doesn't allow replacing it, so it was written in place."];
  }
}

async function replace(
  path: string,
  pieces: readonly Buffer[],
  before: BigIntStats | null,
  signal: AbortSignal,
): Promise<void> {
  const temporary = temporaryName(path);
  const handle = await open(temporary, "wx", before === null ? 0o666 : 0o600);
  try {
    try {
      await writeAll(handle, pieces, signal);
      if (before !== null) await keepOwnerAndMode(handle, before);
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await requireUnchanged(path, before);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Takes no signal, because stopping half-way would leave a damaged file. */
async function overwrite(path: string, pieces: readonly Buffer[], before: BigIntStats): Promise<void> {
  await requireUnchanged(path, before);
  const handle = await open(path, "r+");
  try {
    await writeAll(handle, pieces);
    await handle.truncate(pieces.reduce((sum, piece) => sum + piece.length, 0));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Each writeFile continues at the current position. */
async function writeAll(handle: FileHandle, pieces: readonly Buffer[], signal?: AbortSignal): Promise<void> {
  for (const piece of pieces) {
    signal?.throwIfAborted();
    await handle.writeFile(piece, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
  }
}

/** chown clears the setuid and setgid bits, so the mode is set after it. */
async function keepOwnerAndMode(handle: FileHandle, before: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  if (own.uid !== before.uid || own.gid !== before.gid)
    await handle.chown(Number(before.uid), Number(before.gid));
  await handle.chmod(Number(before.mode & 0o7777n));
}

/** The last check before the change: somebody may have saved the file since it was read. */
async function requireUnchanged(path: string, before: BigIntStats | null): Promise<void> {
  const now = await stat(path, { bigint: true }).catch(() => null);
  if (before === null) {
    if (now !== null) throw fileError("The file was just created by somebody else. Read it first.");
    return;
  }
  if (now === null) throw fileError("The file was deleted during the edit. Nothing was changed.");
  if (now.ino !== before.ino || now.size !== before.size || now.mtimeNs !== before.mtimeNs)
    throw fileError("The file changed during the edit. Nothing was written; read it again.");
}

function temporaryName(path: string): string {
  const ending = `.${crypto.randomUUID().slice(0, 8)}.tunacode`;
  const room = LONGEST_NAME_BYTES - ending.length - 1;
  const name = Buffer.from(basename(path)).subarray(0, room).toString("utf8").replaceAll("\uFFFD", "");
  return join(dirname(path), `.${name}${ending}`);
}
