// Turns calls and answers into pairs: every call has one answer, every answer has its call, every pair a unique id.
// All four rules read the same pairing, so that none can undo another's decision. Parts are named by index and not by
// object, because a damaged history may contain the same object twice.
import type { ToolCallId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { Part } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";
import { type NewId, newIds } from "./new-id.ts";
import { hasId, type Pairing, type PlacedAnswer, type PlacedCall, pairDoubtful } from "./pairing.ts";
import type { Repaired } from "./rule.ts";

interface PartEdit {
  /** Index of the message. */
  readonly at: number;
  /** Index of the part within it. */
  readonly index: number;
  /** Its new id; null drops the part. */
  readonly id: ToolCallId | null;
  /** Present on one edit of each group that belongs together. */
  readonly repair?: Repair;
}

const RULES: readonly ((pairing: Pairing, newId: NewId) => readonly PartEdit[])[] = [
  missingIds,
  danglingCalls,
  orphanReturns,
  duplicateIds,
];

export function settleCalls(messages: readonly Message[]): Repaired {
  const pairing = pairDoubtful(messages);
  const newId = newIds(messages);
  const edits = RULES.flatMap((rule) => rule(pairing, newId));
  return { messages: applyEdits(messages, edits), repairs: edits.flatMap(({ repair }) => repair ?? []) };
}

/** Gives an id to a call or an answer without one, and to its partner, so that no finished work is lost. */
function missingIds({ calls }: Pairing, newId: NewId): PartEdit[] {
  return calls.filter(lacksId).flatMap((call) => {
    const { toolCallId, toolName } = call.part;
    const id = hasId(toolCallId) ? toolCallId : newId("call", 1);
    const why = `A call of ${toolName} or its return had no id; both now have the id ${id}.`;
    return renamePair(call, id, { kind: "missing-id", at: call.at, kept: "all", why });
  });
}

/** False for a call without an answer: it is removed and needs no id. */
function lacksId({ part, answer }: PlacedCall): boolean {
  return answer !== null && !(hasId(part.toolCallId) && hasId(answer.part.toolCallId));
}

/**
 * Removes calls without an answer, along with the thinking that led only to them: vendors reject a response that ends
 * in thinking.
 */
function danglingCalls({ calls }: Pairing): PartEdit[] {
  const dangling = calls.filter(({ answer }) => answer === null);
  const byResponse = [...Map.groupBy(dangling, ({ at }) => at).values()];
  return [...dangling.map(removeCall), ...byResponse.flatMap(removeThinking)];
}

function removeCall({ at, index, part: { toolName } }: PlacedCall): PartEdit {
  const why = `A call of ${toolName} was never answered and is removed.`;
  return { at, index, id: null, repair: { kind: "dangling-call", at, kept: "nothing", why } };
}

/** Removes thinking before the last dangling call of a response, unless a kept part follows it. */
function removeThinking(dangling: readonly PlacedCall[]): PartEdit[] {
  const last = dangling.at(-1);
  if (last === undefined) return [];
  const { at, response } = last;
  const removed = new Set(dangling.map(({ index }) => index));
  const lastKept = response.parts.findLastIndex(
    ({ kind }, index) => kind !== "thinking" && !removed.has(index),
  );
  return response.parts.flatMap(({ kind }, index) =>
    kind === "thinking" && index > lastKept && index < last.index ? [{ at, index, id: null }] : [],
  );
}

/** Removes answers to calls that don't exist or are already answered. */
function orphanReturns({ calls, answers }: Pairing): PartEdit[] {
  const called = new Set(calls.map(({ part }) => part.toolCallId).filter(hasId));
  return answers
    .filter(({ call }) => call === null)
    .map((orphan) => {
      const repair = called.has(orphan.part.toolCallId) ? duplicate(orphan) : withoutCall(orphan);
      return { at: orphan.at, index: orphan.index, id: null, repair };
    });
}

function duplicate({ at, part: { toolCallId } }: PlacedAnswer): Repair {
  const why = `The call ${toolCallId} was answered more than once; the first finished answer is kept.`;
  return { kind: "duplicate-return", at, kept: "some", why };
}

function withoutCall({ at, part: { toolName } }: PlacedAnswer): Repair {
  const why = `A return of ${toolName} belongs to no call and is removed.`;
  return { kind: "orphan-return", at, kept: "nothing", why };
}

/**
 * Renames a call whose id was used before, together with its answer. Skips calls without an answer, which are removed,
 * and calls without an id, which get a new one.
 */
function duplicateIds({ calls }: Pairing, newId: NewId): PartEdit[] {
  const seen = new Set<ToolCallId>();
  return calls.flatMap((call) => {
    const { toolCallId } = call.part;
    if (call.answer === null || !hasId(toolCallId)) return [];
    if (!seen.has(toolCallId)) {
      seen.add(toolCallId);
      return [];
    }
    const id = newId(toolCallId, 2);
    const why = `The id ${toolCallId} was used by more than one call; this one is now ${id}.`;
    return renamePair(call, id, { kind: "duplicate-id", at: call.at, kept: "all", why });
  });
}

/** Gives a call and its answer the same id. */
function renamePair({ at, index, answer }: PlacedCall, id: ToolCallId, repair: Repair): PartEdit[] {
  const call: PartEdit = { at, index, id, repair };
  return answer === null ? [call] : [call, { at: answer.at, index: answer.index, id }];
}

/** A later edit of the same part wins. */
function applyEdits(messages: readonly Message[], edits: readonly PartEdit[]): readonly Message[] {
  const byMessage = Map.groupBy(edits, ({ at }) => at);
  return messages.map((message, at) => {
    const edited = byMessage.get(at);
    if (edited === undefined) return message;
    const ids = new Map(edited.map(({ index, id }) => [index, id]));
    return message.kind === "request"
      ? { ...message, parts: editParts(message.parts, ids) }
      : { ...message, parts: editParts(message.parts, ids) };
  });
}

function editParts<P extends Part>(parts: readonly P[], ids: ReadonlyMap<number, ToolCallId | null>): P[] {
  return parts.flatMap((part, index) => {
    const id = ids.get(index);
    if (id === undefined) return [part];
    return id === null ? [] : [{ ...part, toolCallId: id }];
  });
}
