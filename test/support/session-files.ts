// The files of a scripted session, written once by the real writer, which a test can damage and load again.
import { createSession, type ReadSession, readSession } from "../../src/session/open.ts";
import { type SessionPaths, sessionPaths } from "../../src/session/paths.ts";
import { MemoryDisk } from "./memory-disk.ts";
import { playTurn, type Script, wordsOf } from "./scripted-session.ts";

export const FOLDER = "/data/tunacode/sessions";
export const PROJECT = "0123456789abcdef";
export const SESSION = "11111111-2222-4333-8444-555555555555";
export const PATHS: SessionPaths = sessionPaths(FOLDER, PROJECT, SESSION);

export interface WrittenSession {
  readonly journal: Buffer;
  readonly snapshot: Buffer;
  /** The journal's lines, each with its newline. */
  readonly lines: readonly Buffer[];
  readonly words: readonly string[];
}

export function newScriptedSession(disk: MemoryDisk) {
  return createSession({
    disk,
    folder: FOLDER,
    projectId: PROJECT,
    sessionId: SESSION,
    workingDirectory: "/project",
    model: "demo:scripted",
  });
}

export async function writeSession(turns: number, script: Script = {}): Promise<WrittenSession> {
  const disk = new MemoryDisk();
  const session = newScriptedSession(disk);
  for (let turn = 1; turn <= turns; turn++) await playTurn(session, turn, script);
  await session.writer.close();
  const journal = disk.bytes(PATHS.journal) ?? Buffer.alloc(0);
  const snapshot = disk.bytes(PATHS.snapshot) ?? Buffer.alloc(0);
  return { journal, snapshot, lines: linesOf(journal), words: wordsOf(session.state.conversation.messages) };
}

export function linesOf(journal: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < journal.length; ) {
    const end = journal.indexOf(10, start) + 1 || journal.length;
    lines.push(journal.subarray(start, end));
    start = end;
  }
  return lines;
}

/** Loads a session that consists of only these files. */
export async function loadFiles(files: { journal?: Buffer; snapshot?: Buffer }): Promise<ReadSession> {
  const disk = new MemoryDisk();
  if (files.snapshot !== undefined) disk.put(PATHS.snapshot, files.snapshot);
  if (files.journal !== undefined) disk.put(PATHS.journal, files.journal);
  const session = await readSession(PATHS, disk);
  if (session === undefined) throw new Error("The session did not load.");
  return session;
}
