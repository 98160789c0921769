// What a run changed on disk, as far as it takes to put it back.
import type { RequestId, RestoreId, ToolCallId } from "./ids.ts";

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
  readonly takesBack: readonly (CallKey | RestoreId)[];
  /** The conversation is as it was before this prompt, or when this restore left it; null: it stayed as it was. */
  readonly backTo: RequestId | RestoreId | null;
  /** What the model has to be told, because the files are not as the conversation has them. */
  readonly remark: string | null;
}

/** What the model has to be told with the next prompt, after a restore. What a left conversation lacked is no longer so. */
export function untoldAfter({ backTo, remark }: RestoreFacts, untold: readonly string[]): readonly string[] {
  return [...(backTo === null ? untold : []), ...(remark === null ? [] : [remark])];
}

/** A call among all that a session ever made: after going back, a model may give the id of a call once more. */
export type CallKey = `${RequestId}/${ToolCallId}`;

export const ABSENT: FileImage = { type: "absent" };
