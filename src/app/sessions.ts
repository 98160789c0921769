// The sessions of a person: begun, continued, resumed by id, for whichever screen or command asks.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Environment } from "../base/xdg.ts";
import { TunacodeError } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";
import {
  createSession,
  forkSession,
  type OpenSession,
  openSession,
  type SessionOptions,
} from "../session/open.ts";
import { pathsFrom, type SessionPaths, sessionFolder } from "../session/paths.ts";
import { projectIdOf } from "../session/project.ts";
import { findSession, listSessions } from "../session/store.ts";

/** Where sessions are kept, and for which project. */
export interface SessionPlace {
  readonly folder: string;
  readonly projectId: string;
  readonly workingDirectory: string;
}

export interface ResumedSession extends OpenSession {
  /** What a person should know: it is a fork, or something was repaired. */
  readonly notices: readonly string[];
}

export function sessionPlace(env: Environment, workingDirectory: string): SessionPlace {
  return { folder: sessionFolder(env), projectId: projectIdOf(workingDirectory), workingDirectory };
}

export function startSession(place: SessionPlace, model: ModelName, options?: SessionOptions): OpenSession {
  return createSession({ ...place, model, ...options });
}

/** The newest session of this project; undefined if there is none. */
export async function continueSession(
  { folder, projectId }: SessionPlace,
  options?: SessionOptions,
): Promise<ResumedSession | undefined> {
  const [newest] = await listSessions(folder, { projectId, limit: 1 });
  return newest === undefined ? undefined : resume(newest.paths, options);
}

/** By id, a beginning of it, or the path of one of its files. */
export async function resumeSession(
  place: SessionPlace,
  idOrPath: string,
  options?: SessionOptions,
): Promise<ResumedSession> {
  return resume(await locateSession(place, idOrPath), options);
}

export async function locateSession({ folder }: SessionPlace, idOrPath: string): Promise<SessionPaths> {
  if (/\.jsonl?$/.test(idOrPath) && existsSync(idOrPath)) return pathsFrom(resolve(idOrPath));
  const found = await findSession(folder, idOrPath);
  switch (found.type) {
    case "found":
      return found.paths;
    case "missing":
      throw new TunacodeError("usage", `There is no session ${JSON.stringify(idOrPath)}.`);
    case "ambiguous":
      throw new TunacodeError("usage", `${found.ids.length} sessions begin so: ${found.ids.join(", ")}`);
  }
}

/** A session that another window writes to is continued in a fork, and this is said. */
async function resume(paths: SessionPaths, options: SessionOptions = {}): Promise<ResumedSession> {
  const opening = await openSession(paths, options);
  switch (opening.type) {
    case "open": {
      const { notes, repairs } = opening.session.report;
      return { ...opening.session, notices: [...notes, ...repairs].map((found) => found.why) };
    }
    case "held": {
      const fork = await forkSession(opening.session, paths.folder, options);
      const holder = opening.holder === undefined ? "another window" : `process ${opening.holder.pid}`;
      const notice = `The session is open in ${holder}: this is a fork of it, ${fork.state.sessionId}.`;
      return { ...fork, notices: [notice] };
    }
    case "missing":
      throw new TunacodeError("usage", `There is no session ${JSON.stringify(paths.sessionId)}.`);
  }
}
