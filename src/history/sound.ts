// Checks in one pass whether anything has to be cleaned up. Almost every history is sound.
import { type Fold, foldAll } from "../base/remembered-fold.ts";
import { hasUserPrompt, type Message, type Request, type Response } from "../domain/message.ts";
import { isAnswer } from "../domain/part.ts";
import { isBlankPart } from "./blank-parts.ts";
import { isEmpty } from "./empty-messages.ts";
import { hasId } from "./pairing.ts";

export interface Soundness {
  /** False once something has to be repaired, regardless of what follows. */
  isSound: boolean;
  readonly used: Set<string>;
  /** The last response's calls that have no answer yet. */
  readonly open: Set<string>;
}

export function isSound(messages: readonly Message[]): boolean {
  return isSoundSoFar(foldAll(messages, SOUNDNESS));
}

export function isSoundSoFar({ isSound, open }: Soundness): boolean {
  return isSound && open.size === 0;
}

export const SOUNDNESS: Fold<Message, Soundness> = {
  start: () => ({ isSound: true, used: new Set(), open: new Set() }),
  step: (soundness, message, at) => {
    soundness.isSound &&= isSoundNext(message, at, soundness);
    return soundness;
  },
};

function isSoundNext(message: Message, at: number, { used, open }: Soundness): boolean {
  if (at === 0 && !hasUserPrompt(message)) return false;
  if (isEmpty(message) || message.parts.some(isBlankPart)) return false;
  if ((message.kind === "request") !== (at % 2 === 0)) return false;
  return message.kind === "response" ? openCalls(message, used, open) : closeCalls(message, open);
}

/** False if an id is missing or was used before. */
function openCalls(response: Response, used: Set<string>, open: Set<string>): boolean {
  for (const part of response.parts) {
    if (part.kind !== "tool-call") continue;
    if (!hasId(part.toolCallId) || used.has(part.toolCallId)) return false;
    used.add(part.toolCallId);
    open.add(part.toolCallId);
  }
  return true;
}

/** False if a call has no answer, or an answer has no call, is repeated or follows a prompt. */
function closeCalls(request: Request, open: Set<string>): boolean {
  let prompted = false;
  for (const part of request.parts) {
    if (!isAnswer(part)) prompted ||= part.kind !== "unknown";
    else if (prompted || !open.delete(part.toolCallId)) return false;
  }
  return open.size === 0;
}
