// Decides which answer belongs to which call in a damaged history: by id and tool, then by position. Every rule about
// calls and returns uses this pairing, so that no two rules can disagree.
import type { ToolCallId } from "../domain/ids.ts";
import type { Message, Response } from "../domain/message.ts";
import { type AnswerPart, isAnswer, type ToolCallPart } from "../domain/part.ts";

export interface PlacedCall {
  /** Index of the message. */
  readonly at: number;
  /** Index of the part within it. */
  readonly index: number;
  readonly part: ToolCallPart;
  readonly response: Response;
  answer: PlacedAnswer | null;
}

export interface PlacedAnswer {
  readonly at: number;
  readonly index: number;
  readonly part: AnswerPart;
  call: PlacedCall | null;
}

/** Calls and answers in order, each with its partner or null. */
export interface Pairing {
  readonly calls: readonly PlacedCall[];
  readonly answers: readonly PlacedAnswer[];
}

/** Covers only doubtful ids: almost every call is answered by the very next message and needs no pairing. */
export function pairDoubtful(messages: readonly Message[]): Pairing {
  const doubtful = placeParts(messages, doubtfulIds(messages));
  for (const [id, group] of groupBy(doubtful, keyOf)) pairGroup(group, id !== NO_ID);
  pairHalfKnown(doubtful);
  return doubtful;
}

/** Ids from vendors and old files may be missing, empty or blank. */
export function hasId(id: ToolCallId | undefined): boolean {
  return typeof id === "string" && id.trim() !== "";
}

const NO_ID = "";

function keyOf({ toolCallId }: ToolCallPart | AnswerPart): string {
  return hasId(toolCallId) ? toolCallId : NO_ID;
}

/** All ids except those with exactly one call and exactly one answer in the message right after it. */
function doubtfulIds(messages: readonly Message[]): ReadonlySet<string> {
  const doubtful = new Set([NO_ID]);
  const calledAt = new Map<string, number>();
  messages.forEach(({ parts }, at) => {
    for (const part of parts)
      if (part.kind === "tool-call") {
        const id = keyOf(part);
        if (calledAt.has(id)) doubtful.add(id);
        else calledAt.set(id, at);
      } else if (isAnswer(part)) {
        const id = keyOf(part);
        if (calledAt.get(id) === at - 1) calledAt.set(id, ANSWERED);
        else doubtful.add(id);
      }
  });
  for (const [id, at] of calledAt) if (at !== ANSWERED) doubtful.add(id);
  return doubtful;
}

/** Differs from every message index, and from -1, the index before the first message. */
const ANSWERED = -2;

function placeParts(messages: readonly Message[], ids: ReadonlySet<string>): Pairing {
  const calls: PlacedCall[] = [];
  const answers: PlacedAnswer[] = [];
  messages.forEach((message, at) => {
    if (message.kind === "response")
      message.parts.forEach((part, index) => {
        if (part.kind === "tool-call" && ids.has(keyOf(part)))
          calls.push({ at, index, part, response: message, answer: null });
      });
    else
      message.parts.forEach((part, index) => {
        if (isAnswer(part) && ids.has(keyOf(part))) answers.push({ at, index, part, call: null });
      });
  });
  return { calls, answers };
}

/**
 * Pairs the calls and answers of one id. Finished answers go first, so that none loses its call to a cancelled or
 * refused duplicate. Partners of the same tool are preferred.
 */
function pairGroup(group: Pairing, sharesId: boolean): void {
  for (const finished of [true, false]) {
    const { calls } = group;
    const answers = group.answers.filter(({ part }) => isFinished(part) === finished);
    for (const ofTool of groupBy({ calls, answers }, ({ toolName }) => toolName).values())
      pairByPlace(ofTool);
    // Parts without an id can be paired only by the tool's name.
    if (sharesId) pairByPlace({ calls, answers });
  }
}

/** Tries the safest strategy first. An answer stays unpaired only if no call is left for it. */
function pairByPlace(group: Pairing): void {
  for (const pairSome of [pairInPlace, pairWithFollowing, pairInOrder]) {
    const left = open(group);
    if (left.calls.length === 0 || left.answers.length === 0) return;
    pairSome(left);
  }
}

/** Pairs calls with the answers in the very next message, in order. */
function pairInPlace({ calls, answers }: Pairing): void {
  const byMessage = Map.groupBy(answers, ({ at }) => at);
  for (const [at, ofMessage] of byMessage) byMessage.set(at, copiesLast(ofMessage));
  for (const call of calls) pair(call, byMessage.get(call.at + 1)?.shift());
}

/** Starts with the latest response. Its calls take the nearest answers after it, in order. */
function pairWithFollowing({ calls, answers }: Pairing): void {
  const nearest: PlacedAnswer[] = [];
  let next = answers.length - 1;
  const responses = [...Map.groupBy(calls, ({ at }) => at)].reverse();
  for (const [at, ofResponse] of responses) {
    for (let answer = answers[next]; answer !== undefined && answer.at > at; answer = answers[--next])
      nearest.push(answer);
    for (const call of ofResponse) pair(call, nearest.pop());
  }
}

function pairInOrder({ calls, answers }: Pairing): void {
  for (const [index, call] of calls.entries()) pair(call, answers[index]);
}

/** Pairs a call and an answer of which one lost its id, but only in the very next message and with the same tool. */
function pairHalfKnown(all: Pairing): void {
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

function open({ calls, answers }: Pairing): Pairing {
  return {
    calls: calls.filter(({ answer }) => answer === null),
    answers: answers.filter(({ call }) => call === null),
  };
}

function isFinished(answer: AnswerPart): boolean {
  return answer.kind === "tool-return" && answer.status !== "cancelled";
}

/** Moves repeated answers to the end, so that a duplicate doesn't take another call's place. */
function copiesLast(answers: readonly PlacedAnswer[]): PlacedAnswer[] {
  if (answers.length === 1) return [...answers];
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

/** Only groups with calls, because answers alone can't be paired. */
function groupBy(
  { calls, answers }: Pairing,
  key: (part: ToolCallPart | AnswerPart) => string,
): Map<string, Pairing> {
  const byKey = Map.groupBy(answers, ({ part }) => key(part));
  const groups = [...Map.groupBy(calls, ({ part }) => key(part))];
  return new Map(groups.map(([name, ofName]) => [name, { calls: ofName, answers: byKey.get(name) ?? [] }]));
}
