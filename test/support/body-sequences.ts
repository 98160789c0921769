// Bodies as a few conversations send them one after the other through one client, and worse: they grow, shrink, come
// again, change their fields, move their cache marks, and are damaged as values or as text, anywhere, once or for a
// while. Most are valid, so that whoever remembers something has something to remember.
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/base/json.ts";
import { damageText } from "./body-damage.ts";
import type { Random } from "./random.ts";
import { isList } from "./strict-llm-server/json-access.ts";
import { mutations } from "./strict-llm-server/mutations.ts";
import { scenesOf } from "./strict-llm-server/valid-bodies/conversation.ts";
import { bodyOf } from "./strict-llm-server/valid-bodies/valid-bodies.ts";
import type { Wire } from "./strict-llm-server/wire.ts";

export interface SentBody {
  /** What was done to it, for whoever reads a failure. */
  readonly what: string;
  readonly text: string;
}

interface Conversation {
  readonly notation: readonly string[];
  readonly style: "plain" | "rich";
  /** How many words of the notation were said. */
  length: number;
  fields: JsonObject;
  /** How many of the other fields stand before the messages. */
  fieldsBefore: number;
  /** How many user turns are marked for the cache. */
  marks: number;
  /** What is damaged stays so for a while. */
  mutation: ((body: JsonObject) => JsonObject) | undefined;
  damage: ((text: string) => string) | undefined;
}

/** The field of a body that holds the conversation. */
export const LISTS: Readonly<Record<Wire, string>> = {
  "openai-chat": "messages",
  "openai-responses": "input",
  anthropic: "messages",
  google: "contents",
};

/** One more than are usually remembered. */
const CONVERSATIONS = 4;

export function* bodySequence(wire: Wire, random: Random, steps: number): Generator<SentBody> {
  const conversations = Array.from({ length: 1 + random.below(CONVERSATIONS) }, () =>
    newConversation(random),
  );
  let current = random.pick(conversations);
  for (let step = 0; step < steps; step++) {
    const what = random.pick(STEPS);
    if (what === "another") current = random.pick(conversations);
    change(current, what, random);
    const body = write(wire, current);
    if (what === "mutate") current.mutation = mutation(wire, body, random);
    else if (random.below(2) === 0) current.mutation = undefined;
    const text = JSON.stringify(current.mutation?.(body) ?? body);
    if (what === "damage") current.damage = damageText(text, LISTS[wire], random);
    else if (random.below(3) === 0) current.damage = undefined;
    yield { what, text: current.damage?.(text) ?? text };
  }
}

const STEPS = [
  ...["grow", "grow", "grow", "grow", "grow", "grow", "again", "another", "shrink"],
  ...["fields", "order", "marks", "mutate", "mutate", "damage"],
] as const;

function change(conversation: Conversation, what: (typeof STEPS)[number], random: Random): void {
  if (what === "grow") conversation.length += 1 + random.below(2);
  if (what === "shrink") conversation.length = Math.max(1, conversation.length - 1 - random.below(5));
  if (what === "fields") conversation.fields = random.pick(FIELDS);
  if (what === "order") conversation.fieldsBefore = random.below(6);
  if (what === "marks") conversation.marks = random.pick([0, 2, 2, 3, 4]);
}

/** Rules that look at messages and fields at once have both of their sides here; null stands for a missing field. */
const FIELDS: readonly JsonObject[] = [
  {},
  {},
  { model: "another" },
  { tools: null },
  { tools: null, tool_choice: { type: "auto" } },
  { store: true },
  { store: false },
  { thinking: { type: "enabled", budget_tokens: 2_000 } },
  { system: [{ type: "text", text: "a", cache_control: { type: "ephemeral" } }] },
];

function newConversation(random: Random): Conversation {
  const notation = ["user"];
  while (notation.length < 24) {
    const isAnswered = notation.at(-1)?.endsWith("text") ?? false;
    notation.push(random.pick(isAnswered ? ["user", "user", "image"] : ANSWERS));
  }
  return {
    notation,
    style: random.pick(["plain", "rich"]),
    length: 1 + random.below(12),
    fields: {},
    fieldsBefore: 1 + random.below(3),
    marks: 2,
    mutation: undefined,
    damage: undefined,
  };
}

const ANSWERS = ["call", "call*2", "text+call", "think+call", "call*3", "text", "think+text", "user"];

function write(wire: Wire, conversation: Conversation): JsonObject {
  const { notation, length, style, fields, fieldsBefore, marks } = conversation;
  const said = notation.slice(0, length);
  // A request ends with a person's words or with returns.
  if (said.at(-1)?.endsWith("text")) said.push("user");
  const written = { ...bodyOf(wire, scenesOf(said.join(" ")), style), ...fields };
  const list = LISTS[wire];
  const { [list]: messages = [], ...rest } = written;
  const others = Object.entries(rest).filter(([, value]) => value !== null);
  return Object.fromEntries([
    ...others.slice(0, fieldsBefore),
    [list, wire === "anthropic" ? withMarks(messages, marks) : messages],
    ...others.slice(fieldsBefore),
  ]);
}

/** Our own client sets them at the ends of the last two user turns. */
function withMarks(messages: JsonValue, marks: number): JsonValue {
  if (!isList(messages) || marks === 0) return messages;
  const places = [...messages.keys()].filter((index) => isMarkable(messages[index])).slice(-marks);
  return messages.map((message, index) => (places.includes(index) ? marked(message) : message));
}

function isMarkable(message: JsonValue | undefined): boolean {
  return isJsonObject(message) && message["role"] === "user" && isList(message["content"]);
}

function marked(message: JsonValue): JsonValue {
  if (!isJsonObject(message) || !isList(message["content"])) return message;
  const last = message["content"].at(-1);
  if (!isJsonObject(last)) return message;
  const block = { ...last, cache_control: { type: "ephemeral" } };
  return { ...message, content: [...message["content"].slice(0, -1), block] };
}

/**
 * Of two neighbours somewhere, often near the end: all mutations of a long body would be too many to choose from.
 * It can also be done to a longer body that begins alike.
 */
function mutation(wire: Wire, body: JsonObject, random: Random): (body: JsonObject) => JsonObject {
  const list = LISTS[wire];
  const messages = isList(body[list]) ? body[list] : [];
  const at = Math.max(0, messages.length - 1 - random.below(random.pick([messages.length, 7])));
  const neighbours = messages.slice(at, at + 2);
  const { body: mutated } = random.pick([...mutations({ ...body, [list]: neighbours }, wire)]);
  const found = mutated[list];
  if (!isList(found)) return () => mutated;
  const dropped = Object.keys(body).filter((key) => mutated[key] === undefined);
  return (other) => {
    const all = isList(other[list]) ? other[list] : [];
    const changed = { ...other, [list]: all.toSpliced(at, neighbours.length, ...found) };
    return Object.fromEntries(Object.entries(changed).filter(([key]) => !dropped.includes(key)));
  };
}
