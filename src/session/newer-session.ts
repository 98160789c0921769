// The error for a session whose records this program would misread: it is left alone, and the person is told why.
import { TunacodeError } from "../domain/error.ts";
import type { SessionId } from "../domain/ids.ts";

export class NewerSessionError extends TunacodeError {
  override readonly name = "NewerSessionError";

  constructor(sessionId: SessionId, format: number) {
    super(
      "config",
      `Session ${sessionId} was written by a newer tunacode (format ${format}). Update tunacode to go on with it or to look at it; nothing in it was changed.`,
    );
  }
}
