// Replaces a file's content all or nothing: a temporary file in the same folder, then a rename. Mode and owner stay.
// Where a rename would lose something (hard links, a foreign owner) or can't be done, it writes in place and says so.
import { type BigIntStats, constants } from "node:fs";
import { access, type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorNumber, fileError } from "./file-problem.ts";

const LONGEST_NAME_BYTES = 255;

/** `before`: the state the new content was made from; null when the file is to be created. Gives remarks. */
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
  // A rename doesn't ask for the old file's write permission; a read-only file is meant to stay.
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

/** Not to be interrupted half-way, so it takes no signal. */
async function overwrite(path: string, pieces: readonly Buffer[], before: BigIntStats): Promise<void> {
  await requireUnchanged(path, before);
  const handle = await open(path, "r+");
  try {
    await handle.truncate(await writeAll(handle, pieces));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(
  handle: FileHandle,
  pieces: readonly Buffer[],
  signal?: AbortSignal,
): Promise<number> {
  let position = 0;
  for (const piece of pieces) {
    for (let offset = 0; offset < piece.length; ) {
      signal?.throwIfAborted();
      const { bytesWritten } = await handle.write(
        piece,
        offset,
        Math.min(piece.length - offset, 1 << 20),
        position,
      );
      offset += bytesWritten;
      position += bytesWritten;
    }
  }
  return position;
}

/** chown clears set-id bits, so the mode comes second. */
async function keepOwnerAndMode(handle: FileHandle, before: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  if (own.uid !== before.uid || own.gid !== before.gid)
    await handle.chown(Number(before.uid), Number(before.gid));
  await handle.chmod(Number(before.mode & 0o7777n));
}

/** The last look before the change: somebody may have saved the file while the edit was worked out. */
async function requireUnchanged(path: string, before: BigIntStats | null): Promise<void> {
  const now = await stat(path, { bigint: true }).catch(() => null);
  if (before === null) {
    if (now !== null) throw fileError("The file was created by somebody else just now. Read it first.");
    return;
  }
  if (now === null) throw fileError("The file was deleted while the edit was made. Nothing was changed.");
  if (now.ino !== before.ino || now.size !== before.size || now.mtimeNs !== before.mtimeNs)
    throw fileError("The file changed while the edit was made. Nothing was written; read it again.");
}

function temporaryName(path: string): string {
  const ending = `.${crypto.randomUUID().slice(0, 8)}.tunacode`;
  const room = LONGEST_NAME_BYTES - ending.length - 1;
  const name = Buffer.from(basename(path)).subarray(0, room).toString("utf8").replaceAll("\uFFFD", "");
  return join(dirname(path), `.${name}${ending}`);
}
