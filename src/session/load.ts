// A session from its files, without changing any of them: the snapshot and what the journal has after it, or one of the
// two where the other is missing or damaged. Says what it found, and what must be moved away before anyone writes.
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import type { EntryOf, Sequence } from "../domain/journal-entry.ts";
import { NO_USAGE } from "../domain/usage.ts";
import { haveSameWords, unansweredPrompts } from "../history/trailing-request.ts";
import type { Disk, FileFacts } from "./disk.ts";
import type { FoundJournal, Journal } from "./journal.ts";
import { RECORD_FORMAT } from "./line.ts";
import { NewerSessionError } from "./newer-session.ts";
import type { SessionPaths } from "./paths.ts";
import { type FoundSnapshot, findSnapshot } from "./read-files.ts";
import type { ReadRecords } from "./read-journal.ts";
import { type Recovered, recover } from "./recover.ts";
import { emptyReplay, type Replayed, replayRecords } from "./replay.ts";
import type { RecoveryNote, RecoveryNoteKind } from "./report.ts";
import type { Snapshot } from "./snapshot.ts";
import { decodeEntry } from "./stored-entry.ts";

export interface LoadedSession {
  readonly paths: SessionPaths;
  readonly header: EntryOf<"header">;
  readonly replayed: Replayed;
  readonly recovered: Recovered;
  /** False: no journal can be continued, and a new one has to be written. */
  readonly hasJournal: boolean;
  readonly nextSeq: Sequence;
  /** The last record that the snapshot on disk covers; 0: it has to be written again. */
  readonly snapshotSeq: Sequence;
  /** Files that could not be used: a writer moves them away first and never overwrites them. */
  readonly setAside: readonly string[];
}

/** Undefined: there are no such files. Files that exist always load, however little can be read of them. */
export async function loadSession(
  disk: Disk,
  paths: SessionPaths,
  records: Journal,
): Promise<LoadedSession | undefined> {
  const snapshot = await findSnapshot(disk, paths.snapshot);
  const coverage = snapshot.status === "good" ? snapshot.snapshot.coverage : undefined;
  const journal = await records.read(coverage);
  if (snapshot.status === "missing" && journal.status === "missing") return undefined;
  const format = Math.max(coverage?.format ?? 0, journal.status === "good" ? journal.read.newestFormat : 0);
  if (format > RECORD_FORMAT) throw new NewerSessionError(paths.sessionId, format);
  const source = chooseSource(paths, snapshot, journal);
  const { replayed, read } = source;
  const header = headerOf(paths, source);
  return {
    paths,
    header,
    replayed,
    recovered: recover(replayed),
    hasJournal: read !== undefined,
    nextSeq: Math.max((coverage?.seq ?? 0) + 1, read?.nextSeq ?? 1),
    snapshotSeq: coverage?.seq ?? 0,
    setAside: source.setAside,
  };
}

interface Source {
  readonly replayed: Replayed;
  /** The journal, if it can be continued. */
  readonly read?: ReadRecords;
  /** The checksum of the snapshot, where only that was used. */
  readonly imported?: string;
  readonly setAside: readonly string[];
}

function chooseSource(paths: SessionPaths, snapshot: FoundSnapshot, journal: FoundJournal): Source {
  const setAside: string[] = [];
  const notes: RecoveryNote[] = [];
  const leave = (path: string, kind: RecoveryNoteKind, why: string) => {
    setAside.push(path);
    notes.push({ kind, why });
  };
  if (journal.status === "unreadable")
    leave(paths.journal, "unreadable-file", `The journal can't be read: ${journal.problem}`);
  if (snapshot.status === "unreadable")
    leave(paths.snapshot, "unreadable-file", `The snapshot can't be read: ${snapshot.problem}`);
  if (snapshot.status === "damaged")
    leave(paths.snapshot, "damaged-snapshot", "The snapshot has changed since it was written.");

  if (journal.status === "good") {
    const { read, facts } = journal;
    const base = snapshot.status === "good" ? fromSnapshot(snapshot.snapshot) : emptyReplay();
    base.notes.push(...notes);
    const replayed = replayRecords(base, read);
    const lead = snapshot.status === "old" ? oldProgramLead(snapshot, replayed, facts) : "none";
    if (lead !== "newer") {
      if (lead === "older") {
        setAside.push(paths.snapshot);
        replayed.notes.push({
          kind: "old-program",
          why: "The journal is newer than the old program's file.",
        });
      }
      return { replayed, read, setAside };
    }
    leave(paths.journal, "old-program", "The old program wrote the snapshot after the journal: it is used.");
  }
  if (journal.status === "missing" && snapshot.status === "good")
    notes.push({ kind: "missing-journal", why: "The journal is missing: only the snapshot is left." });
  if (!("snapshot" in snapshot)) return { replayed: { ...emptyReplay(), notes }, setAside };
  // What could not be understood stays in the file, which is kept aside.
  if (snapshot.snapshot.problems.length > 0) setAside.push(paths.snapshot);
  const replayed = fromSnapshot(snapshot.snapshot);
  replayed.notes.unshift(...notes);
  return { replayed, imported: snapshot.snapshot.checksum, setAside };
}

/** `imported`: the journal was begun from this very file. */
function oldProgramLead(
  { snapshot, facts }: Extract<FoundSnapshot, { facts: FileFacts }>,
  replayed: Replayed,
  journal: { readonly modifiedMs: number },
): "imported" | "newer" | "older" {
  if (replayed.header?.imported === snapshot.checksum) return "imported";
  const later = Date.parse(snapshot.lastModified) > Date.parse(replayed.lastModified);
  return later || facts.modifiedMs > journal.modifiedMs ? "newer" : "older";
}

function fromSnapshot(snapshot: Snapshot): Replayed {
  const { coverage, messages } = snapshot;
  const prompt = coverage?.prompt === undefined ? undefined : decodePrompt(coverage.prompt);
  const promptTaken = unansweredPrompts(messages).some(
    ({ content }) => prompt !== undefined && haveSameWords(content, prompt.content),
  );
  return {
    ...emptyReplay(),
    header: snapshot.header,
    history: messages.map((message, at) => ({ seq: coverage?.sequences[at] ?? at, message })),
    thoughts: [...snapshot.thoughts],
    forms: snapshot.forms,
    reviews: [...snapshot.reviews],
    untold: snapshot.untold,
    usage: { lastCall: NO_USAGE, sessionTotal: snapshot.usage },
    work: snapshot.work,
    title: snapshot.title,
    model: snapshot.header.model,
    lastModified: snapshot.lastModified,
    ...(prompt === undefined ? {} : { prompt, promptTaken }),
    notes: snapshot.problems.map(({ index, reason }) => ({
      kind: "unreadable-record",
      why: `Message ${index} of the snapshot: ${reason}`,
    })),
  };
}

function decodePrompt(body: JsonObject): EntryOf<"prompt"> | undefined {
  const entry = decodeEntry({ kind: "prompt", body }, () => undefined);
  return typeof entry === "object" && entry.kind === "prompt" ? entry : undefined;
}

function headerOf(paths: SessionPaths, { replayed, imported }: Source): EntryOf<"header"> {
  const header = replayed.header ?? madeHeader(paths, replayed);
  // The names of the files win over what is in them: a session is found by its files.
  const sessionId = paths.sessionId || header.sessionId;
  return { ...header, sessionId, projectId: paths.projectId || header.projectId, ...defined({ imported }) };
}

/** Stands for a lost header, made from the name of the file and from the other records. */
function madeHeader(paths: SessionPaths, replayed: Replayed): EntryOf<"header"> {
  replayed.notes.push({ kind: "missing-record", why: "The record that begins the session is missing." });
  return {
    kind: "header",
    version: 1,
    sessionId: paths.sessionId,
    projectId: paths.projectId,
    workingDirectory: "",
    createdAt: replayed.lastModified,
    model: replayed.model,
  };
}
