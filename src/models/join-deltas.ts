// Deltas that the network hands over together become one event, before the SDK sees them: it spends far more on an
// event than on the event's text. Nothing is held back, and what isn't joined passes byte for byte.
import { type DeltaEvent, goesOn, readDelta, withText } from "./delta-event.ts";
import type { Wire } from "./settings.ts";

/** Ends an event, whatever stands before it. A stream that ends its lines otherwise passes as it is. */
const BLANK_LINE = "\n\n";
const NEWLINE = 10;

/** A byte order mark is the SDK's to read. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** For the chunks of one stream, in order. */
export function joinDeltas(wire: Wire): (chunk: Uint8Array) => Uint8Array {
  let beginsEvent = true;
  return (chunk) => {
    // An event whose beginning was passed on with the chunk before is not touched.
    const begin = beginsEvent ? 0 : endOfEvent(chunk, 0);
    if (chunk.length > 0) beginsEvent = chunk.at(-1) === NEWLINE && chunk.at(-2) === NEWLINE;
    // The usual case, one event at a time, costs no more than this: by bytes, since no text was made yet.
    const first = begin === undefined ? undefined : endOfEvent(chunk, begin);
    if (begin === undefined || first === undefined || first === chunk.length) return chunk;
    const end = endOfLastEvent(chunk);
    const joined = joinEvents(wire, DECODER.decode(chunk.subarray(begin, end)));
    if (joined === undefined) return chunk;
    return Buffer.concat([chunk.subarray(0, begin), Buffer.from(joined), chunk.subarray(end)]);
  };
}

function endOfEvent(bytes: Uint8Array, from: number): number | undefined {
  let at = bytes.indexOf(NEWLINE, from);
  while (at !== -1 && bytes[at + 1] !== NEWLINE) at = bytes.indexOf(NEWLINE, at + 1);
  return at === -1 ? undefined : at + BLANK_LINE.length;
}

/** For bytes that hold the end of one. */
function endOfLastEvent(bytes: Uint8Array): number {
  let at = bytes.lastIndexOf(NEWLINE);
  while (bytes[at - 1] !== NEWLINE) at = bytes.lastIndexOf(NEWLINE, at - 1);
  return at + 1;
}

/** undefined: there was nothing to join. */
function joinEvents(wire: Wire, text: string): string | undefined {
  const frames = text.slice(0, -BLANK_LINE.length).split(BLANK_LINE);
  const kept: string[] = [];
  let last: DeltaEvent | undefined;
  let texts: string[] = [];
  const closeRun = (): void => {
    if (last !== undefined && texts.length > 1) kept[kept.length - 1] = withText(last, texts.join(""));
  };
  for (const frame of frames) {
    const delta = readDelta(wire, frame);
    if (last !== undefined && delta !== undefined && goesOn(last, delta)) texts.push(delta.text);
    else {
      closeRun();
      kept.push(frame);
      texts = delta === undefined ? [] : [delta.text];
    }
    last = delta;
  }
  closeRun();
  return kept.length === frames.length ? undefined : kept.join(BLANK_LINE) + BLANK_LINE;
}
