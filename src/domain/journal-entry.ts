// What a session's journal remembers, one entry a record. Entries refer to others by sequence number, never
// by "the one before", so that a damaged record costs itself and nothing else.
import type { JsonObject } from "../base/json.ts";
import type { Content } from "./content.ts";
import type { ChangedBy, FileChange, RestoreFacts } from "./file-change.ts";
import type { ModelName, RequestId, SessionId, ToolCallId } from "./ids.ts";
import type { Work } from "./limits.ts";
import type { Message } from "./message.ts";
import type { ReturnStatus, ToolReturnPart } from "./part.ts";
import type { Repair } from "./repair.ts";
import type { Review } from "./review.ts";
import type { SimplerForm } from "./simpler-form.ts";
import type { UsageTotals } from "./usage.ts";

/** The position of a record in its journal, from 1 on, without gaps and never reused. */
export type Sequence = number;

export type JournalEntry =
  /** The first record of a journal. */
  | {
      readonly kind: "header";
      readonly version: number;
      readonly sessionId: SessionId;
      readonly projectId: string;
      readonly workingDirectory: string;
      readonly createdAt: string;
      readonly model: ModelName;
      /** Checksum of the snapshot file this journal was begun from. */
      readonly imported?: string;
      readonly forkedFrom?: SessionId;
      /** Keys of the snapshot that we don't know; written back. */
      readonly extra?: JsonObject;
    }
  /** A writer holds the session from here on: the first record of its epoch. */
  | { readonly kind: "opened"; readonly at: string }
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "model"; readonly name: ModelName }
  /** A prompt, before anything is sent; `index` is the length of the history. */
  | {
      readonly kind: "prompt";
      readonly index: number;
      readonly requestId: RequestId;
      readonly content: Content;
      readonly at: string;
    }
  /** A message joins the history. `index` is the length it had, so that a reader sees how many are missing. */
  | { readonly kind: "message"; readonly index: number; readonly message: Message }
  /** A message that a rewrite puts in its place; on its own it is in no history. */
  | { readonly kind: "replacement"; readonly message: Message }
  /** Text of a running stream from `offset` on; superseded by its message. */
  | { readonly kind: "partial"; readonly offset: number; readonly text: string }
  | { readonly kind: "started"; readonly toolCallId: ToolCallId; readonly toolName: string }
  | {
      readonly kind: "settled";
      readonly result: ToolReturnPart;
      readonly status: ReturnStatus;
      readonly durationMs: number | null;
    }
  | { readonly kind: "thought"; readonly text: string }
  /** byTool: for a subagent, a summary or a review, not for a call of the conversation itself. */
  | { readonly kind: "usage"; readonly call: UsageTotals; readonly byTool?: boolean }
  | (Rewrite & { readonly kind: "repair"; readonly repairs: readonly Repair[] })
  | (Rewrite & {
      readonly kind: "compaction";
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly summary: string | null;
    })
  /** From here on a vendor gets the conversation in a simpler form. */
  | { readonly kind: "form"; readonly form: SimplerForm }
  /** In the mode auto a model answered in the person's place. */
  | { readonly kind: "review"; readonly review: Review }
  /** What was changed on disk; large changes are spread over several of these. */
  | {
      readonly kind: "files";
      readonly requestId: RequestId;
      readonly by: ChangedBy;
      readonly changes: readonly FileChange[];
      readonly root?: string;
    }
  /** A person takes files back now. Counts only if its restore follows, or if a killed process had begun with it. */
  | { readonly kind: "restoring"; readonly restore: RestoreFacts }
  /** A person took something back: the history from here on. The files that this changed are in entries before it. */
  | (Rewrite & { readonly kind: "restore"; readonly restore: RestoreFacts })
  /** What a recovery closed after a crash, in sentences. */
  | (Rewrite & {
      readonly kind: "interrupted";
      readonly why: readonly string[];
      /** Written by an earlier version: the last prompt is not part of the history. */
      readonly unsent?: boolean;
    })
  /** A request is over; `index` is the length of the history. */
  | {
      readonly kind: "end";
      readonly index: number;
      readonly outcome: string;
      readonly at: string;
      readonly problem?: string;
      readonly work?: Work;
    };

/** The whole history, as the messages it is made of. */
export interface Rewrite {
  readonly history: readonly SequenceRange[];
  readonly count: number;
  /** How many replacement records directly precede this one. */
  readonly replacements: number;
}

/** The known messages whose records lie in this range, both ends included. */
export type SequenceRange = readonly [from: Sequence, to: Sequence];

export type EntryOf<Kind extends JournalEntry["kind"]> = Extract<JournalEntry, { kind: Kind }>;
