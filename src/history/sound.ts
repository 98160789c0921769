// Checks in one pass whether anything has to be cleaned up. Almost every history is sound.
import { hasUserPrompt, type Message, type Request, type Response } from "../domain/message.ts";
import { isAnswer } from "../domain/part.ts";
import { isBlankPart } from "./blank-parts.ts";
import { isEmpty } from "./empty-messages.ts";
import { hasId } from "./pairing.ts";

interface Calls {
  readonly used: Set<string>;
  /** The last response's calls that have no answer yet. */
  readonly open: Set<string>;
}

export function isSound(messages: readonly Message[]): boolean {
  const calls: Calls = { used: new Set(), open: new Set() };
  return messages.every((message, at) => isSoundNext(message, at, calls)) && calls.open.size === 0;
}

function isSoundNext(message: Message, at: number, { used, open }: Calls): boolean {
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
