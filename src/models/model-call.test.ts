// A vendor that does nothing at all: no answer, no failure, deaf to aborts. And a body that can't be completed.
import { expect, test } from "bun:test";
import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { UserAbortError } from "../domain/error.ts";
import type { Model, ModelEvent } from "../domain/model.ts";
import type { Client } from "./client.ts";
import { createModel } from "./create-model.ts";
import { UnexpectedBodyError } from "./grown-body.ts";
import { CLOUD_TIMEOUTS } from "./liveness.ts";
import { ModelCall } from "./model-call.ts";
import { resolveProvider } from "./resolve-provider.ts";
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
  ["that never answers", deaf, "first byte"],
  ["in the middle of an answer", deafAfterWords, "next byte"],
])("the deadline ends a call to one %s", async (_, fetch, awaited) => {
  const timeouts = { firstByteMs: 60, idleMs: 60, noticeMs: 20 };
  const { error, events } = await run(await create(fetch, { timeouts }), new AbortController().signal);
  expect(String(error)).toContain(awaited);
  expect(events.some(({ type }) => type === "waiting")).toBe(true);
});

test("a body that can't be joined to an earlier one is written as a whole, in the same call", async () => {
  const prompt: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
  const asked: LanguageModelV4Prompt[] = [];
  const calls: Client["calls"] = new WeakMap();
  const vendor = {
    // As the SDK does: it hands its body to the fetch it was given, and what that throws is its own failure.
    doStream: async ({ prompt: given, abortSignal = new AbortController().signal }) => {
      asked.push(given);
      calls.get(abortSignal)?.completeBody("what it wrote");
      return { stream: new ReadableStream({ start: (controller) => controller.close() }) };
    },
  } satisfies Pick<LanguageModelV4, "doStream"> as unknown as LanguageModelV4;
  const client: Client = {
    vendor: async () => vendor,
    calls,
    growBody: () => ({
      prompt: [],
      complete: () => {
        throw new UnexpectedBodyError();
      },
    }),
    close: () => {},
  };
  const context = {
    provider: resolveProvider("ollama", { env: {} }),
    model: "m",
    mask: (text: string) => text,
  };
  const { signal } = new AbortController();
  const call = new ModelCall({ client, options: { prompt }, signal, timeouts: CLOUD_TIMEOUTS, context });
  expect(await call.next()).toEqual({ type: "parts", parts: [], isLast: true });
  call.close(true);
  expect(asked).toEqual([[], prompt]);
});
