// What a rule of the history is, and the one way rules change parts: a message that loses or gains nothing stays
// the same object, because the journal writes only objects it has not seen.
import type { ToolCallId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { Part } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";

/** Pure. Nothing to do: the same array and no repairs. */
export type Rule = (messages: readonly Message[]) => Repaired;

export interface Repaired {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
}

export function applyRules(history: Repaired, rules: readonly Rule[]): Repaired {
  return rules.reduce((before, rule) => {
    const { messages, repairs } = rule(before.messages);
    return { messages, repairs: repairs.length === 0 ? before.repairs : [...before.repairs, ...repairs] };
  }, history);
}

/**
 * Changes to calls and answers by message and part index: a new id, or null to drop the part. By place and not by
 * object, because a damaged history may hold the same object twice.
 */
export type Edits = Map<number, Map<number, ToolCallId | null>>;

export function addEdit(edits: Edits, at: number, index: number, id: ToolCallId | null): void {
  const ofMessage = edits.get(at);
  if (ofMessage === undefined) edits.set(at, new Map([[index, id]]));
  else ofMessage.set(index, id);
}

export function applyEdits(messages: readonly Message[], edits: Edits): readonly Message[] {
  if (edits.size === 0) return messages;
  return messages.map((message, at) => {
    const ofMessage = edits.get(at);
    if (ofMessage === undefined) return message;
    return message.kind === "request"
      ? { ...message, parts: editParts(message.parts, ofMessage) }
      : { ...message, parts: editParts(message.parts, ofMessage) };
  });
}

export function withoutParts(message: Message, drop: (part: Part) => boolean): Message {
  if (!message.parts.some(drop)) return message;
  return message.kind === "request"
    ? { ...message, parts: message.parts.filter((part) => !drop(part)) }
    : { ...message, parts: message.parts.filter((part) => !drop(part)) };
}

function editParts<P extends Part>(parts: readonly P[], edits: ReadonlyMap<number, ToolCallId | null>): P[] {
  const edited: P[] = [];
  for (const [index, part] of parts.entries()) {
    const id = edits.get(index);
    if (id === undefined) edited.push(part);
    else if (id !== null) edited.push({ ...part, toolCallId: id });
  }
  return edited;
}
