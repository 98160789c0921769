// Undo for an agent that is open, and for a session on disk that nobody has open.
import type { Environment } from "../base/xdg.ts";
import { TunacodeError } from "../domain/error.ts";
import type { SessionId } from "../domain/ids.ts";
import type { Agent } from "./compose.ts";
import type { Undo } from "./undo.ts";

/** Cheap: nothing is read before something is asked for. Everything is refused while a request runs. */
export function openUndo(_agent: Agent): Undo {
  throw new TunacodeError("usage", "Undo is not available.");
}

export interface SessionUndoSettings {
  readonly cwd: string;
  readonly env: Environment;
  /** An id, a prefix of one, or a path; by default the newest session of the project. */
  readonly session?: SessionId;
  /** False: only looks, also at a session that is open elsewhere. Nothing can be taken back. */
  readonly canChange: boolean;
}

export interface SessionUndo {
  readonly sessionId: SessionId;
  readonly undo: Undo;
  /** Sentences for the person: what was found, and what a killed process had left and is finished now. */
  readonly notices: readonly string[];
  /** Saves, and frees the session. */
  readonly close: () => Promise<void>;
}

/** Throws a `usage` error if there is no such session, or if it is open in another window and `canChange` is wanted. */
export async function undoOfSession(_settings: SessionUndoSettings): Promise<SessionUndo> {
  throw new TunacodeError("usage", "Undo is not available.");
}
