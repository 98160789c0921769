// Finds and repairs the damage of one session.
import { nodeDisk } from "../session/disk.ts";
import { leaseHolder } from "../session/lease.ts";
import { openSession, type ReadSession, readSession } from "../session/open.ts";
import type { SessionPaths } from "../session/paths.ts";
import { findJournal } from "../session/read-files.ts";
import { isLoss, type RecoveryNote, type RecoveryReport } from "../session/report.ts";

export type Examined =
  | { readonly type: "missing" }
  /** Neither the file's content nor its name belongs to a session. */
  | { readonly type: "foreign" }
  /** Another window is writing to it, so an open turn in it is not damage. */
  | { readonly type: "held"; readonly session: ReadSession }
  | { readonly type: "healthy"; readonly session: ReadSession }
  /** damaged: a dry run found it, and changed nothing. */
  | {
      readonly type: "damaged" | "repaired";
      readonly session: ReadSession;
      readonly lossless: boolean;
    };

/** Changes nothing unless something is wrong, and in a dry run nothing at all. */
export async function examineSession(
  paths: SessionPaths,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Examined> {
  const seen = await readSession(paths);
  if (seen === undefined) return { type: "missing" };
  if (isForeign(seen)) return { type: "foreign" };
  const covered = isHealthy(seen.report) ? await damageUnderSnapshot(paths) : [];
  if (isHealthy(seen.report) && covered.length === 0) return { type: "healthy", session: seen };
  if (dryRun) {
    if ((await leaseHolder(nodeDisk, paths.lease)) !== undefined) return { type: "held", session: seen };
    const report = { ...seen.report, notes: [...seen.report.notes, ...covered] };
    return {
      type: "damaged",
      session: { ...seen, report },
      lossless: !seen.report.notes.some(isLoss),
    };
  }
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

function isForeign({ state }: ReadSession): boolean {
  return state.sessionId === "" && state.conversation.messages.length === 0;
}

/** Damaged records that a good snapshot covers: opening takes their content from there and never reads them. */
async function damageUnderSnapshot({ journal }: SessionPaths): Promise<readonly RecoveryNote[]> {
  const found = await findJournal(nodeDisk, journal);
  return found.status === "good" ? found.read.notes.filter(isLoss) : [];
}

function isHealthy({ notes, repairs }: RecoveryReport): boolean {
  return notes.every(({ kind }) => kind === "unsent-prompt") && repairs.length === 0;
}
