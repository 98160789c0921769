// One answer of a model. Where it breaks off, the model is asked again, with the text so far and the request to go on
// from there. The parts of an attempt are held back until it is whole: of a broken one only the visible text is kept.
import { type Backoff, backoffMs } from "../base/backoff.ts";
import { isBlank } from "../base/blank.ts";
import type { Clock } from "../base/clock.ts";
import { defined } from "../base/defined.ts";
import { ProviderError } from "../domain/error.ts";
import type { Model, ModelEvent, ModelRequest } from "../domain/model.ts";
import type { ResponsePart } from "../domain/part.ts";
import { withoutBegunCall } from "./begun-call.ts";
import { type CallPorts, meteredCall } from "./metered-call.ts";
import { reasonOf } from "./remedy.ts";
import { lastWords, Seam } from "./seam.ts";

export interface UnbrokenPorts extends CallPorts {
  readonly clock: Clock;
}

/** How often an answer is continued. */
const MOST_ATTEMPTS = 3;
const BACKOFF: Backoff = { firstMs: 1_000, mostMs: 8_000 };
const LONGEST_WAIT_MS = 60_000;

/** begun: what an earlier call has already shown of this answer, as keptText leaves it. */
export async function* unbrokenCall(
  request: ModelRequest,
  model: Model,
  ports: UnbrokenPorts,
  begun = "",
): AsyncGenerator<ModelEvent, void> {
  const { clock, signal } = ports;
  let text = begun;
  for (let attempt = 1; ; attempt++) {
    const before = text;
    const seam = new Seam(before);
    const parts: ResponsePart[] = [];
    const ends: ModelEvent[] = [];
    try {
      for await (const event of meteredCall(goOn(request, before), model, ports)) {
        if (event.type === "part") parts.push(event.part);
        else if (event.type === "finish") ends.push(event);
        else if (event.type === "text-delta") {
          const shown = seam.push(event.text);
          text += shown;
          if (shown !== "") yield { type: "text-delta", text: shown };
        } else yield event;
      }
      const rest = seam.end();
      if (rest !== "") yield { type: "text-delta", text: rest };
      const isWhole = before === "" && parts.some(({ kind }) => kind === "text");
      for (const part of isWhole ? parts : joined(text + rest, parts)) yield { type: "part", part };
      yield* ends;
      return;
    } catch (error) {
      if (!(error instanceof ProviderError && error.brokenOff) || signal.aborted) throw error;
      if (attempt > MOST_ATTEMPTS) throw gaveUp(error);
      text = keptText(text, request);
      const { retryAfterMs } = error;
      const delayMs = Math.min(retryAfterMs || backoffMs(BACKOFF, attempt, Math.random()), LONGEST_WAIT_MS);
      yield { type: "retry-wait", attempt, delayMs, reason: reasonOf(error), mostAttempts: MOST_ATTEMPTS };
      await clock.sleep(delayMs, signal);
    }
  }
}

/** What of the text so far is sent back and stays in the answer. */
export function keptText(text: string, { tools }: ModelRequest): string {
  const words = withoutBegunCall(text, tools);
  return isBlank(words) ? "" : words;
}

/**
 * The text so far is never the last message: several models refuse to go on with a message of their own. A vendor that
 * is held to a schema can only begin again.
 */
function goOn(request: ModelRequest, text: string): ModelRequest {
  if (text === "") return request;
  const { outputSchema: _, ...free } = request;
  const remark = { kind: "retry-prompt", content: remarkAbout(text) } as const;
  return {
    ...free,
    messages: [
      ...request.messages,
      { kind: "response", parts: [{ kind: "text", content: text }] },
      { kind: "request", parts: [remark] },
    ],
  };
}

function remarkAbout(text: string): string {
  return `The connection broke while you were answering. Your message above is what has arrived, and it has been shown. Repeat its last words and go on exactly from there, as if nothing had happened: no apology, no introduction, nothing else twice. Its last words are:

${lastWords(text)}

If the message was complete, repeat only these words. Tool calls that you had begun were not run: make them again if they are still needed.`;
}

/** Vendors want thoughts before what they led to. The text is nobody's own, so it carries nothing of a vendor. */
function joined(text: string, parts: readonly ResponsePart[]): ResponsePart[] {
  const others = parts.filter(({ kind }) => kind !== "text");
  if (text === "") return others;
  const found = others.findIndex(({ kind }) => kind !== "thinking");
  const at = found < 0 ? others.length : found;
  return [...others.slice(0, at), { kind: "text", content: text }, ...others.slice(at)];
}

function gaveUp(error: ProviderError): ProviderError {
  const { code, status } = error;
  const advice = "What has arrived is kept. Try again, or choose another model.";
  const told = `${reasonOf(error)} The answer broke off ${MOST_ATTEMPTS + 1} times in a row. ${advice}`;
  return new ProviderError(code, told, { brokenOff: true, ...defined({ status }) });
}
