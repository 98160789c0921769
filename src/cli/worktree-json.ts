// A worktree as scripts read it.
import type { Worktree } from "../app/worktree-place.ts";
import { hasWork, type WorktreeState } from "../app/worktree-state.ts";
import type { JsonObject } from "../base/json.ts";
import type { SessionSummary } from "../session/store.ts";
import { encodeSummary } from "./session-json.ts";

export interface ListedWorktree {
  readonly worktree: Worktree;
  readonly state: WorktreeState;
  /** A process that works in it. */
  readonly user: number | null;
  /** The newest that worked in it. */
  readonly session: SessionSummary | undefined;
}

export function encodeWorktree({ worktree, state, user, session }: ListedWorktree): JsonObject {
  const { name, branch, path, from } = worktree;
  return {
    name,
    branch,
    path,
    made_from: from,
    has_changes: hasWork(state),
    uncommitted_files: [...state.files, ...state.nested],
    commits: state.commits,
    unfinished: state.unfinished,
    in_use_by: user,
    last_session: session === undefined ? null : encodeSummary(session),
  };
}
