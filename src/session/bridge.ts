// Messages whose records are damaged leave a hole. It is filled with what other records still know (the prompt, the
// results of calls) and otherwise with a visible notice, so that the messages around it can stay as they are.
import type { Content } from "../domain/content.ts";
import { callsOf, type Message, type Request, type Response } from "../domain/message.ts";
import { type AnswerPart, isAnswer, type ToolCallPart, type ToolReturnPart } from "../domain/part.ts";
import { lostResult } from "./stored-entry.ts";

const LOST_MESSAGE = "[A message was lost here: its record in the session file is damaged.]";

export interface Known {
  /** A prompt that no message has taken up. */
  readonly prompt: Content | undefined;
  /** Results that no message has taken up, by the id of their call. */
  readonly settled: ReadonlyMap<string, ToolReturnPart>;
  /** The text of a response that was still streaming. */
  readonly partial: string;
}

/** What goes between two messages that were not neighbours; `next` is undefined where a prompt or an end follows. */
export function bridge(
  before: Message | undefined,
  next: Message | undefined,
  lost: number,
  known: Known,
): readonly Message[] {
  const filled: Message[] = [];
  const last = () => filled.at(-1) ?? before;
  const rebuilt = rebuiltRequest(before, next, known);
  if (rebuilt !== undefined) filled.push(rebuilt);
  const finished = resultsWithoutMessage(before, next, known);
  if (finished.length > 0) {
    if (last()?.kind !== "request") filled.push(lostRequest());
    filled.push(lostResponse(finished, ""), { kind: "request", parts: finished });
  }
  if (next?.kind === "response") {
    if (last()?.kind !== "request") filled.push(lostRequest());
    else if (filled.length < lost) filled.push(lostResponse([], known.partial), lostRequest());
    return filled;
  }
  const orphans = answersWithoutCall(last(), next);
  if (last()?.kind === "request" || orphans.length > 0 || filled.length < lost) {
    if (last()?.kind !== "request") filled.push(lostRequest());
    filled.push(lostResponse(orphans, known.partial));
  }
  return filled;
}

/** Results of calls whose response is lost together with the request that held the results. */
function resultsWithoutMessage(
  before: Message | undefined,
  next: Message | undefined,
  { settled }: Known,
): ToolReturnPart[] {
  const placed = new Set([...callIds(before), ...answersOf(next).map((answer) => answer.toolCallId)]);
  return [...settled.values()].filter((result) => !placed.has(result.toolCallId));
}

function rebuiltRequest(
  before: Message | undefined,
  next: Message | undefined,
  { prompt, settled }: Known,
): Request | undefined {
  if (before?.kind === "request") return undefined;
  const calls = before === undefined ? [] : callsOf(before);
  if (calls.length > 0) {
    const answered = new Set(answersOf(next).map((answer) => answer.toolCallId));
    if (calls.some((call) => answered.has(call.toolCallId))) return undefined;
    return {
      kind: "request",
      parts: calls.map((call) => settled.get(call.toolCallId) ?? lostResult(call.toolCallId, call.toolName)),
    };
  }
  return prompt === undefined
    ? undefined
    : { kind: "request", parts: [{ kind: "user-prompt", content: prompt }] };
}

function answersOf(message: Message | undefined): AnswerPart[] {
  return message?.kind === "request" ? message.parts.filter(isAnswer) : [];
}

function callIds(message: Message | undefined): string[] {
  return message?.kind === "response" ? callsOf(message).map((call) => call.toolCallId) : [];
}

function answersWithoutCall(last: Message | undefined, next: Message | undefined): AnswerPart[] {
  const asked = new Set(callIds(last));
  return answersOf(next).filter((answer) => !asked.has(answer.toolCallId));
}

function lostRequest(): Request {
  return { kind: "request", parts: [{ kind: "retry-prompt", content: LOST_MESSAGE }] };
}

/** With the calls that the following answers belong to, so that finished work is not lost. */
function lostResponse(answers: readonly AnswerPart[], partial: string): Response {
  const content = partial === "" ? LOST_MESSAGE : `${LOST_MESSAGE}\n\n${partial}`;
  const calls = answers.map(({ toolCallId, toolName }): ToolCallPart => {
    return { kind: "tool-call", toolCallId, toolName, args: {} };
  });
  return { kind: "response", parts: [{ kind: "text", content }, ...calls] };
}
