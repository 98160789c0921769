// What an event of a vendor's stream must be for its text to be joined with its neighbour's: one text at a known
// place, and beside it nothing that could mean something twice. Whatever isn't known here is no delta.
import { parseJson } from "../base/json.ts";
import type { Wire } from "./settings.ts";

export interface DeltaEvent {
  /** Everything before the JSON: the event's name, if it has one. */
  readonly head: string;
  /** The way to the text, from the outside in. */
  readonly way: readonly Step[];
  readonly text: string;
}

interface Step {
  /** A list too: its names are numbers, so that one with a second entry has something beside the first. */
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

/** undefined: not plainly a delta. */
export function readDelta(wire: Wire, frame: string): DeltaEvent | undefined {
  const [, head, json] = FRAME.exec(frame) ?? [];
  if (head === undefined || json === undefined) return undefined;
  const event = parseJson(json);
  if (!event.ok) return undefined;
  for (const place of PLACES[wire]) {
    const way = wayTo(place, event.value);
    const last = way?.at(-1);
    const text = last?.holder[last.name];
    // To some of the SDK's readers an empty text is news, and joined to another it would be lost.
    if (way === undefined || typeof text !== "string" || text === "") continue;
    return way.every(isQuiet) ? { head, way, text } : undefined;
  }
  return undefined;
}

/** The second goes on where the first one ends: they differ in their texts and in what nobody reads. */
export function goesOn(first: DeltaEvent, second: DeltaEvent): boolean {
  if (first.head !== second.head || first.way.length !== second.way.length) return false;
  if (first.way.at(-1)?.name === "arguments" && MAY_COMPLETE.test(first.text)) return false;
  return first.way.every((step, depth) => isAlike(step, second.way[depth]));
}

/** The same event with another text. */
export function withText({ head, way }: DeltaEvent, text: string): string {
  const last = way.at(-1);
  if (last !== undefined) last.holder[last.name] = text;
  return head + JSON.stringify(way[0]?.holder);
}

/** One line of data, after the event's name or alone. */
const FRAME = /^((?:event: ?[^\r\n]*\n)?data: ?)(\{[^\r\n]*)$/;

/** Where the text is. */
const PLACES: Readonly<Record<Wire, readonly (readonly string[])[]>> = {
  "openai-chat": [
    ["choices", "0", "delta", "content"],
    ["choices", "0", "delta", "reasoning_content"],
    ["choices", "0", "delta", "reasoning"],
    ["choices", "0", "delta", "tool_calls", "0", "function", "arguments"],
  ],
  "openai-responses": [["delta"]],
  anthropic: [
    ["delta", "text"],
    ["delta", "thinking"],
    ["delta", "partial_json"],
  ],
  google: [["candidates", "0", "content", "parts", "0", "text"]],
};

/** What may be a string beside the text. The name of a tool, a signature, a reason to finish are not among them. */
const LABELS: ReadonlySet<string> = new Set([
  ...["id", "object", "model", "system_fingerprint", "service_tier", "provider", "role", "type"],
  ...["item_id", "obfuscation", "modelVersion", "responseId"],
]);

/** Differ from event to event, and nobody reads them: a counter, and noise against eavesdroppers. */
const UNREAD: ReadonlySet<string> = new Set(["sequence_number", "obfuscation"]);

/** To which call a piece without a name belongs, the chat packages decide by whose arguments are complete. */
const MAY_COMPLETE = /[}\]]/;

function wayTo(place: readonly string[], event: unknown): Step[] | undefined {
  const way: Step[] = [];
  let value = event;
  for (const name of place) {
    if (typeof value !== "object" || value === null) return undefined;
    const holder = value as Step["holder"];
    way.push({ holder, name });
    value = holder[name];
  }
  return way;
}

/** Beside the way are only labels, numbers and nothing. */
function isQuiet({ holder, name }: Step): boolean {
  for (const other of Object.keys(holder)) {
    if (other === name) continue;
    const value = holder[other];
    if (typeof value === "string" ? value !== "" && !LABELS.has(other) : !isPlain(value)) return false;
  }
  return true;
}

function isPlain(value: unknown): boolean {
  // A number beyond all numbers could not be written again.
  return value === null || typeof value === "boolean" || Number.isFinite(value) || isEmptyList(value);
}

function isAlike(one: Step, other: Step | undefined): boolean {
  if (one.name !== other?.name) return false;
  const names = Object.keys(one.holder);
  if (Object.keys(other.holder).length !== names.length) return false;
  return names.every((name) => {
    if (name === one.name || UNREAD.has(name)) return name in other.holder;
    const [left, right] = [one.holder[name], other.holder[name]];
    return left === right || (isEmptyList(left) && isEmptyList(right));
  });
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
