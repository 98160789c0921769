// Moves each answer to the start of the request right after its call's response. Runs after calls are settled, when
// every id has exactly one call and one answer.
import type { ToolCallId } from "../domain/ids.ts";
import { callsOf, type Message, type Request } from "../domain/message.ts";
import { type AnswerPart, isAnswer, type Part } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";
import type { Repaired } from "./rule.ts";

export function misplacedReturns(messages: readonly Message[]): Repaired {
  const misplaced = findMisplaced(messages);
  if (misplaced.length === 0) return { messages, repairs: [] };
  const repairs = misplaced.map(({ at, part: { toolCallId } }): Repair => {
    const why = `The return of the call ${toolCallId} was in the wrong place and has been moved to its call.`;
    return { kind: "misplaced-return", at, kept: "all", why };
  });

  // If one answer of a response is misplaced, all its answers are taken out and put back in the order of the calls.
  const homes = responsesByCall(messages);
  const restored = new Set(misplaced.map(({ part }) => homes.get(part.toolCallId)));
  const isTaken = (part: Part): part is AnswerPart =>
    isAnswer(part) && restored.has(homes.get(part.toolCallId));
  const taken = messages.flatMap(({ parts }) => parts.filter(isTaken));
  const answers = new Map(taken.map((part) => [part.toolCallId, part]));
  const returnsTo = (at: number): AnswerPart[] => {
    const response = messages[at];
    if (response?.kind !== "response" || !restored.has(at)) return [];
    return callsOf(response).flatMap(({ toolCallId }) => answers.get(toolCallId) ?? []);
  };
  const moved = messages.flatMap((message, at): Message[] => {
    if (message.kind === "request") return withAnswers(message, returnsTo(at - 1), isTaken);
    const parts = messages[at + 1]?.kind === "request" ? [] : returnsTo(at);
    return parts.length === 0 ? [message] : [message, { kind: "request", parts }];
  });
  return { messages: moved, repairs };
}

/** Drops a request that contained only answers to other responses. */
function withAnswers(
  request: Request,
  arrived: readonly AnswerPart[],
  isTaken: (part: Part) => boolean,
): Request[] {
  const rest = request.parts.filter((part) => !isTaken(part));
  if (arrived.length > 0) return [{ ...request, parts: [...arrived, ...rest] }];
  if (rest.length === request.parts.length) return [request];
  return rest.length === 0 ? [] : [{ ...request, parts: rest }];
}

interface Misplaced {
  readonly at: number;
  readonly part: AnswerPart;
}

function responsesByCall(messages: readonly Message[]): Map<ToolCallId, number> {
  const responses = new Map<ToolCallId, number>();
  for (const [at, { parts }] of messages.entries())
    for (const part of parts) if (part.kind === "tool-call") responses.set(part.toolCallId, at);
  return responses;
}

function findMisplaced(messages: readonly Message[]): Misplaced[] {
  const misplaced: Misplaced[] = [];
  messages.forEach(({ parts }, at) => {
    let prompted = false;
    for (const part of parts)
      if (!isAnswer(part)) prompted ||= part.kind !== "unknown";
      else if (prompted || !hasCall(messages[at - 1], part.toolCallId)) misplaced.push({ at, part });
  });
  return misplaced;
}

function hasCall(message: Message | undefined, id: ToolCallId): boolean {
  return message?.parts.some((part) => part.kind === "tool-call" && part.toolCallId === id) ?? false;
}
