// How the rest of the program follows what a run changes on disk.
import type { ChangedBy, FileChange } from "../domain/file-change.ts";
import type { ToolCallId } from "../domain/ids.ts";

export interface ProjectFiles {
  /** The project's folder: a real, absolute path. */
  readonly root: string;
  /** Further folders that are part of the project; real paths. They may become more. */
  readonly addedFolders: () => readonly string[];
}

export interface FoundChanges {
  readonly root: string;
  readonly by: ChangedBy;
  readonly changes: readonly FileChange[];
}

export interface ChangeTracker {
  /** Makes the index in the background. Nobody has to wait for it; a second call does nothing. */
  readonly begin: () => void;
  /** What is on disk when it resolves counts as there before the call. It never rejects. */
  readonly before: (call: TrackedCall, signal: AbortSignal) => Promise<void>;
  /** The call is over: what it changed is found in the background. */
  readonly after: (call: TrackedCall) => void;
  /** What was found since the last time, in order. */
  readonly take: () => readonly FoundChanges[];
  /** Resolves when nothing is left to find. */
  readonly settled: (signal: AbortSignal) => Promise<void>;
  /** What undo would not bring back; waits for the index, but not for long. */
  readonly coverage: (signal: AbortSignal) => Promise<Coverage>;
  /** A restore changed these; they are nobody's change. */
  readonly restored: (changes: readonly FileChange[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface TrackedCall {
  readonly toolCallId: ToolCallId;
  /** Absolute paths that it may write, and no others; null: nobody knows. */
  readonly writes: readonly string[] | null;
}

export interface Uncovered {
  /** Relative to the root, or absolute. */
  readonly path: string;
  readonly why: "too large" | "no room" | "left out" | "outside" | "unreadable" | "not text" | "special";
}

export interface Coverage {
  readonly list: () => readonly Uncovered[];
  /** The first thing at or below this absolute path that undo would not bring back; null: it is all covered. */
  readonly firstUncovered: (path: string) => Uncovered | null;
}
