// Reads a snapshot, ours or the old program's.

import { CHECKSUM_LENGTH, checksum } from "../base/checksum.ts";
import { defined } from "../base/defined.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { NO_WORK, type Work } from "../domain/limits.ts";
import { NO_USAGE, type UsageTotals } from "../domain/usage.ts";
import { CHECKSUM_KEY, type Snapshot, type SnapshotMark } from "./snapshot.ts";
import { takeApart } from "./snapshot-pieces.ts";
import { type DecodedMessages, decodeEach, decodeMessages } from "./stored-message.ts";

export type DecodedSnapshot = { ok: true; snapshot: Snapshot } | { ok: false; problem: string };

export function decodeSnapshot(bytes: Buffer): DecodedSnapshot {
  const inPieces = decodePieces(bytes);
  if (inPieces !== undefined) return { ok: true, snapshot: inPieces };
  const parsed = parseJson(bytes.toString("utf8"));
  if (!parsed.ok) return parsed;
  if (!isJsonObject(parsed.value)) return { ok: false, problem: "It is not a JSON object." };
  const { messages, ...rest } = parsed.value;
  const intact = (journal: JsonValue | undefined) =>
    decodeMark(journal) === undefined ? !isOurs(bytes) : isIntact(bytes, journal);
  const snapshot = snapshotOf(rest, decodeMessages(messages ?? []), intact(rest["journal"]));
  return {
    ok: true,
    snapshot: snapshot.mark === undefined ? { ...snapshot, checksum: checksum(bytes) } : snapshot,
  };
}

/** The short way, for what we wrote and nobody changed. */
function decodePieces(bytes: Buffer): Snapshot | undefined {
  const pieces = takeApart(bytes);
  if (pieces === undefined) return undefined;
  try {
    const snapshot = snapshotOf(pieces.rest, decodeEach(pieces.messages), true);
    return snapshot.mark === undefined ? undefined : snapshot;
  } catch (error) {
    // The other way says what is wrong with it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function snapshotOf(rest: JsonObject, decoded: DecodedMessages, intact: boolean): Snapshot {
  const {
    version: _version,
    session_id,
    project_id,
    created_at,
    last_modified,
    working_directory,
    current_model,
    title,
    total_tokens: _counted,
    session_total_usage,
    session_total_work,
    thoughts,
    journal,
    ...extra
  } = rest;
  const mark = decodeMark(journal);
  return {
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
    problems: decoded.problems,
    ...defined({ mark }),
    intact,
    checksum: "",
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function decodeMark(value: JsonValue | undefined): SnapshotMark | undefined {
  if (!isJsonObject(value)) return undefined;
  const { format = 1, epoch, seq, offset, sequences, prompt } = value;
  if (typeof epoch !== "number" || typeof seq !== "number" || typeof offset !== "number") return undefined;
  if (typeof format !== "number") return undefined;
  const numbers = list(sequences).filter((each) => typeof each === "number");
  return { format, epoch, seq, offset, sequences: numbers, ...(isJsonObject(prompt) ? { prompt } : {}) };
}

function isOurs(bytes: Buffer): boolean {
  return bytes.includes(CHECKSUM_KEY, Math.max(0, bytes.length - 2 * CHECKSUM_KEY.length - CHECKSUM_LENGTH));
}

function isIntact(bytes: Buffer, journal: JsonValue | undefined): boolean {
  const covered = bytes.lastIndexOf(CHECKSUM_KEY);
  if (covered === -1 || !isJsonObject(journal)) return false;
  return checksum(bytes.subarray(0, covered)) === journal["checksum"];
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
