// A model that makes the same call with the same result over and over is stuck. It is first told so, then stopped.
import type { ReachedLimit } from "../domain/limits.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";

const REPEATS_BEFORE_REMARK = 3;
const REPEATS_BEFORE_STOP = 6;

export interface RepeatedCalls {
  last: string;
  streak: number;
}

interface RepeatVerdict {
  /** For the model. */
  readonly remark: string | null;
  readonly reached: ReachedLimit | null;
}

export function noteCalls(
  repeated: RepeatedCalls,
  calls: readonly ToolCallPart[],
  returns: readonly ToolReturnPart[],
): RepeatVerdict {
  let remark: string | null = null;
  for (const [index, call] of calls.entries()) {
    const answer = returns[index];
    if (answer === undefined) continue;
    const print = fingerprint(call, answer);
    repeated.streak = print === repeated.last ? repeated.streak + 1 : 1;
    repeated.last = print;
    if (repeated.streak === REPEATS_BEFORE_REMARK) {
      remark = `You have called ${call.toolName} with the same arguments ${repeated.streak} times in a row and got the same result each time. Calling it again will not change it: try another way, or say what is missing.`;
    }
  }
  const stuck = repeated.streak >= REPEATS_BEFORE_STOP;
  const reached = { limit: "repeatedCalls", allowed: REPEATS_BEFORE_STOP, spent: repeated.streak } as const;
  return { remark, reached: stuck ? reached : null };
}

/** Leaves out the file that a long output was kept in: its name is new each time and not part of the result. */
function fingerprint({ toolName, rawArgs, args }: ToolCallPart, { content, keptIn }: ToolReturnPart): string {
  const print = JSON.stringify([toolName, rawArgs ?? args, content]);
  return keptIn === undefined ? print : print.replaceAll(JSON.stringify(keptIn).slice(1, -1), "");
}
