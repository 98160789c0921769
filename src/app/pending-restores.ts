// Restores that a killed process left unfinished: each is a file of its intent, named after its session.
import { join } from "node:path";
import { folderNames } from "../base/folder-names.ts";
import { dataHome, type Environment } from "../base/xdg.ts";
import type { SessionId } from "../domain/ids.ts";
import type { SessionPaths } from "../session/paths.ts";

export function restoresFolder(env: Environment): string {
  return join(dataHome(env), "tunacode", "restores");
}

interface PendingRestores {
  readonly count: number;
  readonly isOf: (paths: Pick<SessionPaths, "projectId" | "sessionId">) => boolean;
  /** The sessions of a project that have some. */
  readonly sessionsOf: (projectId: string) => readonly SessionId[];
}

/** As of now. Without the folder there are none. */
export function pendingRestores(folder: string): PendingRestores {
  const names = folderNames(folder).filter((name) => name.endsWith(".json"));
  const owners = names.map((name) => name.split("_"));
  const sessionsOf = (projectId: string) =>
    owners.flatMap(([project, session]) => (project === projectId ? (session ?? []) : []));
  return {
    count: names.length,
    isOf: ({ projectId, sessionId }) => sessionsOf(projectId).includes(sessionId),
    sessionsOf: (projectId) => [...new Set(sessionsOf(projectId))],
  };
}
