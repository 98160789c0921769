// Reads a snapshot, ours or the old program's. One of ours that is as it was written is taken apart at its lines, each
// of which holds a message. A long session takes half the memory that way: neither its whole text nor its whole tree is
// ever in memory, and a character beyond Latin-1 doubles only the text around it.
import { CHECKSUM_LENGTH, checksum } from "../base/checksum.ts";
import { defined } from "../base/defined.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { NO_WORK } from "../domain/limits.ts";
import { NO_USAGE, type UsageMarks } from "../domain/usage.ts";
import {
  CHECKSUM_KEY,
  MESSAGES_END,
  MESSAGES_KEY,
  type Snapshot,
  type SnapshotCoverage,
} from "./snapshot.ts";
import { decodeForm } from "./stored-form.ts";
import { isNumber, isString, snakeCase, storedList, storedText } from "./stored-keys.ts";
import { type DecodedMessages, decodeEach, decodeMessages } from "./stored-message.ts";
import { decodeReview } from "./stored-review.ts";

type DecodedSnapshot = { ok: true; snapshot: Snapshot } | { ok: false; problem: string };

interface SnapshotPieces {
  /** All keys but the messages. */
  readonly rest: JsonObject;
  /** Parsed as they are asked for. Throws a SyntaxError where a line isn't JSON. */
  readonly messages: Iterable<JsonValue>;
}

/** At least this many bytes are read at a time: a call for each line would cost more than it saves. */
const PIECE = 64 * 1024;
const NEWLINE = 10;
const COMMA = ",".length;

export function decodeSnapshot(bytes: Buffer): DecodedSnapshot {
  const inPieces = decodePieces(bytes);
  if (inPieces !== undefined) return { ok: true, snapshot: inPieces };
  const parsed = parseJson(bytes.toString("utf8"));
  if (!parsed.ok) return parsed;
  if (!isJsonObject(parsed.value)) return { ok: false, problem: "It is not a JSON object." };
  const { messages, ...rest } = parsed.value;
  const snapshot = snapshotOf(rest, decodeMessages(messages ?? []));
  if (snapshot.coverage !== undefined || bytes.includes(CHECKSUM_KEY))
    return { ok: true, snapshot: { ...snapshot, intact: isAsWritten(bytes) } };
  return { ok: true, snapshot: { ...snapshot, checksum: checksum(bytes) } };
}

function decodePieces(bytes: Buffer): Snapshot | undefined {
  const pieces = takeApart(bytes);
  if (pieces === undefined) return undefined;
  try {
    const snapshot = snapshotOf(pieces.rest, decodeEach(pieces.messages));
    return snapshot.coverage === undefined ? undefined : snapshot;
  } catch (error) {
    // Parsing it whole says what is wrong with it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Undefined: not ours, or changed since it was written. */
export function takeApart(bytes: Buffer): SnapshotPieces | undefined {
  if (!isAsWritten(bytes)) return undefined;
  const key = bytes.indexOf(MESSAGES_KEY);
  const end = bytes.lastIndexOf(MESSAGES_END, bytes.lastIndexOf(CHECKSUM_KEY));
  if (key === -1 || end < key) return undefined;
  const before = bytes.toString("utf8", 0, key);
  const rest = parseJson(before + bytes.toString("utf8", end + MESSAGES_END.length + COMMA));
  if (!rest.ok || !isJsonObject(rest.value)) return undefined;
  return { rest: rest.value, messages: lines(bytes, key + MESSAGES_KEY.length, end) };
}

function isAsWritten(bytes: Buffer): boolean {
  const covered = bytes.lastIndexOf(CHECKSUM_KEY);
  if (covered === -1) return false;
  const sumAt = covered + CHECKSUM_KEY.length;
  return checksum(bytes.subarray(0, covered)) === bytes.toString("latin1", sumAt, sumAt + CHECKSUM_LENGTH);
}

function* lines(bytes: Buffer, begin: number, end: number): Generator<JsonValue> {
  for (let from = begin; from < end; ) {
    const newline = bytes.indexOf(NEWLINE, from + PIECE);
    const to = newline === -1 || newline > end ? end : newline;
    const piece = bytes.toString("utf8", from, to);
    yield* JSON.parse(`[${to < end ? piece.slice(0, -COMMA) : piece}]`) as JsonValue[];
    from = to;
  }
}

function snapshotOf(rest: JsonObject, decoded: DecodedMessages): Snapshot {
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
    session_usage_marks,
    session_total_work,
    simpler_forms,
    permission_reviews,
    untold_remarks,
    thoughts,
    journal,
    ...extra
  } = rest;
  return {
    header: {
      kind: "header",
      version: 1,
      sessionId: storedText(session_id),
      projectId: storedText(project_id),
      workingDirectory: storedText(working_directory),
      createdAt: storedText(created_at),
      model: storedText(current_model),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    },
    lastModified: storedText(last_modified),
    title: storedText(title),
    usage: { ...numbersOf(session_total_usage, NO_USAGE), ...marksOf(session_usage_marks) },
    work: numbersOf(session_total_work, NO_WORK),
    thoughts: [...storedList(thoughts).filter(isString), ...decoded.thoughts],
    reviews: storedList(permission_reviews).flatMap((review) => decodeReview(review) ?? []),
    untold: storedList(untold_remarks).filter(isString),
    forms: storedList(simpler_forms).flatMap((form) => decodeForm(form) ?? []),
    messages: decoded.messages,
    problems: decoded.problems,
    ...defined({ coverage: decodeCoverage(journal) }),
    intact: true,
    checksum: "",
  };
}

function decodeCoverage(value: JsonValue | undefined): SnapshotCoverage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { format = 1, epoch, seq, offset, sequences, prompt } = value;
  if (!isNumber(format) || !isNumber(epoch) || !isNumber(seq) || !isNumber(offset)) return undefined;
  const numbers = storedList(sequences).filter(isNumber);
  return { format, epoch, seq, offset, sequences: numbers, ...(isJsonObject(prompt) ? { prompt } : {}) };
}

function marksOf(value: JsonValue | undefined): UsageMarks {
  const { estimated, unpriced } = isJsonObject(value) ? value : {};
  return defined({ estimated: estimated === true || undefined, unpriced: unpriced === true || undefined });
}

/** The numbers that `none` names; it stands for those that are missing. */
function numbersOf<Numbers extends object>(value: JsonValue | undefined, none: Numbers): Numbers {
  if (!isJsonObject(value)) return none;
  const numbers = Object.entries(none).map(([name, zero]) => {
    const given = value[snakeCase(name)];
    return [name, isNumber(given) ? given : zero];
  });
  return Object.fromEntries(numbers) as Numbers;
}
