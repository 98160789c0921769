// The whole session in one JSON file, in the old program's format: it can load what we write. Our additions: a
// title, and where in the journal this was taken, with a checksum over everything before it.
import { addToSum, formatSum } from "../base/checksum.ts";
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import type { Mask } from "../base/secrets.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import type { EntryOf, Sequence } from "../domain/journal-entry.ts";
import type { Work } from "../domain/limits.ts";
import type { Message } from "../domain/message.ts";
import type { Review } from "../domain/review.ts";
import type { SimplerForm } from "../domain/simpler-form.ts";
import type { UsageTotals } from "../domain/usage.ts";
import type { SessionState } from "./state.ts";
import { encodeForm } from "./stored-form.ts";
import { snakeCase, withKeys } from "./stored-keys.ts";
import { encodeMessage, type Problem } from "./stored-message.ts";
import { encodeReview } from "./stored-review.ts";

const VERSION = 1;
/** Before the messages, each of which is one line; after them; and at the end of what the checksum covers. */
export const MESSAGES_KEY = '\n"messages":[';
export const MESSAGES_END = "\n]";
export const CHECKSUM_KEY = ',\n"checksum":"';
const PIECE_CHARACTERS = 16 * 1024;

/** Where in the journal a snapshot was taken. */
export interface SnapshotCoverage {
  /** The format of the journal's records; 1 where the snapshot is from before it was written down. */
  readonly format: number;
  readonly epoch: number;
  readonly seq: Sequence;
  /** How many bytes of the journal it covers. */
  readonly offset: number;
  /** The record number of each message, so that later records can refer to it. */
  readonly sequences: readonly Sequence[];
  /** The body of the record of a prompt that has no answer yet. */
  readonly prompt?: JsonObject;
}

export interface Snapshot {
  /** Made from the snapshot; with its unknown keys. */
  readonly header: EntryOf<"header">;
  readonly lastModified: string;
  readonly title: string;
  readonly usage: UsageTotals;
  readonly work: Work;
  readonly thoughts: readonly string[];
  readonly forms: readonly SimplerForm[];
  readonly reviews: readonly Review[];
  readonly untold: readonly string[];
  readonly messages: readonly Message[];
  /** What could not be read of the messages. */
  readonly problems: readonly Problem[];
  /** Absent: the old program wrote it. */
  readonly coverage?: SnapshotCoverage;
  /** False: we wrote it, and it has changed since. */
  readonly intact: boolean;
  /** Identifies a file of the old program; "" for ours. */
  readonly checksum: string;
}

/**
 * Piece by piece, with pauses during which the conversation may grow; `messages` may not. Without a coverage the snapshot
 * stands alone, as the old program's files do.
 */
export async function* encodeSnapshot(
  state: SessionState,
  messages: readonly Message[],
  coverage: SnapshotCoverage | null,
  mask: Mask,
): AsyncGenerator<string> {
  const { promptTokens, completionTokens, cachedTokens, cost, estimated, unpriced } =
    state.usage.sessionTotal;
  const head: JsonObject = {
    version: VERSION,
    session_id: state.sessionId,
    project_id: state.projectId,
    created_at: state.createdAt,
    last_modified: state.lastModified,
    working_directory: state.workingDirectory,
    current_model: state.currentModel,
    title: state.title,
    total_tokens: state.conversation.totalTokens,
    session_total_usage: withKeys({ promptTokens, completionTokens, cachedTokens, cost }, snakeCase),
    ...(estimated || unpriced ? { session_usage_marks: defined({ estimated, unpriced }) } : {}),
    session_total_work: withKeys({ ...state.work }, snakeCase),
    ...(state.conversation.forms.length > 0 && { simpler_forms: state.conversation.forms.map(encodeForm) }),
    ...(state.reviews.length > 0 && { permission_reviews: state.reviews.map(encodeReview) }),
    ...(state.untold.length > 0 && { untold_remarks: state.untold }),
    ...state.extra,
    thoughts: state.conversation.thoughts,
  };
  let sum = 0;
  const covered = (text: string): string => {
    sum = addToSum(sum, text);
    return text;
  };
  yield covered(`${mask(JSON.stringify(head)).slice(0, -1)},${MESSAGES_KEY}`);
  const slices = createTimeSlices();
  let piece = "";
  for (const [at, message] of messages.entries()) {
    piece += `${at === 0 ? "" : ","}\n${mask(JSON.stringify(encodeMessage(message)))}`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield covered(piece);
    piece = "";
    if (slices.due()) await slices.rest();
  }
  yield covered(`${piece}${MESSAGES_END}`);
  if (coverage === null) {
    yield "}\n";
    return;
  }
  yield covered(`,\n"journal":${mask(JSON.stringify(coverage)).slice(0, -1)}`);
  yield `${CHECKSUM_KEY}${formatSum(sum)}"}}\n`;
}
