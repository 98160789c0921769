// A model's answer to a question in the person's place, in the mode auto. Each one is an event, and the journal keeps it.
import type { ModelName, ToolCallId } from "./ids.ts";

export interface Review {
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  /** The call as it was shown to the model: a command, or what is done to which file. Without hidden characters. */
  readonly call: string;
  /** ask: it is left to the person. */
  readonly verdict: "allow" | "ask";
  readonly reason: string;
  /** The model that was asked. */
  readonly model: ModelName;
}

const LONGEST_CALL = 60;

export function shortCall(call: string): string {
  return call.length > LONGEST_CALL ? `${call.slice(0, LONGEST_CALL)}…` : call;
}

/** The line that stands in a transcript. */
export function describeReview({ verdict, call, reason }: Review): string {
  return `auto: ${verdict === "allow" ? "allowed" : "did not allow"} ${shortCall(call)}: ${reason}`;
}
