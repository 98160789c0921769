// An error in the words a person can use. A bug keeps its stack: that is what helps.
import { errorMessage, TunacodeError } from "../domain/error.ts";

export function describeError(error: unknown): string {
  if (!isBug(error)) return `tunacode: ${errorMessage(error)}`;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `tunacode: this is a bug in tunacode. ${stack}`;
}

/** What the system refused (a full disk, a missing right) is nobody's bug. */
export function isBug(error: unknown): boolean {
  return !(
    error instanceof TunacodeError ||
    (error instanceof Error && ("syscall" in error || "errno" in error))
  );
}
