// Collects from its events what one request did. This is the body of the result.
import type { OpeningRepair } from "../app/agent-session.ts";
import { jsonAnswer } from "../app/output-schema.ts";
import { isBlank } from "../base/blank.ts";
import type { JsonValue } from "../base/json.ts";
import { exactLine } from "../base/visible-text.ts";
import { contentText } from "../domain/content.ts";
import { type ErrorCode, errorCode, errorMessage } from "../domain/error.ts";
import { type AgentEvent, type Outcome, type StandIn, standInOf } from "../domain/event.ts";
import { explainLimit } from "../domain/limits.ts";
import { type Message, visibleText } from "../domain/message.ts";
import { wasUnasked } from "../domain/tool-details.ts";
import { addUsage, NO_USAGE, type UsageTotals } from "../domain/usage.ts";
import { callLabel } from "./call-labels.ts";

export interface RunRecord {
  outcome: Outcome;
  usage: UsageTotals;
  /** The model that answers in place of the chosen one. */
  standIn: StandIn | null;
  readonly messages: Message[];
  readonly toolCalls: RecordedCall[];
  readonly denials: Denial[];
  /** On opening the session and during the request. */
  readonly repairs: OpeningRepair[];
  /** The text of the newest response that said something, as far as it came. */
  shown: string;
  /** No text of the response that is being written has come yet. */
  isFresh: boolean;
}

type ToolEnd = Extract<AgentEvent, { type: "tool-end" }>;
type RecordedCall = Pick<ToolEnd, "toolCallId" | "toolName" | "args" | "status" | "durationMs">;

/** A call that needed approval when nobody was there to give it. */
interface Denial extends Omit<RecordedCall, "status" | "durationMs"> {
  readonly reason: string;
}

export interface RunError {
  readonly code: ErrorCode;
  readonly message: string;
}

export function newRunRecord(): RunRecord {
  return {
    outcome: { type: "aborted" },
    usage: NO_USAGE,
    standIn: null,
    messages: [],
    toolCalls: [],
    denials: [],
    repairs: [],
    shown: "",
    isFresh: true,
  };
}

export function recordEvent(record: RunRecord, event: AgentEvent): void {
  switch (event.type) {
    case "node-start":
      record.isFresh = true;
      break;
    case "text-delta":
      if (record.isFresh && isBlank(event.text)) break;
      record.shown = record.isFresh ? event.text : record.shown + event.text;
      record.isFresh = false;
      break;
    case "message-end":
      record.messages.push(event.message);
      break;
    case "tool-end": {
      const { toolCallId, toolName, args, status, durationMs, result } = event;
      record.toolCalls.push({ toolCallId, toolName, args, status, durationMs });
      if (wasUnasked(result.details))
        record.denials.push({ toolCallId, toolName, args, reason: contentText(result.content) });
      break;
    }
    case "model-change":
      record.standIn = standInOf(event);
      break;
    case "usage":
      record.usage = addUsage(record.usage, event.call);
      break;
    case "repair":
      record.repairs.push(...event.repairs);
      break;
    case "request-end":
      record.outcome = event.outcome;
      break;
    default:
  }
}

export function failedOutcome(error: unknown): Outcome {
  const code = errorCode(error);
  if (code === "aborted") return { type: "aborted" };
  return { type: "failed", code, message: errorMessage(error), error };
}

export interface RunAnswer {
  /** The text of the last response; of one that had to fit a schema and does, only the JSON. */
  readonly output: string;
  readonly structured?: JsonValue;
}

/** isSchemed: the last answer had to fit a schema, so the request completed only if it does. */
export function answerOf({ messages, outcome }: RunRecord, isSchemed: boolean): RunAnswer {
  const last = messages.findLast((message) => message.kind === "response");
  const output = last === undefined ? "" : visibleText(last);
  const answer = isSchemed && outcome.type === "completed" ? jsonAnswer(output) : null;
  return answer === null ? { output } : { output: answer.text, structured: answer.value };
}

/** Undefined on success. */
export function runError({ outcome, denials }: RunRecord): RunError | undefined {
  switch (outcome.type) {
    case "failed":
      return { code: outcome.code, message: outcome.message };
    case "aborted":
      return { code: "aborted", message: "The request was stopped." };
    case "timed-out":
      return { code: "timeout", message: `The request took longer than ${outcome.seconds} s.` };
    case "limit":
      return { code: "limit", message: explainLimit(outcome.reached) };
    case "completed":
      return denials.length === 0 ? undefined : { code: "permission", message: refused(denials) };
  }
}

function refused(denials: readonly Denial[]): string {
  const [first = ""] = denials.map(({ toolName, args }) => exactLine(callLabel(toolName, args)));
  const which = denials.length === 1 ? `A call (${first})` : `${denials.length} calls (first: ${first})`;
  return `${which} needed approval and nobody was there to give it. Use --allow or --permission.`;
}
