// A vendor that does nothing at all: no answer, no failure, deaf to aborts.
import { expect, test } from "bun:test";
import { UserAbortError } from "../domain/error.ts";
import type { Model, ModelEvent } from "../domain/model.ts";
import { createModel } from "./create-model.ts";
import type { Fetch, ModelSettings } from "./settings.ts";

const deaf: Fetch = () => new Promise(() => {});
/** Answers, says a word, and is deaf from then on. */
const deafAfterWords: Fetch = async () =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        const chunk = { choices: [{ index: 0, delta: { content: "Well" } }] };
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
      },
      cancel: () => new Promise(() => {}),
    }),
    { headers: { "content-type": "text/event-stream" } },
  );

const create = (fetch: Fetch, settings: Partial<ModelSettings> = {}) =>
  createModel("ollama:m", { env: {}, fetch, maxRetries: 0, ...settings });

async function run(model: Model, signal: AbortSignal): Promise<{ events: ModelEvent[]; error: unknown }> {
  const events: ModelEvent[] = [];
  const messages = [{ kind: "request" as const, parts: [{ kind: "user-prompt" as const, content: "hi" }] }];
  try {
    for await (const event of model.stream({ system: "s", messages, tools: [] }, signal)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

test.each([
  ["that never answers", deaf],
  ["in the middle of an answer", deafAfterWords],
])("an abort ends a call to one %s", async (_, fetch) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  const { error } = await run(await create(fetch), controller.signal);
  expect(error).toBeInstanceOf(UserAbortError);
});

test.each([
  ["that never answers", deaf, "did not begin to answer within"],
  ["in the middle of an answer", deafAfterWords, "in the middle of its answer"],
])("the deadline ends a call to one %s", async (_, fetch, awaited) => {
  const timeouts = { firstByteMs: 60, idleMs: 60, noticeMs: 20 };
  const { error, events } = await run(await create(fetch, { timeouts }), new AbortController().signal);
  expect(String(error)).toContain(awaited);
  expect(events.some(({ type }) => type === "waiting")).toBe(true);
});
