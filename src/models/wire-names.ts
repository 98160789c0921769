// Makes call ids and tool names fit for a wire. Deterministic, so that a call and its return keep the same id and the
// bytes of a history don't change from one request to the next.
import { sha256Bytes } from "../base/digest.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { Dialect } from "./dialect.ts";

/** Short enough for the strictest vendor (nine letters and digits), long enough not to collide in a history. */
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const SHORT_ID_LENGTH = 9;
const LONG_ID_LENGTH = 24;

export function wireCallId(id: ToolCallId, { callId }: Dialect): string {
  if (callId.test(id)) return id;
  const long = `call_${lettersOf(id, LONG_ID_LENGTH)}`;
  return callId.test(long) ? long : lettersOf(id, SHORT_ID_LENGTH);
}

/** A model may call a tool by a name that no wire accepts. The history keeps that name; the wire gets another. */
export function wireToolName(name: string, { toolName }: Dialect): string {
  if (toolName.test(name)) return name;
  const plain = `_${name.replace(/[^a-zA-Z0-9_-]/g, "_")}`.slice(0, 64);
  return plain === "_" ? "unknown" : plain;
}

function lettersOf(text: string, length: number): string {
  const digest = sha256Bytes(text);
  return Array.from({ length }, (_, index) => LETTERS[(digest[index] ?? 0) % LETTERS.length]).join("");
}
