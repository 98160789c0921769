// Every single mutation of a request body: something dropped, doubled, swapped, renamed or blanked, at each
// message, block and id. Many are refused, some are not: a gate and a vendor must agree on which.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/base/json.ts";
import { isList } from "./json-access.ts";
import type { Wire } from "./wire.ts";

export interface Mutation {
  readonly name: string;
  readonly body: JsonObject;
}

type Path = readonly (string | number)[];

interface Shape {
  /** Where the conversation is. */
  readonly messages: string;
  /** Lists inside a message. */
  readonly lists: readonly string[];
  /** Texts that name something: ids, names, signatures. */
  readonly marks: readonly string[];
  /** Required fields of a body. */
  readonly required: readonly string[];
}

const SHAPES: Readonly<Record<Wire, Shape>> = {
  "openai-chat": {
    messages: "messages",
    lists: ["content", "tool_calls"],
    marks: ["id", "tool_call_id", "name", "role", "type"],
    required: ["model", "messages"],
  },
  "openai-responses": {
    messages: "input",
    lists: ["content", "summary", "output"],
    marks: ["id", "call_id", "name", "role", "type", "encrypted_content"],
    required: ["model", "input"],
  },
  anthropic: {
    messages: "messages",
    lists: ["content"],
    marks: ["id", "tool_use_id", "name", "role", "type", "signature", "data"],
    required: ["model", "messages", "max_tokens", "tools"],
  },
  google: {
    messages: "contents",
    lists: ["parts"],
    marks: ["id", "name", "role", "thoughtSignature"],
    required: ["contents"],
  },
};
/** Values a model or a person wrote: keys in them are not the vendor's. */
const FREE_FORM: ReadonlySet<string> = new Set([
  "input",
  "args",
  "response",
  "source",
  "inlineData",
  "image_url",
]);
const BLANKABLE: ReadonlySet<string> = new Set(["text", "content", "output", "thinking", "arguments"]);

export function* mutations(body: JsonObject, wire: Wire): Generator<Mutation> {
  const shape = SHAPES[wire];
  for (const key of shape.required) {
    if (body[key] !== undefined) yield { name: `drop ${key}`, body: without(body, [key]) };
  }
  yield* listMutations(body, [shape.messages]);
  const messages = body[shape.messages];
  if (!isList(messages)) return;
  for (const [index, message] of messages.entries()) {
    if (isJsonObject(message)) yield* objectMutations(body, message, [shape.messages, index], shape);
  }
}

/** Drops, duplicates and swaps each entry of a list, and empties the list. */
function* listMutations(body: JsonObject, path: Path): Generator<Mutation> {
  const list = at(body, path);
  if (!isList(list)) return;
  const put = (entries: readonly JsonValue[]) => replace(body, path, entries);
  yield { name: `blank ${path.join(".")}`, body: put([]) };
  for (const [index, entry] of list.entries()) {
    const place = [...path, index].join(".");
    yield { name: `drop ${place}`, body: put(list.toSpliced(index, 1)) };
    yield { name: `double ${place}`, body: put(list.toSpliced(index, 0, entry)) };
    const next = list[index + 1];
    if (next !== undefined) yield { name: `swap ${place}`, body: put(list.toSpliced(index, 2, next, entry)) };
  }
}

function* objectMutations(
  body: JsonObject,
  value: JsonObject,
  path: Path,
  shape: Shape,
): Generator<Mutation> {
  for (const [key, entry] of Object.entries(value)) {
    const place = [...path, key];
    if (shape.marks.includes(key) && typeof entry === "string") yield* markMutations(body, entry, place);
    else if (BLANKABLE.has(key) && typeof entry === "string") yield* textMutations(body, place);
    else if (isJsonObject(entry)) {
      yield { name: `drop ${place.join(".")}`, body: without(body, place) };
      if (!FREE_FORM.has(key)) yield* objectMutations(body, entry, place, shape);
    } else if (isList(entry) && shape.lists.includes(key)) {
      yield* listMutations(body, place);
      for (const [index, inner] of entry.entries()) {
        if (isJsonObject(inner)) yield* objectMutations(body, inner, [...place, index], shape);
      }
    }
  }
}

function* markMutations(body: JsonObject, value: string, path: Path): Generator<Mutation> {
  const place = path.join(".");
  yield { name: `drop ${place}`, body: without(body, path) };
  yield { name: `blank ${place}`, body: replace(body, path, "") };
  yield { name: `rename ${place}`, body: replace(body, path, `${value}x`) };
  yield { name: `rename ${place} with odd characters`, body: replace(body, path, `${value} !`) };
  yield { name: `lengthen ${place}`, body: replace(body, path, value.padEnd(201, "x")) };
  if (path.at(-1) === "role") {
    const other = value === "user" ? "assistant" : "user";
    yield { name: `rename ${place} to ${other}`, body: replace(body, path, other) };
  }
}

function* textMutations(body: JsonObject, path: Path): Generator<Mutation> {
  const place = path.join(".");
  yield { name: `drop ${place}`, body: without(body, path) };
  yield { name: `blank ${place}`, body: replace(body, path, "") };
  yield { name: `whiten ${place}`, body: replace(body, path, " \n") };
  yield { name: `lengthen ${place} by half a character`, body: replace(body, path, "fish \ud83d") };
}

function at(value: JsonValue, path: Path): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const key of path) {
    if (isList(found)) found = found[Number(key)];
    else if (isJsonObject(found)) found = found[String(key)];
    else return undefined;
  }
  return found;
}

/** A copy along the path; everything else is shared. */
function replace(body: JsonObject, path: Path, value: JsonValue): JsonObject {
  const changed = edit(body, path, () => value);
  return isJsonObject(changed) ? changed : body;
}

function without(body: JsonObject, path: Path): JsonObject {
  const changed = edit(body, path, () => undefined);
  return isJsonObject(changed) ? changed : body;
}

function edit(value: JsonValue, path: Path, change: () => JsonValue | undefined): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return change() ?? null;
  if (isList(value)) {
    return value.map((entry, index) => (index === key ? edit(entry, rest, change) : entry));
  }
  if (!isJsonObject(value)) return value;
  const name = String(key);
  const { [name]: old, ...others } = value;
  if (rest.length === 0) {
    const changed = change();
    // Inserted at the old position, to keep the order of keys.
    if (changed === undefined) return others;
    return { ...value, [name]: changed };
  }
  return { ...value, [name]: edit(old ?? null, rest, change) };
}
