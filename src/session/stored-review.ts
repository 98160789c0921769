// A review as the journal and the snapshot store it.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { Review } from "../domain/review.ts";
import { storedText } from "./stored-keys.ts";

export function encodeReview({ toolCallId, toolName, call, verdict, reason, model }: Review): JsonObject {
  return { call: toolCallId, tool: toolName, shown: call, verdict, reason, model };
}

export function decodeReview(value: JsonValue | undefined): Review | undefined {
  if (!isJsonObject(value)) return undefined;
  return {
    toolCallId: storedText(value["call"]),
    toolName: storedText(value["tool"]),
    call: storedText(value["shown"]),
    verdict: value["verdict"] === "allow" ? "allow" : "ask",
    reason: storedText(value["reason"]),
    model: storedText(value["model"]),
  };
}
