// The single source of truth for the calls of one request: what was asked, what runs, how it ended.
import { systemClock } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import type { ToolCallId } from "./ids.ts";
import { isSettled, type ToolCall, type ToolCallState } from "./tool-call.ts";

export class ToolCallRegistry {
  // A Map lists in order of registration.
  readonly #calls = new Map<ToolCallId, ToolCall>();
  readonly #now: () => number;

  /** A request passes its own times and durations; the clock is for a program that drives a registry itself. */
  constructor(now: () => number = systemClock.now) {
    this.#now = now;
  }

  /** A second register of the same id updates name and args. */
  register(toolCallId: ToolCallId, toolName: string, args: JsonObject): void {
    if (toolCallId.trim() === "") throw new Error("A tool call can't be registered without an id.");
    const known = this.#calls.get(toolCallId);
    if (known !== undefined && isSettled(known)) throw finished(known);
    const state: ToolCallState = known ?? { status: "pending" };
    this.#calls.set(toolCallId, { ...state, toolCallId, toolName, args });
  }

  start(toolCallId: ToolCallId, startedAt = this.#now()): void {
    this.#update(toolCallId, { status: "running", startedAt });
  }

  complete(toolCallId: ToolCallId, result: string, durationMs = this.#duration(toolCallId)): void {
    this.#update(toolCallId, { status: "completed", result, durationMs: durationMs ?? 0 });
  }

  fail(toolCallId: ToolCallId, error: string, durationMs = this.#duration(toolCallId)): void {
    this.#update(toolCallId, { status: "failed", error, durationMs });
  }

  cancel(toolCallId: ToolCallId, reason: string, durationMs = this.#duration(toolCallId)): void {
    this.#update(toolCallId, { status: "cancelled", reason, durationMs });
  }

  get(toolCallId: ToolCallId): ToolCall | undefined {
    return this.#calls.get(toolCallId);
  }

  getArgs(toolCallId: ToolCallId): JsonObject | undefined {
    return this.#calls.get(toolCallId)?.args;
  }

  list(): ToolCall[] {
    return [...this.#calls.values()];
  }

  latest(): ToolCall | undefined {
    return this.list().at(-1);
  }

  /** The last n calls, oldest first. */
  recent(count: number): ToolCall[] {
    return count <= 0 ? [] : this.list().slice(-count);
  }

  remove(toolCallId: ToolCallId): boolean {
    return this.#calls.delete(toolCallId);
  }

  removeMany(toolCallIds: Iterable<ToolCallId>): number {
    let removed = 0;
    for (const toolCallId of toolCallIds) if (this.remove(toolCallId)) removed++;
    return removed;
  }

  clear(): void {
    this.#calls.clear();
  }

  #update(toolCallId: ToolCallId, next: ToolCallState): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined)
      throw new Error(`No tool call with the id ${JSON.stringify(toolCallId)} is registered.`);
    if (isSettled(call)) throw finished(call);
    const { toolName, args } = call;
    this.#calls.set(toolCallId, { toolCallId, toolName, args, ...next });
  }

  #duration(toolCallId: ToolCallId): number | null {
    const call = this.#calls.get(toolCallId);
    return call?.status === "running" ? this.#now() - call.startedAt : null;
  }
}

function finished(call: ToolCall): Error {
  return new Error(
    `The tool call ${JSON.stringify(call.toolCallId)} has already ${call.status} and can't change again.`,
  );
}
