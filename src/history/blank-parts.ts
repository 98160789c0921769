// Removes parts that contain only white space, because vendors reject them.
import { isBlank } from "../base/blank.ts";
import { isBlankContent } from "../domain/content.ts";
import type { Message } from "../domain/message.ts";
import { isAnswer, type Part } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";
import { type Repaired, withoutParts } from "./rule.ts";

export function blankParts(messages: readonly Message[]): Repaired {
  const repairs: Repair[] = [];
  const cleaned = messages.map((message, at) => {
    const rest = withoutParts(message, isBlankPart);
    const why = `A blank part of a ${message.kind} is removed.`;
    if (rest !== message) repairs.push({ kind: "blank-part", at, kept: "all", why });
    return rest;
  });
  return { messages: cleaned, repairs };
}

/** False for a blank answer, because its call needs one, and for thinking that only its vendor can read. */
export function isBlankPart(part: Part): boolean {
  switch (part.kind) {
    case "user-prompt":
      return isBlankContent(part.content);
    case "text":
      return isBlank(part.content);
    case "thinking":
      return !part.signature && part.providerDetails === undefined && isBlank(part.content);
    case "retry-prompt":
      if (isAnswer(part)) return false;
      return typeof part.content === "string" ? isBlank(part.content) : part.content.length === 0;
    case "tool-call":
    case "tool-return":
    case "unknown":
      return false;
  }
}
