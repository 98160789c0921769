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
  const stream = new MaskedStream(mask);
  let type: DeltaType = "text-delta";
  try {
    for await (const event of events) {
      const isDelta = event.type === "text-delta" || event.type === "thought-delta";
      if (isDelta ? event.type !== type : endsText(event)) yield* delta(type, stream.end());
      if (!isDelta) yield event.type === "part" ? { ...event, part: maskedPart(event.part, mask) } : event;
      else {
        type = event.type;
        const text = stream.push(event.text);
        if (text !== "") yield text === event.text ? event : { type, text };
      }
    }
  } catch (error) {
    yield* delta(type, stream.end(true));
    throw error;
  }
}

function endsText({ type }: ModelEvent): boolean {
  return type === "part" || type === "call-delta" || type === "finish";
}

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
