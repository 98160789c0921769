// Hides keys in an answer where it enters the request, so that every screen, output and file shows the same. The
// arguments of calls stay as the model wrote them, because what was decided on is what has to run.
import { type Mask, MaskedStream } from "../base/secrets.ts";
import type { ModelEvent } from "../domain/model.ts";
import type { ResponsePart } from "../domain/part.ts";

type DeltaType = "text-delta" | "thought-delta";

/** The end of a text may wait for what follows it, but the deltas still add up to the parts. */
export async function* maskedAnswer(
  events: AsyncIterable<ModelEvent>,
  mask: Mask,
): AsyncGenerator<ModelEvent, void> {
  const streams = { "text-delta": new MaskedStream(mask), "thought-delta": new MaskedStream(mask) };
  /** The answer broke off, and its next words may be the rest of a key, whatever comes before them. */
  let isTextCut = false;
  const ended = function* (type: DeltaType, isCut = false): Generator<ModelEvent, void> {
    yield* delta(type, streams[type].end(isCut));
  };
  try {
    for await (const event of events) {
      const { type } = event;
      if (type === "retry-wait") isTextCut = true;
      if (type === "text-delta") isTextCut = false;
      if (ENDS_THOUGHT.has(type)) yield* ended("thought-delta", type === "retry-wait");
      if (ENDS_TEXT.has(type) || (PAUSES_TEXT.has(type) && !isTextCut)) yield* ended("text-delta");
      if (type === "text-delta" || type === "thought-delta")
        yield* delta(type, streams[type].push(event.text));
      else yield type === "part" ? { ...event, part: maskedPart(event.part, mask) } : event;
    }
  } catch (error) {
    yield* ended("thought-delta", true);
    yield* ended("text-delta", true);
    throw error;
  }
}

type Types = ReadonlySet<ModelEvent["type"]>;
const ENDS_TEXT: Types = new Set(["part", "finish"]);
const PAUSES_TEXT: Types = new Set(["thought-delta", "call-delta"]);
const ENDS_THOUGHT: Types = new Set(["text-delta", "call-delta", "part", "finish", "retry-wait"]);

function* delta(type: DeltaType, text: string): Generator<ModelEvent, void> {
  if (text !== "") yield { type, text };
}

function maskedPart(part: ResponsePart, mask: Mask): ResponsePart {
  if (part.kind !== "text" && part.kind !== "thinking") return part;
  const content = mask(part.content);
  if (content === part.content) return part;
  // A vendor takes its own signed thought unchanged or not at all; without the signature it isn't sent.
  return part.kind === "text" ? { ...part, content } : { kind: "thinking", content };
}
