// A rule about calls and answers reads their pairing and lists the parts to rename or drop. Parts are named by index
// and not by object, because a damaged history may contain the same object twice.
import type { ToolCallId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { Part } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";
import type { NewId } from "./new-id.ts";
import type { Pairing, PlacedCall } from "./pairing.ts";

export type CallRule = (pairing: Pairing, newId: NewId) => readonly PartEdit[];

export interface PartEdit {
  /** Index of the message. */
  readonly at: number;
  /** Index of the part within it. */
  readonly index: number;
  /** Its new id; null drops the part. */
  readonly id: ToolCallId | null;
  /** Present on one edit of each group that belongs together. */
  readonly repair?: Repair;
}

/** Gives a call and its answer the same id. */
export function renamePair({ at, index, answer }: PlacedCall, id: ToolCallId, repair: Repair): PartEdit[] {
  const call: PartEdit = { at, index, id, repair };
  return answer === null ? [call] : [call, { at: answer.at, index: answer.index, id }];
}

/** A later edit of the same part wins. */
export function applyEdits(messages: readonly Message[], edits: readonly PartEdit[]): readonly Message[] {
  if (edits.length === 0) return messages;
  const edited = [...messages];
  for (const [at, ofMessage] of Map.groupBy(edits, ({ at }) => at)) {
    const message = messages[at];
    if (message === undefined) continue;
    const ids = new Map(ofMessage.map(({ index, id }) => [index, id]));
    edited[at] =
      message.kind === "request"
        ? { ...message, parts: editParts(message.parts, ids) }
        : { ...message, parts: editParts(message.parts, ids) };
  }
  return edited;
}

function editParts<P extends Part>(parts: readonly P[], ids: ReadonlyMap<number, ToolCallId | null>): P[] {
  const edited: P[] = [];
  for (const [index, part] of parts.entries()) {
    const id = ids.get(index);
    if (id === undefined) edited.push(part);
    else if (id !== null) edited.push({ ...part, toolCallId: id });
  }
  return edited;
}
