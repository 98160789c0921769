// An answer that stands anywhere but at the head of the request right after its call's response is moved there.
import type { Message, Request } from "../domain/message.ts";
import { isAnswer, type RequestPart } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";
import { type PlacedAnswer, pairCalls } from "./pairing.ts";
import { addEdit, applyEdits, type Edits, type Repaired } from "./rule.ts";

export function misplacedReturns(messages: readonly Message[]): Repaired {
  const { calls, answers } = pairCalls(messages);
  const repairs: Repair[] = [];
  const responses = new Set<number>();
  for (const answer of answers) {
    if (answer.call === null || isInPlace(answer, messages)) continue;
    responses.add(answer.call.at);
    const why = `The return of the call ${answer.call.part.toolCallId} stood in the wrong place and is moved to its call.`;
    repairs.push({ kind: "misplaced-return", at: answer.at, kept: "all", why });
  }
  if (repairs.length === 0) return { messages, repairs };

  const edits: Edits = new Map();
  const moved = new Map<number, RequestPart[]>();
  for (const { at, answer } of calls) {
    if (answer === null || !responses.has(at)) continue;
    addEdit(edits, answer.at, answer.index, null);
    const ofResponse = moved.get(at);
    if (ofResponse === undefined) moved.set(at, [answer.part]);
    else ofResponse.push(answer.part);
  }
  return { messages: putBack(applyEdits(messages, edits), messages, moved), repairs };
}

function isInPlace({ at, index, call }: PlacedAnswer, messages: readonly Message[]): boolean {
  if (at !== (call?.at ?? Number.NaN) + 1) return false;
  return !messages[at]?.parts.slice(0, index).some(isPrompt);
}

/** A person's words or a remark: answers come before them. */
function isPrompt(part: Message["parts"][number]): boolean {
  return part.kind === "user-prompt" || (part.kind === "retry-prompt" && !isAnswer(part));
}

/** `stripped` is `before` without the moved answers; each response gets its own back right behind it. */
function putBack(
  stripped: readonly Message[],
  before: readonly Message[],
  moved: ReadonlyMap<number, RequestPart[]>,
): Message[] {
  const result: Message[] = [];
  for (const [at, message] of stripped.entries()) {
    const arrived = moved.get(at - 1);
    if (arrived !== undefined) {
      const request: Request = message.kind === "request" ? message : { kind: "request", parts: [] };
      result.push({ ...request, parts: [...arrived, ...request.parts] });
      if (message.kind === "request") continue;
    }
    const isEmptied = message !== before[at] && message.parts.length === 0;
    if (!isEmptied) result.push(message);
  }
  const arrived = moved.get(stripped.length - 1);
  if (arrived !== undefined) result.push({ kind: "request", parts: arrived });
  return result;
}
