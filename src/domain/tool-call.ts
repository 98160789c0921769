// One tool call's life: pending -> running -> completed | failed | cancelled. A result can't exist before completion.
import type { JsonObject } from "../base/json.ts";
import type { ToolCallId } from "./ids.ts";

interface Identity {
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly args: JsonObject;
}

export type ToolCall = Identity & ToolCallState;

export type ToolCallState =
  | { readonly status: "pending" }
  | { readonly status: "running"; readonly startedAt: number }
  | { readonly status: "completed"; readonly result: string; readonly durationMs: number }
  | { readonly status: "failed"; readonly error: string; readonly durationMs: number | null }
  | { readonly status: "cancelled"; readonly reason: string; readonly durationMs: number | null };

export function isSettled(call: ToolCall): boolean {
  return call.status !== "pending" && call.status !== "running";
}
