// Finds a session by its id, a prefix of the id or a path, and reads it without changing it.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Environment } from "../base/xdg.ts";
import { TunacodeError } from "../domain/error.ts";
import { type ReadSession, readSession } from "../session/open.ts";
import { pathsFrom, type SessionPaths, sessionFolder } from "../session/paths.ts";
import { findSession } from "../session/store.ts";

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

export function noSession(name: string): TunacodeError {
  return new TunacodeError("usage", `There is no session ${name}. \`tunacode sessions\` lists them.`);
}

/** Reads a session without changing anything on disk, even while another process writes to it. */
export async function lookAtSession(paths: SessionPaths): Promise<ReadSession> {
  const session = await readSession(paths);
  if (session === undefined) throw new TunacodeError("usage", `There is no session in ${paths.folder}.`);
  return session;
}
