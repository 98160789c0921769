// The session an agent works on: new, resumed, or in memory only.
import { collectWaste } from "../base/collect-waste.ts";
import { defined } from "../base/defined.ts";
import type { Mask } from "../base/secrets.ts";
import { TunacodeError } from "../domain/error.ts";
import { newSessionId } from "../domain/ids.ts";
import type { Repair } from "../domain/repair.ts";
import { createSession, forkSession, type OpenSession, openSession, readSession } from "../session/open.ts";
import { type SessionPaths, sessionFolder } from "../session/paths.ts";
import { projectIdOf } from "../session/project.ts";
import { isLoss, type RecoveryNote, type RecoveryNoteKind } from "../session/report.ts";
import { newSessionState, type SessionState } from "../session/state.ts";
import type { SessionWriter } from "../session/writer.ts";
import { recordInterrupted } from "./interrupted-changes.ts";
import { pendingRestores, restoresFolder } from "./pending-restores.ts";
import { locateSession, newestSession, noSession } from "./sessions.ts";
import type { AgentSettings } from "./settings.ts";

export interface AgentSession {
  readonly state: SessionState;
  /** Null: nothing is written. */
  readonly writer: SessionWriter | null;
  readonly resumed: boolean;
  /** Sentences for the person about what recovery did. */
  readonly notices: readonly string[];
  /** The same as data. What was found in its files has no place in the history. */
  readonly repairs: readonly OpeningRepair[];
  /** A prompt that was never answered. */
  readonly unsentPrompt?: string;
}

export type OpeningRepair =
  | Repair
  | {
      readonly kind: RecoveryNoteKind;
      readonly at: null;
      readonly kept: "all" | "some";
      readonly why: string;
    };

export async function openAgentSession(settings: AgentSettings, mask: Mask): Promise<AgentSession> {
  const { session, cwd, env, notify } = settings;
  const start = { projectId: projectIdOf(cwd), workingDirectory: cwd, model: "" };
  if (session.type === "none") {
    const state = newSessionState({ ...start, sessionId: newSessionId(), now: new Date().toISOString() });
    return { state, writer: null, resumed: false, notices: [], repairs: [] };
  }
  const finished = await finishProject(settings, start.projectId);
  for (const notice of finished) notify(notice);
  const folder = sessionFolder(env);
  const options = {
    mask,
    onStatus: (status: SessionWriter["status"]) =>
      notify(
        status.type === "saved"
          ? "The session is saved again."
          : `The session can't be saved (${status.problem}). It goes on in memory and is written as soon as that works.`,
      ),
    onFork: (from: string, to: string) =>
      notify(`Another window took over session ${from}; this one goes on as ${to}.`),
  };
  const paths = await chosenPaths(settings);
  if (paths === null) return opened(createSession({ ...options, ...start, folder }), false);
  if (session.type === "fork") {
    const original = await readSession(paths);
    if (original === undefined) throw noSession(session.id);
    return opened(await forkSession(original, folder, options), true);
  }
  const opening = await openSession(paths, options);
  switch (opening.type) {
    case "missing":
      throw noSession(paths.sessionId);
    case "open":
      // Reading a long session leaves much garbage, and the first request would add its own.
      collectWaste(opening.session.state.conversation.messages.length);
      return opened(
        opening.session,
        true,
        ...(await recordInterrupted(opening.session.writer, settings.undo)),
      );
    case "held": {
      const fork = await forkSession(opening.session, folder, options);
      const holder = opening.holder === undefined ? "" : ` (process ${opening.holder.pid})`;
      const notice = `Session ${paths.sessionId} is open in another window${holder}; this is a copy, ${fork.state.sessionId}.`;
      return opened(fork, true, notice);
    }
  }
}

/** What a killed process had begun to take back, in this or another session of the project. */
async function finishProject(
  { cwd, env, undo }: AgentSettings,
  projectId: string,
): Promise<readonly string[]> {
  const notices: string[] = [];
  for (const session of pendingRestores(restoresFolder(env)).sessionsOf(projectId)) {
    const { undoOfSession } = await import("./open-undo.ts");
    try {
      const finished = await undoOfSession({ cwd, env, session, canChange: true, ...defined({ undo }) });
      notices.push(...finished.notices);
      await finished.close();
    } catch (error) {
      // The window that has it open is at it; what is deleted has nobody who could go on with it.
      if (!(error instanceof TunacodeError)) throw error;
    }
  }
  return notices;
}

function opened(session: OpenSession, resumed: boolean, ...notices: readonly string[]): AgentSession {
  const { state, writer, report, unsentPrompt } = session;
  const repairs = [...report.notes.map(noteRepair), ...report.repairs];
  // Of a prompt that was never answered, the editor that gets it back or the request that closes its turn tells.
  const found = repairs.filter(({ kind }) => kind !== "unsent-prompt").map(({ why }) => why);
  return { state, writer, resumed, notices: [...notices, ...found], repairs, ...defined({ unsentPrompt }) };
}

function noteRepair(note: RecoveryNote): OpeningRepair {
  return { kind: note.kind, at: null, kept: isLoss(note) ? "some" : "all", why: note.why };
}

async function chosenPaths({ session, env, cwd }: AgentSettings): Promise<SessionPaths | null> {
  if (session.type === "resume" || session.type === "fork") return locateSession(env, cwd, session.id);
  return session.type === "continue" ? newestSession(env, cwd) : null;
}
