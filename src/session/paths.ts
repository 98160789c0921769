// Where a session's files are: <project id>_<session id>, with a different ending for each file.
import { basename, dirname, join } from "node:path";
import { dataHome, type Environment } from "../base/xdg.ts";
import type { SessionId } from "../domain/ids.ts";

export interface SessionPaths {
  readonly sessionId: SessionId;
  readonly projectId: string;
  readonly folder: string;
  readonly snapshot: string;
  readonly journal: string;
  /** Output too long for the conversation. */
  readonly files: string;
  readonly lease: string;
}

/** The ending of a journal or a snapshot. */
export const ENDING = /\.jsonl?$/;
const NAME = /^([0-9a-f]{16})_([0-9A-Za-z-]{8,64})$/;

export function sessionFolder(env: Environment): string {
  return join(dataHome(env), "tunacode", "sessions");
}

/** In it, a folder for each project. */
export function worktreesFolder(env: Environment): string {
  return join(dataHome(env), "tunacode", "worktrees");
}

export function sessionPaths(folder: string, projectId: string, sessionId: SessionId): SessionPaths {
  return { projectId, sessionId, ...filesOf(join(folder, `${projectId}_${sessionId}`)) };
}

/** From the path of its journal or snapshot, in any folder. The ids are "" where the name isn't one of ours. */
export function pathsFrom(file: string): SessionPaths {
  const stem = file.replace(ENDING, "");
  const [, projectId = "", sessionId = ""] = NAME.exec(basename(stem)) ?? [];
  return { projectId, sessionId, ...filesOf(stem) };
}

function filesOf(stem: string): Omit<SessionPaths, "projectId" | "sessionId"> {
  return {
    folder: dirname(stem),
    snapshot: `${stem}.json`,
    journal: `${stem}.jsonl`,
    files: `${stem}.files`,
    lease: `${stem}.lease`,
  };
}
