// The two files of a session as they are found: there or not, readable or not, whole or not. Decides nothing.
import { decodeSnapshot } from "./decode-snapshot.ts";
import { type Disk, diskErrorCode, type FileFacts } from "./disk.ts";
import type { JournalPosition } from "./journal.ts";
import { type ReadJournal, readJournal } from "./read-journal.ts";
import type { Snapshot, SnapshotMark } from "./snapshot.ts";

export type FoundSnapshot =
  | { readonly status: "missing" }
  | { readonly status: "unreadable"; readonly problem: string }
  /** `old`: written by the old program. `damaged`: it parses, but is not what was written. */
  | { readonly status: "damaged" | "old"; readonly snapshot: Snapshot; readonly facts: FileFacts }
  | { readonly status: "good"; readonly snapshot: Snapshot & { readonly mark: SnapshotMark } };

export type FoundJournalFile =
  | { readonly status: "missing" }
  | { readonly status: "unreadable"; readonly problem: string }
  | { readonly status: "good"; readonly read: ReadJournal; readonly facts: FileFacts };

export async function findSnapshot(disk: Disk, path: string): Promise<FoundSnapshot> {
  try {
    const facts = await disk.stat(path);
    const decoded = decodeSnapshot(await disk.read(path));
    if (!decoded.ok) return { status: "unreadable", problem: decoded.problem };
    const { snapshot } = decoded;
    const { mark } = snapshot;
    if (!snapshot.intact) return { status: "damaged", snapshot, facts };
    if (mark === undefined) return { status: "old", snapshot, facts };
    const numbered = mark.sequences.length === snapshot.messages.length;
    return numbered
      ? { status: "good", snapshot: { ...snapshot, mark } }
      : { status: "damaged", snapshot, facts };
  } catch (error) {
    return failed(error);
  }
}

/** With a mark only what follows it is read, as long as that is all that is needed. */
export async function findJournal(
  disk: Disk,
  path: string,
  mark?: JournalPosition,
): Promise<FoundJournalFile> {
  try {
    const facts = await disk.stat(path);
    const tail = mark === undefined ? undefined : await readTail(disk, path, facts, mark);
    if (tail !== undefined) return { status: "good", read: tail, facts };
    const bytes = await disk.read(path);
    const read = readJournal(bytes, mark);
    if (read.intactLines === 0) return { status: "unreadable", problem: "Not one record in it is whole." };
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

function failed(error: unknown): { status: "missing" } | { status: "unreadable"; problem: string } {
  if (diskErrorCode(error) === "ENOENT") return { status: "missing" };
  if (diskErrorCode(error) === "") throw error;
  return { status: "unreadable", problem: error instanceof Error ? error.message : String(error) };
}
