// What dispatch needs from the outside.
import type { Clock } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import type { PausedWhile } from "../base/pausable-timer.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { Permit } from "../domain/permission.ts";
import type { Tool } from "../domain/tool.ts";

export interface DispatchPorts {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly permit: Permit;
  /**
   * Called after permission and before execution. Throwing fails the call; a UserAbortError stops the request. If it
   * returns other arguments, they are checked and decided on anew.
   */
  readonly beforeExecute?: (call: ToolCallPart) => Promise<JsonObject | undefined>;
  readonly keepAside: KeepAside;
  /** Notes what calls change on disk. */
  readonly changes?: ChangeWatch;
  readonly clock: Clock;
  /** From 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** How many calls may run at once. */
  readonly width: number;
  readonly signal: AbortSignal;
  /** Stops the request's clock while a person is asked. */
  readonly pausedWhile: PausedWhile;
  /** Aborts the request. */
  readonly stop: (reason: Error) => void;
}

export interface ChangeWatch {
  /** What is on disk when it resolves counts as there before the call. It never rejects. */
  readonly before: (call: WritingCall, signal: AbortSignal) => Promise<void>;
  /** The call is over, however it ended. */
  readonly after: (call: WritingCall) => void;
}

export interface WritingCall {
  readonly toolCallId: ToolCallId;
  /** Absolute paths that it may write, and no others; null: nobody knows. */
  readonly writes: readonly string[] | null;
}

/** Saves a whole output beside the session and returns the path. */
export type KeepAside = (toolCallId: ToolCallId, text: string) => Promise<string>;
