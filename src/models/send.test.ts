import { expect, test } from "bun:test";
import { CallLiveness, CLOUD_TIMEOUTS } from "./liveness.ts";
import { resolveProvider } from "./resolve-provider.ts";
import { createSend, retryAfterMs } from "./send.ts";

test("the SDK gets the stream unchanged, with a sign of life for each chunk", async () => {
  const says = (content: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const chunks = [says("a") + says("b"), ": keep-alive\n\n", says("c") + says("d") + says("e")];
  const network = async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const { signal } = new AbortController();
  const liveness = new CallLiveness("ollama", CLOUD_TIMEOUTS, { silent: () => {}, gaveUp: () => {} });
  let signs = 0;
  const sign = liveness.sign.bind(liveness);
  liveness.sign = () => {
    signs++;
    sign();
  };
  const send = createSend({
    context: { provider: resolveProvider("ollama", { env: {} }), model: "m", mask: (text) => text },
    network,
    calls: new WeakMap([[signal, liveness]]),
  });
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hi" }] });
  const response = await send("http://127.0.0.1:1/v1/chat/completions", { method: "POST", body, signal });
  expect(await response.text()).toBe(chunks.join(""));
  liveness.stop();
  // The first is for the headers.
  expect(signs).toBe(1 + chunks.length);
});

const NOW = Date.parse("2026-01-01T00:00:00Z");

test.each([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "250", "retry-after": "2" }, 250],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Wed, 31 Dec 2025 23:00:00 GMT" }, 0],
  [{ "retry-after": "-3" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{}, undefined],
])("%j", (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
});
