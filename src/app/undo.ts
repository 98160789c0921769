// Taking back what a session did: the same for the app, the command line and the library.
import type { Uncovered } from "../checkpoint/tracking.ts";
import type { Content } from "../domain/content.ts";
import type { FileChange, RestoreScope } from "../domain/file-change.ts";
import type { RequestId, RestoreId, ToolCallId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";

export interface Undo {
  /** The prompts of the conversation as it is now, oldest first, with what each changed. */
  readonly turns: () => Promise<readonly PastTurn[]>;
  /** What going back would do, file by file. Changes nothing. */
  readonly plan: (request: BackRequest) => Promise<BackPlan>;
  /** Goes back. Conflicts stay as they are, but for those whose path is in `overwrite`. */
  readonly goBack: (request: BackRequest, overwrite?: readonly string[]) => Promise<WentBack>;
  /** The conversations that were left by going back, newest first. */
  readonly branches: () => Promise<readonly Branch[]>;
  /** Makes that conversation the current one; the current one becomes a branch. Files stay as they are. */
  readonly switchTo: (branch: RestoreId) => Promise<void>;
  /** As text in the unified format: what is and what was, for a file of a plan or of a turn. */
  readonly diff: (change: FileChange) => Promise<FileDiff>;
  readonly uncovered: (signal: AbortSignal) => Promise<readonly Uncovered[]>;
}

export interface PastTurn {
  /** From 1 on, as a person counts them. */
  readonly number: number;
  readonly requestId: RequestId;
  readonly prompt: Content;
  readonly at: string;
  /** One for each call that changed something, in order. */
  readonly calls: readonly { readonly toolCallId: ToolCallId; readonly changes: readonly FileChange[] }[];
  /** What somebody else changed meanwhile; it is shown and never taken back. */
  readonly others: readonly FileChange[];
  /** The sum of its calls: one change for each file. */
  readonly changes: readonly FileChange[];
  /** null where the bytes are gone, or there are too many files to count. */
  readonly lines: LineCounts | null;
  /** Its files have been taken back. */
  readonly isUndone: boolean;
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

export type BackTarget =
  /** The last turn that changed something or, for the conversation, the last turn. */
  | { readonly type: "last" }
  /** To before this prompt: this turn and all after it. */
  | { readonly type: "prompt"; readonly number: number }
  /** This turn alone; its files. */
  | { readonly type: "turn"; readonly number: number }
  /** This call alone; its files. */
  | { readonly type: "call"; readonly toolCallId: ToolCallId }
  /** The last going back itself: redo. */
  | { readonly type: "redo" };

export interface BackRequest {
  readonly target: BackTarget;
  readonly scope: RestoreScope;
}

export interface BackPlan {
  /** What would change. */
  readonly changes: readonly FileChange[];
  readonly conflicts: readonly BackConflict[];
  /** The prompt that goes back into the editor. */
  readonly prompt: Content | null;
  /** A sentence each: that git's own state stays, what was not kept. */
  readonly remarks: readonly string[];
}

export interface BackConflict {
  /** From what is there now to what would be put back. */
  readonly change: FileChange;
  /** A whole sentence. */
  readonly why: string;
  /** What is there can be kept first, so the person may choose to overwrite it. */
  readonly canOverwrite: boolean;
}

export interface WentBack extends BackPlan {
  readonly restoreId: RestoreId;
  /** The conversation from here on. */
  readonly messages: readonly Message[];
}

export interface Branch {
  readonly id: RestoreId;
  readonly leftAt: string;
  /** The first prompt that is not part of the current conversation. */
  readonly title: string;
  readonly prompts: number;
}

export type FileDiff =
  | { readonly type: "text"; readonly diff: string; readonly lines: LineCounts }
  /** binary, too large, or the bytes are gone: a sentence. */
  | { readonly type: "none"; readonly reason: string };
