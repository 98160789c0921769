// Reads the prompt from arguments and stdin, without waiting long for a silent pipe.
import { untilAbort } from "../base/abort.ts";
import { systemClock } from "../base/clock.ts";
import { TunacodeError } from "../domain/error.ts";

interface PromptInput {
  readonly operands: readonly string[];
  /** Null when there is nothing to read. */
  readonly stdin: AsyncIterable<Uint8Array> | null;
  readonly signal: AbortSignal;
  readonly notify: (text: string) => void;
}

const PATIENCE_MS = 1_000;
const LONGEST_PROMPT = 100_000_000;

export interface WrittenPrompt {
  readonly text: string;
  /** The text if it came on the command line: the person's own words, while a pipe carries data. */
  readonly own: string;
  /** What came through a pipe besides. */
  readonly piped: string;
}

export async function readPrompt(input: PromptInput): Promise<WrittenPrompt> {
  const { operands, stdin, notify } = input;
  const prompt = operands.join(" ");
  const isPiped = prompt === "-" || prompt === "";
  const piped = await readAll(input, isPiped ? undefined : PATIENCE_MS);
  if (piped === undefined) notify("Nothing came through the pipe within 1 s; continuing without it.");
  const text = wellFormed((isPiped ? piped : prompt) ?? "", notify);
  if (text.trim() === "") throw noPrompt(stdin !== null);
  const data = isPiped ? "" : wellFormed(piped ?? "", notify);
  return { text, own: isPiped ? "" : prompt, piped: data.trim() === "" ? "" : data };
}

/** Undefined when the first byte did not arrive in time. */
async function readAll({ stdin, signal }: PromptInput, patienceMs?: number): Promise<string | undefined> {
  if (stdin === null) return "";
  const chunks = stdin[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let text = "";
  const first = untilAbort(chunks.next(), signal);
  let next = await (patienceMs === undefined ? first : Promise.race([first, systemClock.sleep(patienceMs)]));
  if (next === undefined) return undefined;
  while (next.done !== true) {
    text += decoder.decode(next.value, { stream: true });
    if (text.length > LONGEST_PROMPT)
      throw new TunacodeError("usage", `The prompt is longer than ${LONGEST_PROMPT / 1e6} MB.`);
    next = await untilAbort(chunks.next(), signal);
  }
  return text + decoder.decode();
}

/** No vendor accepts NUL or lone surrogates. Bytes that could not be decoded are U+FFFD already. */
function wellFormed(text: string, notify: PromptInput["notify"]): string {
  const clean = text.replaceAll("\0", "\uFFFD").toWellFormed();
  if (clean.includes("\uFFFD")) notify("The prompt contains bytes that are not text; they became \uFFFD.");
  return clean;
}

function noPrompt(empty: boolean): TunacodeError {
  const why = empty ? "The prompt is empty." : "There is no prompt.";
  return new TunacodeError("usage", `${why} Try: tunacode run "what does this project do?"`);
}
