// Begins a session, or opens an existing one. One window writes; another may read, or go on in a fork.

import { defined } from "../base/defined.ts";
import { failureCode } from "../base/failure-code.ts";
import { NO_MASK } from "../base/secrets.ts";
import { Conversation } from "../domain/conversation.ts";
import { type ModelName, newSessionId, type SessionId } from "../domain/ids.ts";
import { formsAfterRewrite } from "../domain/simpler-form.ts";
import { type Disk, ifThere, nodeDisk, unlessDiskFails } from "./disk.ts";
import { FileJournal } from "./file-journal.ts";
import { type Holder, type Journal, SessionTakenError } from "./journal.ts";
import { type LoadedSession, loadSession } from "./load.ts";
import { type SessionPaths, sessionPaths } from "./paths.ts";
import type { RecoveryNote, RecoveryReport } from "./report.ts";
import { newSessionState, type SessionState } from "./state.ts";
import { titleOf, titleOfHistory } from "./title.ts";
import { moveAside } from "./whole-file.ts";
import { SessionWriter, type WriterOptions } from "./writer.ts";

type SessionOptions = Partial<WriterOptions>;

interface NewSessionOptions extends SessionOptions {
  readonly folder: string;
  readonly projectId: string;
  readonly workingDirectory: string;
  readonly model: ModelName;
  readonly sessionId?: SessionId;
}

/** A session to look at. */
export interface ReadSession {
  readonly state: SessionState;
  readonly report: RecoveryReport;
  /** A person's words that were never answered: the end of the conversation. */
  readonly unsentPrompt?: string;
}

export interface OpenSession extends ReadSession {
  readonly writer: SessionWriter;
}

export type Opening =
  | { readonly type: "open"; readonly session: OpenSession }
  | { readonly type: "held"; readonly holder: Holder; readonly session: ReadSession }
  | { readonly type: "missing" };

/** Nothing is on disk before the first prompt. With an `original` it is a fork: a new session with the same history. */
export function createSession(options: NewSessionOptions, original?: SessionState): OpenSession {
  const { folder, projectId, workingDirectory, model, sessionId = newSessionId() } = options;
  const writing = withDefaults(options);
  const createdAt = writing.now().toISOString();
  const empty = newSessionState({ sessionId, projectId, workingDirectory, model, now: createdAt });
  const state = original === undefined ? empty : { ...empty, ...copyOf(original) };
  const header = {
    kind: "header",
    version: 1,
    sessionId,
    projectId,
    workingDirectory,
    createdAt,
    model,
  } as const;
  const paths = sessionPaths(folder, projectId, sessionId);
  const writer = new SessionWriter(
    state,
    { ...header, ...defined({ forkedFrom: original?.sessionId, extra: original?.extra }) },
    { paths, journal: writing.journal(paths, true) },
    writing,
  );
  return { state, report: { notes: [], repairs: [] }, writer };
}

export async function openSession(paths: SessionPaths, options: SessionOptions = {}): Promise<Opening> {
  const writing = withDefaults(options);
  const { disk } = writing;
  const journal = writing.journal(paths, false);
  if (!(await isThere(disk, paths, journal))) return { type: "missing" };
  const fence = await tryFence(journal);
  const loaded = await loadOrRelease(disk, paths, journal);
  if (loaded === undefined) return { type: "missing" };
  const session = readable(loaded);
  if (fence.type === "held") return { ...fence, session };
  const { notes, snapshotAllowed } = await moveUnusable(disk, loaded, fence.type === "ours");
  const writer = new SessionWriter(session.state, loaded.header, { paths, journal }, writing);
  await writer.resume(loaded, snapshotAllowed);
  const report = { ...session.report, notes: [...session.report.notes, ...notes] };
  return { type: "open", session: { ...session, report, writer } };
}

/** Changes nothing on disk. */
export async function readSession(
  paths: SessionPaths,
  disk: Disk = nodeDisk,
  journal: Journal = new FileJournal(disk, paths),
): Promise<ReadSession | undefined> {
  const loaded = await loadSession(disk, paths, journal);
  return loaded === undefined ? undefined : readable(loaded);
}

/** A new session with the same history, on disk when this resolves. */
export async function forkSession(
  { state, unsentPrompt }: ReadSession,
  folder: string,
  options: SessionOptions = {},
): Promise<OpenSession> {
  const { projectId, workingDirectory, currentModel: model } = state;
  const session = createSession({ ...options, folder, projectId, workingDirectory, model }, state);
  await session.writer.adopt();
  return { ...session, ...defined({ unsentPrompt }) };
}

function copyOf(original: SessionState): Partial<SessionState> {
  const { title, conversation, usage, work, reviews, untold, extra } = original;
  const copy = new Conversation(conversation.messages, conversation.thoughts, conversation.forms);
  return { title, conversation: copy, usage: { ...usage }, work, reviews, untold, ...defined({ extra }) };
}

function withDefaults(options: SessionOptions): WriterOptions {
  const { disk = nodeDisk } = options;
  return {
    disk,
    journal: options.journal ?? ((paths, isNew) => new FileJournal(disk, paths, isNew)),
    mask: options.mask ?? NO_MASK,
    now: options.now ?? (() => new Date()),
    onStatus: options.onStatus ?? (() => {}),
    onFork: options.onFork ?? (() => {}),
  };
}

async function isThere(disk: Disk, { snapshot }: SessionPaths, journal: Journal): Promise<boolean> {
  const found = await Promise.allSettled([ifThere(disk.stat(snapshot)), journal.isThere()]);
  // A file that can't be looked at has to be assumed to exist.
  return found.some((there) => there.status === "rejected" || (there.value ?? false) !== false);
}

type Fence =
  | { readonly type: "ours" }
  | { readonly type: "held"; readonly holder: Holder }
  /** The disk fails. The conversation goes on in memory until it works again. */
  | { readonly type: "impossible" };

async function tryFence(journal: Journal): Promise<Fence> {
  try {
    await journal.fence();
    return { type: "ours" };
  } catch (error) {
    if (error instanceof SessionTakenError) return { type: "held", holder: error.holder };
    if (failureCode(error) === "") throw error;
    return { type: "impossible" };
  }
}

/** Leaves no lease behind where there is nothing to open. */
async function loadOrRelease(
  disk: Disk,
  paths: SessionPaths,
  journal: Journal,
): Promise<LoadedSession | undefined> {
  let loaded: LoadedSession | undefined;
  try {
    loaded = await loadSession(disk, paths, journal);
    return loaded;
  } finally {
    if (loaded === undefined) await journal.release();
  }
}

async function moveUnusable(
  disk: Disk,
  { setAside, paths }: LoadedSession,
  isOurs: boolean,
): Promise<{ notes: RecoveryNote[]; snapshotAllowed: boolean }> {
  const notes: RecoveryNote[] = [];
  const left = new Set(setAside);
  for (const path of isOurs ? [...left] : []) {
    const aside = await unlessDiskFails(moveAside(disk, path));
    // One that can't be moved stays where it is, and nothing is written over it.
    if (aside === undefined) continue;
    notes.push({ kind: "set-aside", why: `Kept unchanged: ${aside}` });
    left.delete(path);
  }
  return { notes, snapshotAllowed: !left.has(paths.snapshot) };
}

function readable({ header, replayed, recovered }: LoadedSession): ReadSession {
  const { messages, report, unsentPrompt } = recovered;
  const { sessionId, projectId, workingDirectory, createdAt: now, extra } = header;
  const loadedMessages = replayed.history.map(({ message }) => message);
  const forms = formsAfterRewrite(replayed.forms, loadedMessages, messages);
  const state: SessionState = {
    ...newSessionState({ sessionId, projectId, workingDirectory, model: replayed.model, now }),
    lastModified: replayed.lastModified,
    title: titleOf(replayed.title) || titleOfHistory(messages),
    conversation: new Conversation(messages, replayed.thoughts, forms),
    usage: replayed.usage,
    work: replayed.work,
    reviews: replayed.reviews,
    untold: replayed.untold,
    ...defined({ extra }),
  };
  return { state, report, ...defined({ unsentPrompt }) };
}
