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
  /** From the command line, or all of it from a pipe. */
  readonly text: string;
  /** It came through a pipe, as data does. */
  readonly isPiped: boolean;
  /** What came through a pipe beside the prompt; "" if nothing did. */
  readonly data: string;
}

export async function readPrompt(input: PromptInput): Promise<WrittenPrompt> {
  const { operands, stdin, notify } = input;
  const prompt = operands.join(" ");
  const isPiped = prompt === "-" || prompt.trim() === "";
  const piped = await readAll(input, isPiped ? undefined : PATIENCE_MS);
  if (piped === undefined) notify("Nothing came through the pipe within 1 s; continuing without it.");
  const words = { text: isPiped ? (piped ?? "") : prompt, data: isPiped ? "" : (piped ?? "") };
  const text = wellFormed(words.text);
  const data = words.data.trim() === "" ? "" : wellFormed(words.data);
  if (text.trim() === "") throw noPrompt(stdin !== null);
  if (`${text}${data}`.includes(UNREADABLE))
    notify(`The prompt contains bytes that are not text; they became ${UNREADABLE}.`);
  return { text, isPiped, data };
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
function wellFormed(text: string): string {
  return text.replaceAll("\0", UNREADABLE).toWellFormed();
}

const UNREADABLE = "\uFFFD";

function noPrompt(empty: boolean): TunacodeError {
  const why = empty ? "The prompt is empty." : "There is no prompt.";
  return new TunacodeError("usage", `${why} Try: tunacode run "what does this project do?"`);
}
