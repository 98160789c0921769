// Which answer belongs to which call, whatever the damage: by id and tool, then by where they stand. Every rule
// about calls and returns asks here, so that they can't disagree.
import type { ToolCallId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import { type AnswerPart, isAnswer, type ToolCallPart } from "../domain/part.ts";

export interface PlacedCall {
  /** Index of the message. */
  readonly at: number;
  /** Index of the part within it. */
  readonly index: number;
  readonly part: ToolCallPart;
  answer: PlacedAnswer | null;
}

export interface PlacedAnswer {
  readonly at: number;
  readonly index: number;
  readonly part: AnswerPart;
  call: PlacedCall | null;
}

interface Group {
  readonly calls: readonly PlacedCall[];
  readonly answers: readonly PlacedAnswer[];
}

/** Every call and every answer in their order, each with its partner or null. */
export function pairCalls(messages: readonly Message[]): Group {
  const all = placeParts(messages);
  for (const [id, group] of groupBy(all, ({ part }) => (hasId(part.toolCallId) ? part.toolCallId : "")))
    pairGroup(group, id !== "");
  pairHalfKnown(all);
  return all;
}

/** Vendors and old files leave ids out, empty or blank. */
export function hasId(id: ToolCallId | undefined): boolean {
  return typeof id === "string" && id.trim() !== "";
}

function placeParts(messages: readonly Message[]): Group {
  const calls: PlacedCall[] = [];
  const answers: PlacedAnswer[] = [];
  for (const [at, message] of messages.entries())
    for (const [index, part] of message.parts.entries())
      if (part.kind === "tool-call") calls.push({ at, index, part, answer: null });
      else if (isAnswer(part)) answers.push({ at, index, part, call: null });
  return { calls, answers };
}

/**
 * Calls and answers of one id. Finished work is paired before anything else, so that it can't lose its place to a
 * cancelled or refused duplicate; the same tool before another.
 */
function pairGroup(group: Group, sharesId: boolean): void {
  const [call, secondCall] = group.calls;
  const [answer, secondAnswer] = group.answers;
  if (call === undefined || answer === undefined) return;
  if (sharesId && secondCall === undefined && secondAnswer === undefined) {
    pair(call, answer);
    return;
  }
  for (const finished of [true, false]) {
    const { calls } = group;
    const answers = group.answers.filter(({ part }) => isFinished(part) === finished);
    for (const ofTool of groupBy({ calls, answers }, ({ part }) => part.toolName).values())
      pairByPlace(ofTool);
    // Without an id, the tool's name is all there is to go by.
    if (sharesId) pairByPlace({ calls, answers });
  }
}

/** From the surest to the boldest: an answer is only lost where no call is left for it. */
function pairByPlace(group: Group): void {
  pairInPlace(open(group));
  pairWithFollowing(open(group));
  const { calls, answers } = open(group);
  for (const [index, call] of calls.entries()) pair(call, answers[index]);
}

/** The request right after the response, in order. */
function pairInPlace({ calls, answers }: Group): void {
  const byMessage = Map.groupBy(answers, ({ at }) => at);
  for (const [at, ofMessage] of byMessage) byMessage.set(at, copiesLast(ofMessage));
  for (const call of calls) pair(call, byMessage.get(call.at + 1)?.shift());
}

/** The latest calls first, each taking the nearest answers after it; within one response in order. */
function pairWithFollowing({ calls, answers }: Group): void {
  const nearest: PlacedAnswer[] = [];
  let next = answers.length - 1;
  const responses = [...Map.groupBy(calls, ({ at }) => at)].reverse();
  for (const [at, ofResponse] of responses) {
    for (let answer = answers[next]; answer !== undefined && answer.at > at; answer = answers[--next])
      nearest.push(answer);
    for (const call of ofResponse) pair(call, nearest.pop());
  }
}

/** One of the two lost its id: only the request right after, only the same tool. */
function pairHalfKnown(all: Group): void {
  const { calls, answers } = open(all);
  if (calls.length === 0 || answers.length === 0) return;
  const byMessage = Map.groupBy(answers, ({ at }) => at);
  for (const call of calls) {
    const fits = ({ part, call: taken }: PlacedAnswer) =>
      taken === null &&
      !(hasId(part.toolCallId) && hasId(call.part.toolCallId)) &&
      (part.toolName === call.part.toolName || part.toolName === "");
    pair(call, byMessage.get(call.at + 1)?.find(fits));
  }
}

function pair(call: PlacedCall, answer: PlacedAnswer | undefined): void {
  if (answer === undefined) return;
  call.answer = answer;
  answer.call = call;
}

function open({ calls, answers }: Group): Group {
  return {
    calls: calls.filter(({ answer }) => answer === null),
    answers: answers.filter(({ call }) => call === null),
  };
}

function isFinished(answer: AnswerPart): boolean {
  return answer.kind === "tool-return" && answer.status !== "cancelled";
}

/** A return written twice must not take the place of another call's return. */
function copiesLast(answers: readonly PlacedAnswer[]): PlacedAnswer[] {
  const seen = new Set<string>();
  const originals: PlacedAnswer[] = [];
  const copies: PlacedAnswer[] = [];
  for (const answer of answers) {
    const content = JSON.stringify(answer.part.content);
    (seen.has(content) ? copies : originals).push(answer);
    seen.add(content);
  }
  return [...originals, ...copies];
}

function groupBy({ calls, answers }: Group, key: (placed: PlacedCall | PlacedAnswer) => string) {
  const groups = new Map<string, { calls: PlacedCall[]; answers: PlacedAnswer[] }>();
  const groupOf = (placed: PlacedCall | PlacedAnswer) => {
    const known = groups.get(key(placed));
    if (known !== undefined) return known;
    const group = { calls: [], answers: [] };
    groups.set(key(placed), group);
    return group;
  };
  for (const call of calls) groupOf(call).calls.push(call);
  for (const answer of answers) groupOf(answer).answers.push(answer);
  return groups;
}
