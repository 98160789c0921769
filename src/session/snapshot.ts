// The whole session in one JSON file, in the old program's format: it can load what we write. Our additions: a
// title, and where in the journal this was taken, with a checksum over everything before it.
import { addToSum, formatSum } from "../base/checksum.ts";
import type { JsonObject } from "../base/json.ts";
import type { Mask } from "../base/secrets.ts";
import type { Sequence } from "../domain/journal-entry.ts";
import type { Work } from "../domain/limits.ts";
import type { Message } from "../domain/message.ts";
import type { UsageTotals } from "../domain/usage.ts";
import type { SessionState } from "./state.ts";
import { encodeMessages, type Problem } from "./stored-message.ts";

const VERSION = 1;
/** Before the messages, each of which stands on a line of its own; after them; and at the end of what is covered. */
export const MESSAGES_KEY = '\n"messages":[';
export const MESSAGES_END = "\n]";
export const CHECKSUM_KEY = ',\n"checksum":"';
/** Between two pauses; a snapshot of a long session must not hold up the screen. */
const SLICE_MS = 8;
const PIECE_CHARACTERS = 16 * 1024;

/** Where in the journal a snapshot was taken. */
export interface SnapshotMark {
  /** Of the journal's records; those from before it was written down are of the first. */
  readonly format: number;
  readonly epoch: number;
  readonly seq: Sequence;
  /** Bytes of the journal that it covers. */
  readonly offset: number;
  /** The record number of each message, so that later records can refer to it. */
  readonly sequences: readonly Sequence[];
  /** A prompt that is still to be answered: the record's body. */
  readonly prompt?: JsonObject;
}

export interface Snapshot {
  readonly sessionId: string;
  readonly projectId: string;
  readonly createdAt: string;
  readonly lastModified: string;
  readonly workingDirectory: string;
  readonly currentModel: string;
  readonly title: string;
  readonly usage: UsageTotals;
  readonly work: Work;
  readonly thoughts: readonly string[];
  readonly messages: readonly Message[];
  /** What could not be read of the messages. */
  readonly problems: readonly Problem[];
  /** Absent: the old program wrote it. */
  readonly mark?: SnapshotMark;
  /** False: we wrote it, and it is no longer as it was written. */
  readonly intact: boolean;
  /** Of a file of the old program: how it is known again. */
  readonly checksum: string;
  readonly extra?: JsonObject;
}

/** Piece by piece, with pauses, during which the conversation may grow; `messages` may not. Without a mark it stands for itself, as the old program's files do. */
export async function* encodeSnapshot(
  state: SessionState,
  messages: readonly Message[],
  mark: SnapshotMark | null,
  mask: Mask,
): AsyncGenerator<string> {
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
    session_total_usage: encodeUsage(state.usage.sessionTotal),
    session_total_work: { wall_ms: state.work.wallMs, tool_calls: state.work.toolCalls },
    ...state.extra,
    thoughts: state.conversation.thoughts,
  };
  let sum = 0;
  const covered = (text: string): string => {
    sum = addToSum(sum, text);
    return text;
  };
  yield covered(`${mask(JSON.stringify(head)).slice(0, -1)},${MESSAGES_KEY}`);
  let started = performance.now();
  let slice = "";
  for (let at = 0; at < messages.length; at++) {
    const [message = null] = encodeMessages(messages.slice(at, at + 1));
    slice += `${at === 0 ? "" : ","}\n${mask(JSON.stringify(message))}`;
    if (slice.length < PIECE_CHARACTERS) continue;
    yield covered(slice);
    slice = "";
    if (performance.now() - started < SLICE_MS) continue;
    await new Promise(setImmediate);
    started = performance.now();
  }
  yield covered(`${slice}${MESSAGES_END}`);
  if (mark === null) {
    yield "}\n";
    return;
  }
  yield covered(`,\n"journal":${mask(JSON.stringify(mark)).slice(0, -1)}`);
  yield `${CHECKSUM_KEY}${formatSum(sum)}"}}\n`;
}

function encodeUsage({ promptTokens, completionTokens, cachedTokens, cost }: UsageTotals): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    cached_tokens: cachedTokens,
    cost,
  };
}
