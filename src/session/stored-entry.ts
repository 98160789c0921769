// The entries of the journal as its records store them: one table says under which key each field is kept, for writing
// and for reading. Reading never throws: a kind that we don't know is "unknown" (a newer program wrote it, and it is
// skipped), and a record whose message can't be read is "unreadable".
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { EntryOf, JournalEntry, Rewrite, Sequence, SequenceRange } from "../domain/journal-entry.ts";
import type { Message } from "../domain/message.ts";
import type { Part, RequestPart, ToolReturnPart } from "../domain/part.ts";
import type { JournalRecord } from "./line.ts";
import {
  decodeChangedBy,
  decodeChanges,
  decodeRestore,
  encodeChangedBy,
  encodeChanges,
  encodeRestore,
} from "./stored-files.ts";
import { decodeForm, encodeForm } from "./stored-form.ts";
import { isNumber, isString, storedList, storedText } from "./stored-keys.ts";
import { decodeMessages, encodeMessage } from "./stored-message.ts";
import { encodePart, isReturnStatus } from "./stored-parts.ts";
import { decodeReview, encodeReview } from "./stored-review.ts";

/** The record that already holds this return, if any: a message then refers to it instead of repeating it. */
type FindSettled = (part: Part) => Sequence | undefined;

/** The result that a settled record holds. */
type ReadSettled = (seq: Sequence) => ToolReturnPart | undefined;

type Decoded = JournalEntry | "unknown" | "unreadable";

/** What the model reads in place of a result whose record is gone. */
const LOST_RESULT = "[The result of this call was lost: its record in the session file is damaged.]";

/** One field of an entry: the keys that it becomes in a record, and its value from those keys. */
interface Field<Value> {
  write(value: Value, findSettled: FindSettled): JsonObject;
  read(body: JsonObject, readSettled: ReadSettled): Value | undefined;
  /** Without it the record is unreadable. */
  readonly isRequired?: true;
}

type Fields<Entry> = { readonly [Name in Exclude<keyof Entry, "kind">]-?: Field<Entry[Name]> };

const REWRITE: Fields<Rewrite> = {
  history: {
    write: (history) => ({ history }),
    read: ({ history }) => storedList(history).flatMap(range),
  },
  count: number("count"),
  replacements: number("replacements"),
};

const INDEX = number("index");

const MESSAGE: Field<Message> = {
  write: (message, findSettled) => ({ message: writeMessage(message, findSettled) }),
  read: ({ message }, readSettled) => readMessage(message, readSettled),
  isRequired: true,
};

const FIELDS: { readonly [Kind in JournalEntry["kind"]]: Fields<EntryOf<Kind>> } = {
  header: {
    version: number("version", 1),
    sessionId: text("session"),
    projectId: text("project"),
    workingDirectory: text("directory"),
    createdAt: text("created"),
    model: text("model"),
    imported: plain("imported", isString),
    forkedFrom: plain("forked", isString),
    extra: plain("extra", isJsonObject),
  },
  opened: { at: text("at") },
  title: { text: text("text") },
  model: { name: text("name") },
  prompt: {
    index: INDEX,
    requestId: text("request"),
    at: text("at"),
    content: {
      write: (content) => writePart({ kind: "user-prompt", content }),
      read: (body, readSettled) => readPart(body, "user-prompt", readSettled)?.content,
      isRequired: true,
    },
  },
  message: { index: INDEX, message: MESSAGE },
  replacement: { message: MESSAGE },
  partial: { offset: number("offset"), text: text("text") },
  started: { toolCallId: text("call"), toolName: text("tool") },
  settled: {
    status: plain("status", isReturnStatus, "completed"),
    durationMs: plain<number | null>("duration", isNumber, null),
    result: {
      write: writePart,
      read: (body, readSettled) => readPart(body, "tool-return", readSettled),
      isRequired: true,
    },
  },
  thought: { text: text("text") },
  usage: {
    call: group({
      promptTokens: number("prompt"),
      completionTokens: number("completion"),
      cachedTokens: number("cached"),
      cost: number("cost"),
      estimated: plain("estimated", isTrue),
      unpriced: plain("unpriced", isTrue),
    }),
    byTool: plain("tool", isTrue),
  },
  // What was repaired is for people who read the file; loading needs only the history.
  repair: {
    ...REWRITE,
    repairs: { write: (repairs) => ({ repairs: repairs.map((repair) => ({ ...repair })) }), read: () => [] },
  },
  compaction: {
    ...REWRITE,
    tokensBefore: number("before"),
    tokensAfter: number("after"),
    summary: plain<string | null>("summary", isString, null),
  },
  form: { form: { write: encodeForm, read: decodeForm, isRequired: true } },
  review: { review: { write: encodeReview, read: decodeReview, isRequired: true } },
  files: {
    requestId: text("request"),
    by: { write: encodeChangedBy, read: decodeChangedBy, isRequired: true },
    changes: { write: encodeChanges, read: decodeChanges, isRequired: true },
    root: plain("root", isString),
  },
  restoring: { restore: { write: encodeRestore, read: decodeRestore, isRequired: true } },
  restore: { ...REWRITE, restore: { write: encodeRestore, read: decodeRestore, isRequired: true } },
  interrupted: {
    ...REWRITE,
    why: { write: (why) => ({ why }), read: ({ why }) => storedList(why).filter(isString) },
    unsent: plain("unsent", isTrue),
  },
  end: {
    index: INDEX,
    outcome: text("outcome"),
    at: text("at"),
    problem: plain("problem", isString),
    work: group({ wallMs: number("ms"), toolCalls: number("calls") }),
  },
};

export function encodeEntry(entry: JournalEntry, findSettled: FindSettled): JsonObject {
  return { kind: entry.kind, ...toBody(FIELDS[entry.kind], entry, findSettled) };
}

export function decodeEntry(
  { kind, body }: Pick<JournalRecord, "kind" | "body">,
  readSettled: ReadSettled,
): Decoded {
  if (!isKnown(kind)) return "unknown";
  const fields = fromBody(FIELDS[kind], body, readSettled);
  return fields === undefined ? "unreadable" : ({ kind, ...fields } as JournalEntry);
}

function isKnown(kind: string): kind is JournalEntry["kind"] {
  return Object.hasOwn(FIELDS, kind);
}

type AnyFields = Readonly<Record<string, Field<unknown>>>;

function toBody(fields: AnyFields, values: object, findSettled: FindSettled): JsonObject {
  const body: JsonObject = {};
  // In the order of the table, so that a record is always written the same way.
  for (const name in fields) {
    const value = (values as Record<string, unknown>)[name];
    if (value !== undefined) Object.assign(body, fields[name]?.write(value, findSettled));
  }
  return body;
}

/** Undefined: a required field is missing. */
function fromBody(fields: AnyFields, body: JsonObject, readSettled: ReadSettled): object | undefined {
  const values: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name]?.read(body, readSettled);
    if (value !== undefined) values[name] = value;
    else if (fields[name]?.isRequired) return undefined;
  }
  return values;
}

/** A value that is stored as it is; `otherwise` stands for one that is missing or of the wrong type. */
function plain<Value extends JsonValue>(
  key: string,
  is: (value: JsonValue | undefined) => value is Value,
  otherwise?: Value,
): Field<Value> {
  return {
    write: (value) => ({ [key]: value }),
    read: ({ [key]: value }) => (is(value) ? value : otherwise),
  };
}

function text(key: string): Field<string> {
  return plain(key, isString, "");
}

function number(key: string, otherwise = 0): Field<number> {
  return plain(key, isNumber, otherwise);
}

/** Several keys of the record that are one object in memory. */
function group<Value extends object>(fields: Fields<Value> & AnyFields): Field<Value> {
  return {
    write: (value, findSettled) => toBody(fields, value, findSettled),
    read: (body, readSettled) => fromBody(fields, body, readSettled) as Value | undefined,
  };
}

/** A part alone is stored as the message that has no other. */
function writePart(part: RequestPart): JsonObject {
  return { message: encodeMessage({ kind: "request", parts: [part] }) };
}

function readPart<Kind extends Part["kind"]>(
  { message }: JsonObject,
  kind: Kind,
  readSettled: ReadSettled,
): Extract<Part, { kind: Kind }> | undefined {
  const isOfKind = (part: Part): part is Extract<Part, { kind: Kind }> => part.kind === kind;
  return readMessage(message, readSettled)?.parts.slice(0, 1).find(isOfKind);
}

function writeMessage(message: Message, findSettled: FindSettled): JsonObject {
  const encoded = encodeMessage(message);
  const { parts } = message;
  return { ...encoded, parts: encoded.parts.map((part, at) => reference(parts[at], findSettled) ?? part) };
}

/** With the call's id and tool, so that a lost result can still be answered for. */
function reference(part: Part | undefined, findSettled: FindSettled): JsonObject | undefined {
  if (part?.kind !== "tool-return") return undefined;
  const settled = findSettled(part);
  return settled === undefined ? undefined : { settled, call: part.toolCallId, tool: part.toolName };
}

/** Undefined as well for what reads as more than one message: its place in the history would be uncertain. */
function readMessage(raw: JsonValue | undefined, readSettled: ReadSettled): Message | undefined {
  if (!isJsonObject(raw)) return undefined;
  const parts = storedList(raw["parts"]).map((part) => {
    if (!isReference(part)) return part;
    return encodePart(
      readSettled(part.settled) ?? lostResult(storedText(part["call"]), storedText(part["tool"])),
    );
  });
  const { messages } = decodeMessages([Array.isArray(raw["parts"]) ? { ...raw, parts } : raw]);
  return messages.length === 1 ? messages[0] : undefined;
}

function isReference(part: JsonValue): part is JsonObject & { readonly settled: Sequence } {
  return isJsonObject(part) && isNumber(part["settled"]);
}

/** Answers a call whose result can no longer be read. */
export function lostResult(toolCallId: ToolCallId, toolName: string): ToolReturnPart {
  return { kind: "tool-return", toolCallId, toolName, content: LOST_RESULT, status: "failed" };
}

function range(value: JsonValue): SequenceRange[] {
  const [from, to] = storedList(value);
  return isNumber(from) && isNumber(to) ? [[from, to]] : [];
}

function isTrue(value: JsonValue | undefined): value is boolean {
  return value === true;
}
