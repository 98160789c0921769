// What a run changed on disk, as far as it takes to put it back.
import type { RestoreId, ToolCallId } from "./ids.ts";

/** What was at a path at some moment. */
export type FileImage =
  | { readonly type: "absent" }
  /** content null: the bytes are not known, so this can't be put back. */
  | {
      readonly type: "file";
      readonly content: ContentId | null;
      readonly mode: number;
      readonly size: number;
    }
  | { readonly type: "link"; readonly target: string }
  | { readonly type: "folder"; readonly mode: number }
  /** A socket, a FIFO or a device, which nobody can put back. */
  | { readonly type: "special" };

/** Names bytes: `sha256:HEX` may be in our own store, `git:HEX` is a blob of the repository that the file belongs to. */
export type ContentId = `sha256:${string}` | `git:${string}`;

export interface FileChange {
  /** Relative to the project's root; absolute in a folder that was added to the project. */
  readonly path: string;
  readonly before: FileImage;
  readonly after: FileImage;
}

/** Who changed something, as far as can be known. */
export type ChangedBy =
  | { readonly type: "call"; readonly toolCallId: ToolCallId }
  /** Somebody else, before a call began or after it had ended. Never taken back. */
  | { readonly type: "other" }
  | { readonly type: "restore"; readonly restoreId: RestoreId };

/** What a person takes back. */
export type RestoreScope = "both" | "files" | "conversation";

/** A person took changes back, or the taking back itself. */
export interface RestoreFacts {
  readonly restoreId: RestoreId;
  readonly at: string;
  readonly scope: RestoreScope;
  /** The calls and restores whose changes it took back. */
  readonly takesBack: readonly (ToolCallId | RestoreId)[];
}

export const ABSENT: FileImage = { type: "absent" };
