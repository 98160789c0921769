// The two files of a session as they are found: missing, unreadable, damaged or good. What follows from that is decided
// in load.ts.
import { errorMessage } from "../domain/error.ts";
import { decodeSnapshot } from "./decode-snapshot.ts";
import { type Disk, diskErrorCode, type FileFacts } from "./disk.ts";
import type { JournalPosition, Unusable } from "./journal.ts";
import { type ReadJournal, readJournal } from "./read-journal.ts";
import type { Snapshot, SnapshotMark } from "./snapshot.ts";

export type FoundSnapshot =
  | Unusable
  /** `old`: written by the old program. `damaged`: it parses, but it has changed since it was written. */
  | { readonly status: "damaged" | "old"; readonly snapshot: Snapshot; readonly facts: FileFacts }
  | { readonly status: "good"; readonly snapshot: Snapshot & { readonly mark: SnapshotMark } };

type FoundJournalFile =
  | Unusable
  | { readonly status: "good"; readonly read: ReadJournal; readonly facts: FileFacts };

export async function findSnapshot(disk: Disk, path: string): Promise<FoundSnapshot> {
  try {
    const facts = await disk.stat(path);
    const decoded = decodeSnapshot(await disk.read(path));
    if (!decoded.ok) return { status: "unreadable", problem: decoded.problem };
    const { snapshot } = decoded;
    const { mark, intact, messages } = snapshot;
    if (mark === undefined && intact) return { status: "old", snapshot, facts };
    if (intact && mark?.sequences.length === messages.length)
      return { status: "good", snapshot: { ...snapshot, mark } };
    return { status: "damaged", snapshot, facts };
  } catch (error) {
    return failed(error);
  }
}

/** With a mark, only what follows it is read, unless records are missing there. */
export async function findJournal(
  disk: Disk,
  path: string,
  mark?: JournalPosition,
): Promise<FoundJournalFile> {
  try {
    const facts = await disk.stat(path);
    const tail = mark === undefined ? undefined : await readTail(disk, path, facts, mark);
    if (tail !== undefined) return { status: "good", read: tail, facts };
    const read = readJournal(await disk.read(path), mark);
    if (read.intactLines === 0) return { status: "unreadable", problem: "None of its records is intact." };
    return { status: "good", read, facts };
  } catch (error) {
    return failed(error);
  }
}

async function readTail(
  disk: Disk,
  path: string,
  { size }: FileFacts,
  mark: JournalPosition,
): Promise<ReadJournal | undefined> {
  if (mark.offset < 1 || size < mark.offset) return undefined;
  const bytes = await disk.read(path, mark.offset - 1);
  if (bytes[0] !== 0x0a) return undefined;
  const tail = readJournal(bytes.subarray(1), mark);
  return tail.missing.size === 0 ? tail : undefined;
}

function failed(error: unknown): Unusable {
  if (diskErrorCode(error) === "ENOENT") return { status: "missing" };
  if (diskErrorCode(error) === "") throw error;
  return { status: "unreadable", problem: errorMessage(error) };
}
