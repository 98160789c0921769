// Strips what must not be kept in a history: system prompts, because every call sends the current one, and the run ids
// of an old program.
import { isJsonObject } from "../base/json.ts";
import type { Message } from "../domain/message.ts";
import type { Part } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";
import { type Repaired, withoutParts } from "./rule.ts";

const SYSTEM_PART =
  "A system prompt was part of the history and is removed; the current one goes with every call.";

export function sanitize(messages: readonly Message[]): Repaired {
  const firstRunId = messages.findIndex(({ runId }) => runId !== undefined);
  const repairs: Repair[] = [];
  const sanitized = messages.map((message, at) => {
    const rest = withoutParts(message, isSystemPrompt);
    if (rest !== message) repairs.push({ kind: "system-part", at, kept: "nothing", why: SYSTEM_PART });
    return withoutRunId(rest);
  });
  if (firstRunId !== -1) {
    const why = "The run ids that another program left in the history are cleared.";
    repairs.push({ kind: "run-id", at: firstRunId, kept: "all", why });
  }
  return { messages: sanitized, repairs };
}

function isSystemPrompt(part: Part): boolean {
  return part.kind === "unknown" && isJsonObject(part.raw) && part.raw["part_kind"] === "system-prompt";
}

function withoutRunId(message: Message): Message {
  if (message.runId === undefined) return message;
  const { runId: _, ...rest } = message;
  return rest;
}
