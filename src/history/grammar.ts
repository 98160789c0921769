// Checks whether a history is valid. It shares no code with the repair rules, so that each can be tested against the
// other.
import { isJsonObject } from "../base/json.ts";
import { isBlankContent } from "../domain/content.ts";
import type { Message } from "../domain/message.ts";
import { type AnswerPart, isAnswer, type Part, type ToolCallPart } from "../domain/part.ts";

export type ViolationKind =
  | "no-beginning"
  | "alternation"
  | "empty-request"
  | "empty-response"
  | "blank-part"
  | "system-part"
  | "empty-id"
  | "duplicate-id"
  | "unanswered-call"
  | "answer-without-call"
  | "duplicate-answer"
  | "answer-after-prompt";

export interface Violation {
  readonly kind: ViolationKind;
  /** Index of the message. */
  readonly at: number;
  /** One sentence for a person. */
  readonly problem: string;
}

/** Every violation of the invariants, in the order of the messages; an empty history has none. */
export function checkHistory(messages: readonly Message[]): Violation[] {
  const violations: Violation[] = [];
  const idsSoFar = new Set<string>();
  messages.forEach((message, at) => {
    const found = [
      ...(at === 0 ? checkBeginning(message) : checkTurnTaking(message, messages[at - 1])),
      ...checkContent(message),
      ...(message.kind === "response"
        ? checkCalls(message, messages[at + 1], idsSoFar)
        : checkAnswers(message, messages[at - 1])),
    ];
    violations.push(...found.map(([kind, problem]) => ({ kind, at, problem })));
  });
  return violations;
}

type Finding = readonly [kind: ViolationKind, problem: string];

function checkBeginning(first: Message): Finding[] {
  const prompts = first.kind === "request" ? first.parts.filter((part) => part.kind === "user-prompt") : [];
  if (prompts.some((prompt) => !isBlankContent(prompt.content))) return [];
  return [["no-beginning", "The history doesn't begin with a request that holds a user prompt."]];
}

function checkTurnTaking(message: Message, previous: Message | undefined): Finding[] {
  if (previous?.kind !== message.kind) return [];
  return [["alternation", `A ${message.kind} follows a ${message.kind}.`]];
}

function checkContent({ kind, parts }: Message): Finding[] {
  const findings: Finding[] = [];
  if (kind === "response" && !parts.some(isSubstance))
    findings.push(["empty-response", "A response has neither words nor calls."]);
  if (kind === "request" && !parts.some(isSubstance))
    findings.push(["empty-request", "A request has neither prompts nor returns."]);
  for (const part of parts) {
    if (isBlankWords(part)) findings.push(["blank-part", `A ${part.kind} part is blank.`]);
    if (isSystemPrompt(part)) findings.push(["system-part", "A system prompt is part of the history."]);
  }
  return findings;
}

function checkCalls(response: Message, next: Message | undefined, idsSoFar: Set<string>): Finding[] {
  const answers = Map.groupBy(answersIn(next), ({ toolCallId }) => toolCallId);
  return callsIn(response).flatMap(({ toolCallId, toolName }): Finding[] => {
    if (isMissing(toolCallId)) return [["empty-id", `A call of ${toolName} has no id.`]];
    const findings: Finding[] = [];
    if (idsSoFar.has(toolCallId))
      findings.push(["duplicate-id", `The id ${toolCallId} belongs to more than one call.`]);
    idsSoFar.add(toolCallId);
    const times = answers.get(toolCallId)?.length ?? 0;
    if (times === 0)
      findings.push(["unanswered-call", `The call ${toolCallId} isn't answered by the next request.`]);
    if (times > 1) findings.push(["duplicate-answer", `The call ${toolCallId} is answered ${times} times.`]);
    return findings;
  });
}

function checkAnswers(request: Message, previous: Message | undefined): Finding[] {
  const findings: Finding[] = [];
  const called = new Set(callsIn(previous).map((call) => call.toolCallId));
  for (const { toolCallId, toolName } of answersIn(request)) {
    if (isMissing(toolCallId)) findings.push(["empty-id", `An answer of ${toolName} has no id.`]);
    else if (!called.has(toolCallId))
      findings.push(["answer-without-call", `No call in the previous response has the id ${toolCallId}.`]);
  }
  const firstPrompt = request.parts.findIndex((part) => isPromptOrRemark(part));
  if (firstPrompt !== -1 && request.parts.slice(firstPrompt).some(isAnswer))
    findings.push(["answer-after-prompt", "An answer to a call follows a prompt."]);
  return findings;
}

function callsIn(message: Message | undefined): ToolCallPart[] {
  return message?.kind === "response" ? message.parts.filter((part) => part.kind === "tool-call") : [];
}

function answersIn(message: Message | undefined): AnswerPart[] {
  return message?.kind === "request" ? message.parts.filter(isAnswer) : [];
}

function isMissing(id: string | undefined): boolean {
  return id === undefined || id.trim().length === 0;
}

/** Thinking and parts of unknown kinds don't make a message valid on their own. */
function isSubstance(part: Part): boolean {
  if (part.kind === "unknown" || part.kind === "thinking") return false;
  return !isBlankWords(part);
}

function isPromptOrRemark(part: Part): boolean {
  return part.kind === "user-prompt" || (part.kind === "retry-prompt" && !isAnswer(part));
}

function isBlankWords(part: Part): boolean {
  if (part.kind === "user-prompt") return isBlankContent(part.content);
  if (part.kind === "text") return /^\s*$/.test(part.content);
  if (part.kind === "thinking")
    return /^\s*$/.test(part.content) && !part.signature && part.providerDetails === undefined;
  if (part.kind === "retry-prompt" && !isAnswer(part))
    return typeof part.content === "string" ? /^\s*$/.test(part.content) : part.content.length === 0;
  return false;
}

function isSystemPrompt(part: Part): boolean {
  return part.kind === "unknown" && isJsonObject(part.raw) && part.raw["part_kind"] === "system-prompt";
}
