// Checks the folders tunacode writes to, and finds and repairs the damage of one session.
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheHome, configHome, type Environment, stateHome } from "../base/xdg.ts";
import { errorMessage } from "../domain/error.ts";
import { nodeDisk } from "../session/disk.ts";
import { openSession, type ReadSession, readSession } from "../session/open.ts";
import { type SessionPaths, sessionFolder } from "../session/paths.ts";
import { findJournal } from "../session/read-files.ts";
import { isLoss, type RecoveryNote, type RecoveryReport } from "../session/report.ts";
import { listSessions } from "../session/store.ts";

export interface Finding {
  readonly ok: boolean;
  readonly what: string;
}

/** The folders tunacode writes to. */
export async function checkFolders(env: Environment): Promise<Finding[]> {
  const sessions = sessionFolder(env);
  const folders: [string, string][] = [
    ["sessions", sessions],
    ["configuration", configHome(env)],
    ["logs", join(stateHome(env), "tunacode")],
    ["cache", join(cacheHome(env), "tunacode")],
  ];
  const found = folders.map(([name, folder]) => checkFolder(name, folder));
  const count = (await listSessions(sessions)).length;
  return [...found, ...checkPrivacy(sessions), { ok: true, what: `sessions: ${count} in ${sessions}` }];
}

export type Examined =
  | { readonly type: "missing" }
  /** Neither the file's content nor its name belongs to a session. */
  | { readonly type: "foreign" }
  /** Another window is writing to it, so an open turn in it is not damage. */
  | { readonly type: "held"; readonly session: ReadSession }
  | { readonly type: "healthy"; readonly session: ReadSession }
  | { readonly type: "repaired"; readonly session: ReadSession; readonly lossless: boolean };

/** Changes nothing unless something is wrong. */
export async function examineSession(paths: SessionPaths): Promise<Examined> {
  const seen = await readSession(paths);
  if (seen === undefined) return { type: "missing" };
  if (isForeign(seen)) return { type: "foreign" };
  const covered = isHealthy(seen.report) ? await damageUnderSnapshot(paths) : [];
  if (isHealthy(seen.report) && covered.length === 0) return { type: "healthy", session: seen };
  const opening = await openSession(paths);
  if (opening.type !== "open")
    return opening.type === "held" ? { type: "held", session: opening.session } : opening;
  const { session } = opening;
  const lossless = !session.report.notes.some(isLoss);
  // Opening repaired the conversation in memory; this replaces the damaged file.
  if (!lossless || covered.length > 0) await session.writer.renew();
  await session.writer.close();
  if (session.writer.status.type === "unsaved") throw new Error(session.writer.status.problem);
  const report = { ...session.report, notes: [...session.report.notes, ...covered] };
  return { type: "repaired", session: { ...session, report }, lossless };
}

function isForeign({ state, unsentPrompt }: ReadSession): boolean {
  return state.sessionId === "" && state.conversation.messages.length === 0 && unsentPrompt === undefined;
}

/** Damaged records that a good snapshot covers: opening takes their content from there and never reads them. */
async function damageUnderSnapshot({ journal }: SessionPaths): Promise<readonly RecoveryNote[]> {
  const found = await findJournal(nodeDisk, journal);
  return found.status === "good" ? found.read.notes.filter(isLoss) : [];
}

function isHealthy({ notes, repairs }: RecoveryReport): boolean {
  return notes.every(({ kind }) => kind === "unsent-prompt") && repairs.length === 0;
}

/** A few long turns need more than this. */
const LEAST_FREE = 10_000_000;

function checkFolder(name: string, folder: string): Finding {
  const existing = nearestExisting(folder);
  try {
    if (!statSync(existing).isDirectory()) return { ok: false, what: `${name}: ${existing} is not a folder` };
    accessSync(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(existing);
    const free = bavail * bsize;
    if (free < LEAST_FREE)
      return { ok: false, what: `${name}: ${folder} has only ${Math.round(free / 1000)} kB left` };
    return { ok: true, what: `${name}: ${folder} is writable` };
  } catch (error) {
    return { ok: false, what: `${name}: ${folder} is not writable (${errorMessage(error)})` };
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestExisting(dirname(folder));
}

/** Conversations are private: nobody else may read them. */
function checkPrivacy(folder: string): Finding[] {
  if (!existsSync(folder) || (statSync(folder).mode & 0o077) === 0) return [];
  return [{ ok: false, what: `sessions: others can read ${folder}; starting a new session fixes that` }];
}
