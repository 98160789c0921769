// The whole session in one JSON file, in the old program's format: it can load what we write. Our additions: a
// title, and where in the journal this was taken, with a checksum over everything before it.
import { addToSum, CHECKSUM_LENGTH, checksum, formatSum } from "../base/checksum.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import type { Mask } from "../base/secrets.ts";
import { NO_WORK, type Work } from "../domain/limits.ts";
import type { Message } from "../domain/message.ts";
import type { Sequence } from "../domain/session-entry.ts";
import { historyTokens } from "../domain/tokens.ts";
import { NO_USAGE, type UsageTotals } from "../domain/usage.ts";
import type { SessionState } from "./state.ts";
import { decodeMessages, encodeMessages, type Problem } from "./wire.ts";

const VERSION = 1;
/** The end of the file; what stands before it is covered. */
const CHECKSUM_KEY = ',\n"checksum":"';
/** Between two pauses; a snapshot of a long session must not hold up the screen. */
const SLICE_MS = 8;
const PIECE_CHARACTERS = 16 * 1024;

/** Where in the journal a snapshot was taken. */
export interface SnapshotMark {
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
  readonly totalTokens: number;
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

/** Piece by piece, with pauses. Without a mark it stands for itself, as the old program's files do. */
export async function* encodeSnapshot(
  state: SessionState,
  mark: SnapshotMark | null,
  mask: Mask,
): AsyncGenerator<string> {
  const { messages, thoughts } = state.conversation;
  const head: JsonObject = {
    version: VERSION,
    session_id: state.sessionId,
    project_id: state.projectId,
    created_at: state.createdAt,
    last_modified: state.lastModified,
    working_directory: state.workingDirectory,
    current_model: state.currentModel,
    title: state.title,
    total_tokens: historyTokens(messages),
    session_total_usage: encodeUsage(state.usage.sessionTotal),
    session_total_work: { wall_ms: state.work.wallMs, tool_calls: state.work.toolCalls },
    ...state.extra,
    thoughts,
  };
  let sum = 0;
  const covered = (text: string): string => {
    sum = addToSum(sum, text);
    return text;
  };
  yield covered(`${mask(JSON.stringify(head)).slice(0, -1)},\n"messages":[`);
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
  yield covered(`${slice}\n]`);
  if (mark === null) {
    yield "}\n";
    return;
  }
  yield covered(`,\n"journal":${mask(JSON.stringify(mark)).slice(0, -1)}`);
  yield `${CHECKSUM_KEY}${formatSum(sum)}"}}\n`;
}

export type DecodedSnapshot = { ok: true; snapshot: Snapshot } | { ok: false; problem: string };

export function decodeSnapshot(bytes: Buffer): DecodedSnapshot {
  const parsed = parseJson(bytes.toString("utf8"));
  if (!parsed.ok) return parsed;
  if (!isJsonObject(parsed.value)) return { ok: false, problem: "It is not a JSON object." };
  const {
    version: _version,
    session_id,
    project_id,
    created_at,
    last_modified,
    working_directory,
    current_model,
    title,
    total_tokens,
    session_total_usage,
    session_total_work,
    thoughts,
    messages,
    journal,
    ...extra
  } = parsed.value;
  const decoded = decodeMessages(messages ?? []);
  const mark = decodeMark(journal);
  const snapshot: Snapshot = {
    sessionId: text(session_id),
    projectId: text(project_id),
    createdAt: text(created_at),
    lastModified: text(last_modified),
    workingDirectory: text(working_directory),
    currentModel: text(current_model),
    title: text(title),
    usage: decodeUsage(session_total_usage),
    work: decodeWork(session_total_work),
    thoughts: [...list(thoughts).filter((each) => typeof each === "string"), ...decoded.thoughts],
    messages: decoded.messages,
    totalTokens: typeof total_tokens === "number" ? total_tokens : 0,
    problems: decoded.problems,
    ...(mark === undefined ? {} : { mark }),
    intact: mark === undefined ? !isOurs(bytes) : isIntact(bytes, journal),
    checksum: mark === undefined ? checksum(bytes) : "",
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  return { ok: true, snapshot };
}

function decodeMark(value: JsonValue | undefined): SnapshotMark | undefined {
  if (!isJsonObject(value)) return undefined;
  const { epoch, seq, offset, sequences, prompt } = value;
  if (typeof epoch !== "number" || typeof seq !== "number" || typeof offset !== "number") return undefined;
  const numbers = list(sequences).filter((each) => typeof each === "number");
  return { epoch, seq, offset, sequences: numbers, ...(isJsonObject(prompt) ? { prompt } : {}) };
}

function isOurs(bytes: Buffer): boolean {
  return bytes.includes(CHECKSUM_KEY, Math.max(0, bytes.length - 2 * CHECKSUM_KEY.length - CHECKSUM_LENGTH));
}

function isIntact(bytes: Buffer, journal: JsonValue | undefined): boolean {
  const covered = bytes.lastIndexOf(CHECKSUM_KEY);
  if (covered === -1 || !isJsonObject(journal)) return false;
  return checksum(bytes.subarray(0, covered)) === journal["checksum"];
}

function encodeUsage({ promptTokens, completionTokens, cachedTokens, cost }: UsageTotals): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    cached_tokens: cachedTokens,
    cost,
  };
}

function decodeUsage(value: JsonValue | undefined): UsageTotals {
  if (!isJsonObject(value)) return NO_USAGE;
  return {
    promptTokens: count(value, "prompt_tokens"),
    completionTokens: count(value, "completion_tokens"),
    cachedTokens: count(value, "cached_tokens"),
    cost: count(value, "cost"),
  };
}

/** The old program doesn't count it. */
function decodeWork(value: JsonValue | undefined): Work {
  if (!isJsonObject(value)) return NO_WORK;
  return { wallMs: count(value, "wall_ms"), toolCalls: count(value, "tool_calls") };
}

function count(value: JsonObject, key: string): number {
  const given = value[key];
  return typeof given === "number" ? given : 0;
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
