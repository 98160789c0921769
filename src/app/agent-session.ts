// The session an agent works on: new, taken up again, or in memory only.
import { collectWaste } from "../base/collect-waste.ts";
import type { Mask } from "../base/secrets.ts";
import type { Content } from "../domain/content.ts";
import { TunacodeError } from "../domain/error.ts";
import { newSessionId } from "../domain/ids.ts";
import { createSession, forkSession, type OpenSession, openSession, readSession } from "../session/open.ts";
import { type SessionPaths, sessionFolder } from "../session/paths.ts";
import { projectIdOf } from "../session/project.ts";
import { newSessionState, type SessionState } from "../session/state.ts";
import { listSessions } from "../session/store.ts";
import type { SessionWriter } from "../session/writer.ts";
import { locateSession } from "./sessions.ts";
import type { AgentSettings } from "./settings.ts";

export interface AgentSession {
  readonly state: SessionState;
  /** Null: nothing is written. */
  readonly writer: SessionWriter | null;
  readonly resumed: boolean;
  /** What recovery did, in sentences for a person. */
  readonly notices: readonly string[];
  /** A person's words that were never answered. */
  readonly unsentPrompt?: Content;
}

export async function openAgentSession(settings: AgentSettings, mask: Mask): Promise<AgentSession> {
  const { session, cwd, env } = settings;
  const folder = sessionFolder(env);
  const projectId = projectIdOf(cwd);
  if (session.type === "none") {
    const now = new Date().toISOString();
    const start = { sessionId: newSessionId(), projectId, workingDirectory: cwd, model: "", now };
    return { state: newSessionState(start), writer: null, resumed: false, notices: [] };
  }
  const options = {
    mask,
    onStatus: (status: SessionWriter["status"]) => {
      if (status.type === "saved") settings.notify("The session is saved again.");
      else
        settings.notify(
          `The session can't be saved (${status.problem}). It goes on in memory and is written as soon as that works.`,
        );
    },
    onFork: (from: string, to: string) =>
      settings.notify(`Another window took over session ${from}; this one goes on as ${to}.`),
  };
  const paths = await chosenPaths(settings, folder, projectId);
  if (paths === null) {
    return opened(
      createSession({ ...options, folder, projectId, workingDirectory: cwd, model: "" }),
      false,
      [],
    );
  }
  if (session.type === "fork") {
    const original = await readSession(paths);
    if (original === undefined) throw noSession(session.id);
    return opened(await forkSession(original, folder, options), true, []);
  }
  const opening = await openSession(paths, options);
  switch (opening.type) {
    case "missing":
      throw noSession(paths.sessionId);
    case "open":
      // Of reading it; the first request would pile its own onto that.
      collectWaste(opening.session.state.conversation.messages.length);
      return opened(opening.session, true, []);
    case "held": {
      const fork = await forkSession(opening.session, folder, options);
      const holder = opening.holder === undefined ? "" : ` (process ${opening.holder.pid})`;
      const notice = `Session ${paths.sessionId} is open in another window${holder}; this is a copy, ${fork.state.sessionId}.`;
      return opened(fork, true, [notice]);
    }
  }
}

function opened(session: OpenSession, resumed: boolean, notices: readonly string[]): AgentSession {
  const { state, writer, report, unsentPrompt } = session;
  const found = [...report.notes, ...report.repairs].map(({ why }) => why);
  const unsent = unsentPrompt === undefined ? {} : { unsentPrompt };
  return { state, writer, resumed, notices: [...notices, ...found], ...unsent };
}

async function chosenPaths(
  settings: AgentSettings,
  folder: string,
  projectId: string,
): Promise<SessionPaths | null> {
  const { session } = settings;
  if (session.type === "resume" || session.type === "fork") {
    return locateSession(settings.env, settings.cwd, session.id);
  }
  if (session.type !== "continue") return null;
  const [newest] = await listSessions(folder, { projectId, limit: 1 });
  return newest?.paths ?? null;
}

function noSession(id: string): TunacodeError {
  return new TunacodeError("usage", `There is no session ${id}. \`tunacode sessions\` lists them.`);
}
