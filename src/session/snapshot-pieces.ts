// A snapshot of ours that is as it was written, taken apart at its lines: each message stands on one. Read like this, a
// long session takes half the memory, because neither its whole text nor its whole tree is ever there, and one odd
// character doubles the size of its neighbours' text only.
import { CHECKSUM_LENGTH, checksum } from "../base/checksum.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { CHECKSUM_KEY, MESSAGES_END, MESSAGES_KEY } from "./snapshot.ts";

export interface SnapshotPieces {
  /** All keys but the messages. */
  readonly rest: JsonObject;
  /** Read as they are asked for. Throws a SyntaxError where a line isn't JSON. */
  readonly messages: Iterable<JsonValue>;
}

/** At least this many bytes are read at a time: a call for each line would cost more than it saves. */
const PIECE = 64 * 1024;
const NEWLINE = 10;
const COMMA = ",".length;

/** Undefined: not ours, or not as it was written. */
export function takeApart(bytes: Buffer): SnapshotPieces | undefined {
  const covered = bytes.lastIndexOf(CHECKSUM_KEY);
  if (covered === -1) return undefined;
  const sumAt = covered + CHECKSUM_KEY.length;
  const sum = bytes.toString("latin1", sumAt, sumAt + CHECKSUM_LENGTH);
  if (checksum(bytes.subarray(0, covered)) !== sum) return undefined;
  const key = bytes.indexOf(MESSAGES_KEY);
  const end = bytes.lastIndexOf(MESSAGES_END, covered);
  if (key === -1 || end < key) return undefined;
  const rest = parseJson(
    bytes.toString("utf8", 0, key) + bytes.toString("utf8", end + MESSAGES_END.length + COMMA),
  );
  if (!rest.ok || !isJsonObject(rest.value)) return undefined;
  return { rest: rest.value, messages: lines(bytes, key + MESSAGES_KEY.length, end) };
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
