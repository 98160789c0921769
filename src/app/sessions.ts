// Finds a session by its id, a prefix of the id or a path, and reads it without changing it.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isWithin } from "../base/real-path.ts";
import type { Environment } from "../base/xdg.ts";
import { TunacodeError } from "../domain/error.ts";
import { type ReadSession, readSession } from "../session/open.ts";
import { pathsFrom, type SessionPaths, sessionFolder } from "../session/paths.ts";
import { projectIdsOf, projectRoot } from "../session/project.ts";
import { findSession, listSessions } from "../session/store.ts";

/** Accepts an id, a unique prefix of one, or the path of one of the session's files. */
export async function locateSession(env: Environment, cwd: string, name: string): Promise<SessionPaths> {
  const file = resolve(cwd, name);
  if (/\.jsonl?$/.test(name)) {
    if (existsSync(file)) return pathsFrom(file);
    throw new TunacodeError("usage", `There is no file ${file}.`);
  }
  const found = await findSession(sessionFolder(env), name);
  switch (found.type) {
    case "found":
      return found.paths;
    case "missing":
      if (existsSync(file))
        throw new TunacodeError("usage", `${name} is not a session file: those end in .json or .jsonl.`);
      throw noSession(name);
    case "ambiguous":
      throw new TunacodeError("usage", `${name} matches several sessions: ${found.ids.join(", ")}.`);
  }
}

/** The project's newest, but rather one of this very folder or, failing that, of this worktree. */
export async function newestSession(env: Environment, cwd: string): Promise<SessionPaths | null> {
  const root = projectRoot(cwd);
  const found = await listSessions(sessionFolder(env), { projectIds: projectIdsOf(cwd) });
  const newest =
    found.find(({ workingDirectory }) => workingDirectory === cwd) ??
    found.find(({ workingDirectory }) => isWithin(workingDirectory, root)) ??
    found[0];
  return newest?.paths ?? null;
}

export function noSession(name: string): TunacodeError {
  return new TunacodeError("usage", `There is no session ${name}. \`tunacode sessions\` lists them.`);
}

/** Reads a session without changing anything on disk, even while another process writes to it. */
export async function lookAtSession(paths: SessionPaths): Promise<ReadSession> {
  const session = await readSession(paths);
  if (session === undefined) throw new TunacodeError("usage", `There is no session in ${paths.folder}.`);
  return session;
}
