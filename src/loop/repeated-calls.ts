// A model that makes the same calls with the same results in response after response is stuck. It is told so first; if
// that doesn't help, a person is asked, or it has to sum up.
import type { ReachedLimit } from "../domain/limits.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";

const REPEATS_BEFORE_REMARK = 3;
const REPEATS_BEFORE_STOP = 10;

export interface RepeatedCalls {
  /** The calls of the last response, with their results. */
  last: ReadonlySet<string>;
  /** How many responses in a row brought nothing that the one before had not. */
  streak: number;
}

/**
 * A response repeats the one before if all of its calls stood there with the same results. How often a call stands in
 * one response doesn't matter, and one new call or result is progress. Returns a remark for the model, if it is due.
 */
export function noteCalls(
  repeated: RepeatedCalls,
  calls: readonly ToolCallPart[],
  returns: readonly ToolReturnPart[],
): string | null {
  const prints = new Set<string>();
  for (const [index, call] of calls.entries()) {
    const answer = returns[index];
    if (answer !== undefined) prints.add(fingerprint(call, answer));
  }
  repeated.streak = prints.isSubsetOf(repeated.last) ? repeated.streak + 1 : 1;
  repeated.last = prints;
  if (repeated.streak !== REPEATS_BEFORE_REMARK) return null;
  const names = [...new Set(calls.map((call) => call.toolName))].join(", ");
  return `You have called ${names} with the same arguments ${repeated.streak} times in a row and got the same result each time. Calling it again will not change it: try another way, or say what is missing.`;
}

/** The limit that a model has reached that only repeats itself. */
export function stuckAt({ streak }: RepeatedCalls): ReachedLimit | null {
  if (streak < REPEATS_BEFORE_STOP) return null;
  return { limit: "repeatedCalls", allowed: REPEATS_BEFORE_STOP, spent: streak };
}

/** Counts anew from here on. */
export function forgetCalls(repeated: RepeatedCalls): void {
  repeated.last = new Set();
  repeated.streak = 0;
}

/** Leaves out the file that a long output was kept in: its name is new each time and not part of the result. */
function fingerprint({ toolName, rawArgs, args }: ToolCallPart, { content, keptIn }: ToolReturnPart): string {
  const print = JSON.stringify([toolName, rawArgs ?? args, content]);
  return keptIn === undefined ? print : print.replaceAll(JSON.stringify(keptIn).slice(1, -1), "");
}
