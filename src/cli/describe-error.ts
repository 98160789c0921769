// An error as a sentence for a person. A bug keeps its stack trace, which is what a report needs.
import { errorMessage, TunacodeError } from "../domain/error.ts";

export function describeError(error: unknown): string {
  if (!isBug(error)) return `tunacode: ${errorMessage(error)}`;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `tunacode: this is a bug in tunacode. ${stack}`;
}

/** What the operating system refused (a full disk, a missing permission) is not a bug in tunacode. */
export function isBug(error: unknown): boolean {
  return !(
    error instanceof TunacodeError ||
    (error instanceof Error && ("syscall" in error || "errno" in error))
  );
}
