// Looks after the machine and after one session: finds what is wrong, repairs what can be, says what it did.
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
  /** Somebody else's file: nothing in it or its name is a session's. */
  | { readonly type: "foreign" }
  /** Another window writes to it: what is open in it is not damage. */
  | { readonly type: "held"; readonly session: ReadSession }
  | { readonly type: "healthy"; readonly session: ReadSession }
  | { readonly type: "repaired"; readonly session: ReadSession; readonly lossless: boolean };

/** Nothing is touched unless something is wrong. */
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
  // Opening has repaired the conversation; this leaves a file in which the damage no longer is.
  if (!lossless || covered.length > 0) await session.writer.renew();
  await session.writer.close();
  if (session.writer.status.type === "unsaved") throw new Error(session.writer.status.problem);
  const report = { ...session.report, notes: [...session.report.notes, ...covered] };
  return { type: "repaired", session: { ...session, report }, lossless };
}

function isForeign({ state, unsentPrompt }: ReadSession): boolean {
  return state.sessionId === "" && state.conversation.messages.length === 0 && unsentPrompt === undefined;
}

/** Records that nobody misses as long as the snapshot has what they said: opening doesn't even read them. */
async function damageUnderSnapshot({ journal }: SessionPaths): Promise<readonly RecoveryNote[]> {
  const found = await findJournal(nodeDisk, journal);
  return found.status === "good" ? found.read.notes.filter(isLoss) : [];
}

function isHealthy({ notes, repairs }: RecoveryReport): boolean {
  return notes.every(({ kind }) => kind === "unsent-prompt") && repairs.length === 0;
}

/** Less than a few long turns need. */
const LEAST_FREE = 10_000_000;

function checkFolder(name: string, folder: string): Finding {
  const existing = nearestExisting(folder);
  try {
    if (!statSync(existing).isDirectory()) return { ok: false, what: `${name}: ${existing} is not a folder` };
    accessSync(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(existing);
    const free = bavail * bsize;
    if (free < LEAST_FREE)
      return { ok: false, what: `${name}: ${folder} has only ${Math.round(free / 1000)} kB of room left` };
    return { ok: true, what: `${name}: ${folder} can be written to` };
  } catch (error) {
    return { ok: false, what: `${name}: ${folder} can't be written to (${errorMessage(error)})` };
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestExisting(dirname(folder));
}

/** Conversations are a person's own. */
function checkPrivacy(folder: string): Finding[] {
  if (!existsSync(folder) || (statSync(folder).mode & 0o077) === 0) return [];
  return [{ ok: false, what: `sessions: others can read ${folder}; the next new session corrects that` }];
}
