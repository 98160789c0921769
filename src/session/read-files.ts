// The two files of a session as they are found: missing, unreadable, damaged or good. What follows from that is decided
// in load.ts.
import { failureCode } from "../base/failure-code.ts";
import { errorMessage } from "../domain/error.ts";
import { decodeSnapshot } from "./decode-snapshot.ts";
import type { Disk, FileFacts } from "./disk.ts";
import type { JournalPosition, Unusable } from "./journal.ts";
import { type ReadJournal, readJournal } from "./read-journal.ts";
import type { Snapshot, SnapshotCoverage } from "./snapshot.ts";

export type FoundSnapshot =
  | Unusable
  /** `old`: written by the old program. `damaged`: it parses, but it has changed since it was written. */
  | { readonly status: "damaged" | "old"; readonly snapshot: Snapshot; readonly facts: FileFacts }
  | { readonly status: "good"; readonly snapshot: Snapshot & { readonly coverage: SnapshotCoverage } };

type FoundJournalFile =
  | Unusable
  | { readonly status: "good"; readonly read: ReadJournal; readonly facts: FileFacts };

export async function findSnapshot(disk: Disk, path: string): Promise<FoundSnapshot> {
  try {
    const facts = await disk.stat(path);
    const decoded = decodeSnapshot(await disk.read(path));
    if (!decoded.ok) return { status: "unreadable", problem: decoded.problem };
    const { snapshot } = decoded;
    const { coverage, intact, messages } = snapshot;
    if (coverage === undefined && intact) return { status: "old", snapshot, facts };
    if (intact && coverage?.sequences.length === messages.length)
      return { status: "good", snapshot: { ...snapshot, coverage } };
    return { status: "damaged", snapshot, facts };
  } catch (error) {
    return failed(error);
  }
}

/** With a coverage given, only what follows it is read, unless records are missing there. */
export async function findJournal(
  disk: Disk,
  path: string,
  coverage?: JournalPosition,
): Promise<FoundJournalFile> {
  try {
    const facts = await disk.stat(path);
    const tail = coverage === undefined ? undefined : await readTail(disk, path, facts, coverage);
    if (tail !== undefined) return { status: "good", read: tail, facts };
    const read = readJournal(await disk.read(path), coverage);
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
  coverage: JournalPosition,
): Promise<ReadJournal | undefined> {
  if (coverage.offset < 1 || size < coverage.offset) return undefined;
  const bytes = await disk.read(path, coverage.offset - 1);
  if (bytes[0] !== 0x0a) return undefined;
  const tail = readJournal(bytes.subarray(1), coverage);
  return tail.missing.size === 0 ? tail : undefined;
}

function failed(error: unknown): Unusable {
  if (failureCode(error) === "ENOENT") return { status: "missing" };
  if (failureCode(error) === "") throw error;
  return { status: "unreadable", problem: errorMessage(error) };
}
