// How every vendor path fails: rejected, overloaded, cut off, silent, aborted. The person is told, partial text is
// kept, a partial call never is. An answer that had begun is not retried here: it broke off, and the loop goes on.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type ProviderError, UserAbortError } from "../../src/domain/error.ts";
import type { Message } from "../../src/domain/message.ts";
import type { ModelEvent } from "../../src/domain/model.ts";
import { createModel } from "../../src/models/create-model.ts";
import { type StrictServer, startStrictServer } from "../support/strict-llm-server/server.ts";
import {
  answer,
  call,
  emptyBody,
  htmlPage,
  refuse,
  type Turn,
  text,
} from "../support/strict-llm-server/turn.ts";
import {
  BAD_KEY,
  TINY_WINDOW,
  TINY_WINDOW_IN_STREAM,
  UNKNOWN_MODEL,
} from "../support/strict-llm-server/verdict.ts";
import { callModel, type Outcome, TEST_KEY, user, VENDOR_PATHS } from "../support/vendor-path.ts";

let server: StrictServer;
beforeAll(async () => {
  server = await startStrictServer();
});
afterAll(() => server.stop());

let seen = 0;
beforeEach(() => {
  seen = server.requests.length;
});
const requests = () => server.requests.slice(seen);

/** "auth final", "rate_limited retried 1" */
function verdict({ error, events }: Outcome): string {
  if (error === undefined) return "no error";
  const retries = events.filter((event) => event.type === "retry-wait").length;
  return `${error.code}${retries > 0 ? ` after ${retries}` : ""}`;
}

const SOON = { "retry-after-ms": "1" };
const WORDS = "Some words that take their time to arrive.";

describe.each(VENDOR_PATHS.map((path) => [path.name, path] as const))("%s", (_, path) => {
  test.each([
    [400, "provider_error"],
    [401, "auth"],
    [403, "auth"],
    [404, "model_not_found"],
    [413, "context_overflow"],
    [422, "provider_error"],
    [408, "provider_error after 2"],
    [409, "provider_error after 2"],
    [429, "rate_limited after 2"],
    [500, "provider_error after 2"],
    [502, "provider_error after 2"],
    [503, "provider_error after 2"],
    [529, "provider_error after 2"],
  ])("%d: %s", async (status, expected) => {
    server.script(() => refuse(status, { message: `because ${TEST_KEY}`, headers: SOON }));
    const outcome = await callModel(await path.create(server.url, { maxRetries: 2 }), {});
    expect(verdict(outcome)).toBe(expected);
    expect(requests()).toHaveLength(expected.endsWith("after 2") ? 3 : 1);
    expect(outcome.error?.message).toContain(path.provider);
    expect(Bun.inspect(outcome.error) + JSON.stringify(outcome)).not.toContain(TEST_KEY);
  });

  test("a call that fails once and then works gives an answer, and the wait is shown", async () => {
    server.script([refuse(503, { headers: SOON }), refuse(429, { headers: SOON }), answer("at last")]);
    const {
      events,
      text: words,
      error,
    } = await callModel(await path.create(server.url, { maxRetries: 5 }), {});
    expect([words, error]).toEqual(["at last", undefined]);
    const waits = events.filter((event) => event.type === "retry-wait");
    expect(waits.map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test("a vendor that asks for no wait at all gets our own backoff", async () => {
    server.script([refuse(503, { headers: { "retry-after": "0" } }), answer("at last")]);
    const { events } = await callModel(await path.create(server.url, { maxRetries: 1 }), {});
    const [wait] = events.filter((event) => event.type === "retry-wait");
    expect(wait?.delayMs).toBeGreaterThanOrEqual(5);
  });

  test("a wait of more than a minute is not made, and the person is told when to try again", async () => {
    server.script([refuse(429, { headers: { "retry-after": "7200" } })]);
    const { error } = await callModel(await path.create(server.url, { maxRetries: 5 }), {});
    expect(error?.code).toBe("rate_limited");
    expect(error?.message).toMatch(/wait 120 minutes: try again after \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(requests()).toHaveLength(1);
  });

  test("a wrong key and an unknown model are reported", async () => {
    const env = Object.fromEntries(
      ["OPENAI", "ANTHROPIC", "GEMINI", "DEEPSEEK", "GROQ"].map((name) => [`${name}_API_KEY`, BAD_KEY]),
    );
    const refused = await callModel(await path.create(server.url, { env }), {});
    expect(refused.error?.code).toBe("auth");
    expect(refused.error?.message).toContain("_API_KEY");
    expect(refused.error?.message).not.toContain(BAD_KEY);
    const unknown = await callModel(await path.create(server.url, {}, UNKNOWN_MODEL), {});
    expect(unknown.error?.code).toBe("model_not_found");
    expect(unknown.error?.message).toContain("tunacode models");
  });

  test("a conversation that doesn't fit has its own error code", async () => {
    const messages = [user("word ".repeat(10_000))];
    for (const model of [TINY_WINDOW, TINY_WINDOW_IN_STREAM]) {
      const { error } = await callModel(await path.create(server.url, { maxRetries: 2 }, model), {
        messages,
      });
      expect(error?.code).toBe("context_overflow");
    }
    expect(requests()).toHaveLength(2);
  });

  test("an error at the start of a stream is retried", async () => {
    const failure = { afterEvents: 0, status: 529, message: "Overloaded" };
    server.script([{ ...answer("never"), failure }, answer("at last")]);
    const outcome = await callModel(await path.create(server.url, { maxRetries: 1 }), {});
    expect([outcome.text, outcome.error]).toEqual(["at last", undefined]);
  });

  test("an error in the middle keeps the text so far and is a break", async () => {
    const failure = { afterEvents: 7, status: 500, message: `broken ${TEST_KEY}` };
    server.script([{ ...answer(text(WORDS, 3)), failure, delivery: { pieces: "event" } }, answer("again")]);
    const outcome = await callModel(await path.create(server.url, { maxRetries: 3 }), {});
    expect(WORDS.startsWith(outcome.text) && outcome.text !== "").toBe(true);
    expect(outcome.error?.code).toBe("provider_error");
    expect((outcome.error as ProviderError).brokenOff).toBe(true);
    expect(Bun.inspect(outcome.error)).not.toContain(TEST_KEY);
    expect(requests()).toHaveLength(1);
  });

  test.each([
    ["a web page", { ...htmlPage(200) }, "provider_error"],
    ["a web page as an error", { ...htmlPage(502) }, "provider_error"],
    ["nothing", emptyBody(), "provider_unreachable"],
    ["a closed connection", { kind: "close" as const }, "provider_unreachable"],
    ["JSON in one piece", jsonReply({ ok: true }), "provider_error"],
    [
      "an error with status 200",
      jsonReply({ error: { message: "m", code: "rate_limit_exceeded" } }),
      "rate_limited",
    ],
    ["bytes that mean nothing", rawStream("data: {{{\n\n"), "provider_error"],
    ["another protocol's events", rawStream('data: {"jsonrpc":"2.0","id":1}\n\n'), "provider_"],
  ])("%s instead of an answer", async (_name, turn, code) => {
    server.script([turn]);
    const { error } = await callModel(await path.create(server.url), {});
    expect(error?.code).toStartWith(code);
  });

  test("a stream cut anywhere gives a prefix of the text, never a partial call, and an error", async () => {
    const turn = answer(text(WORDS, 5), call("bash", { command: "rm -rf everything" }, { deltas: 4 }));
    const model = await path.create(server.url);
    let whole = 0;
    for (let atByte = 0; atByte < 4_000; atByte += 61) {
      server.script([{ ...turn, delivery: { cut: { atByte, how: atByte % 2 === 0 ? "reset" : "end" } } }]);
      const { text: words, error, response, finish } = await callModel(model, {});
      expect(WORDS).toStartWith(words);
      const calls = response.parts.filter((part) => part.kind === "tool-call");
      if (error === undefined) {
        whole++;
        expect([finish, calls.length]).toEqual(["tool-call", 1]);
      } else expect([error.code, calls.length]).toEqual(["provider_unreachable", 0]);
    }
    expect(whole).toBeLessThan(60);
  });

  test("a vendor that never answers times out, after a notice", async () => {
    server.script(() => ({ ...answer("never"), delivery: { headersAfterMs: Number.POSITIVE_INFINITY } }));
    const timeouts = { firstByteMs: 200, noticeMs: 60 };
    const { error, events } = await callModel(await path.create(server.url, { timeouts }), {});
    expect(error?.code).toBe("provider_unreachable");
    expect(error?.message).toContain("did not begin to answer within");
    const waiting = events.filter((event) => event.type === "waiting");
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting[0]).toMatchObject({ deadlineMs: 200 });
    expect(waiting[0]?.awaited).toContain(path.provider);
  });

  test("a stream that stalls breaks off, and its text is kept", async () => {
    const long = WORDS.repeat(40);
    const pauses = [{ beforeByte: 2_500, ms: 60_000 }];
    server.script([{ ...answer(text(long, 3)), delivery: { pieces: "event", pauses } }, answer("again")]);
    const model = await path.create(server.url, { timeouts: { idleMs: 200 }, maxRetries: 3 });
    const { error, text: words } = await callModel(model, {});
    expect([error?.code, (error as ProviderError).brokenOff]).toEqual(["provider_unreachable", true]);
    expect(words !== "" && long.startsWith(words)).toBe(true);
    expect(requests()).toHaveLength(1);
  });

  test("a stream that stalls before any text breaks off too", async () => {
    const delivery = { pauses: [{ beforeByte: 1, ms: 60_000 }] };
    server.script([{ ...answer("never"), delivery }, answer("again")]);
    const model = await path.create(server.url, { timeouts: { idleMs: 200 }, maxRetries: 1 });
    const { error } = await callModel(model, {});
    expect([error?.code, (error as ProviderError).brokenOff]).toEqual(["provider_unreachable", true]);
    expect(requests()).toHaveLength(1);
  });

  test("an abort ends the call at once, in every phase, and closes the connection", async () => {
    const never = { headersAfterMs: Number.POSITIVE_INFINITY };
    const slow = { pieces: "event" as const, betweenPiecesMs: 40 };
    const phases: [phase: string, turn: Turn, at: ModelEvent["type"] | "sent"][] = [
      ["before the first byte", { ...answer("x"), delivery: never }, "sent"],
      ["in the middle", { ...answer(text(WORDS, 1)), delivery: slow }, "text-delta"],
      ["while waiting to try again", refuse(503, { headers: { "retry-after": "50" } }), "retry-wait"],
    ];
    for (const [index, [phase, turn, at]] of phases.entries()) {
      const controller = new AbortController();
      const reason = new UserAbortError();
      let abortedAt = 0;
      const abort = () => {
        abortedAt = performance.now();
        controller.abort(reason);
      };
      server.script(() => {
        if (at === "sent") setTimeout(abort, 5);
        return turn;
      });
      const model = await path.create(server.url, { maxRetries: 5 });
      const onEvent = (event: ModelEvent) => {
        if (event.type === at) abort();
      };
      const { error, finish } = await callModel(model, {}, { signal: controller.signal, onEvent });
      expect([phase, error, finish]).toEqual([phase, reason, undefined]);
      expect(performance.now() - abortedAt).toBeLessThan(2_000);
      expect(requests()).toHaveLength(index + 1);
      if (at !== "retry-wait") expect(await deliveryOf(index)).toBe("client-left");
      model.drop?.();
    }
  });

  test("after an abort nothing is sent", async () => {
    const { error } = await callModel(await path.create(server.url), {}, { signal: AbortSignal.abort() });
    expect(error).toBeInstanceOf(UserAbortError);
    expect(requests()).toHaveLength(0);
  });

  test("a consumer that leaves early leaves nothing running", async () => {
    server.script([{ ...answer(text(WORDS, 1)), delivery: { pieces: "event", betweenPiecesMs: 30 } }]);
    const model = await path.create(server.url);
    const request = { system: "s", messages: [user("hi")], tools: [] };
    for await (const event of model.stream(request, new AbortController().signal))
      if (event.type === "text-delta") break;
    expect(await deliveryOf(0)).toBe("client-left");
  });

  test("a request that the vendor would reject is never sent", async () => {
    const dangling: Message = {
      kind: "response",
      parts: [{ kind: "tool-call", toolCallId: "a", toolName: "bash", args: {} }],
    };
    const { error } = await callModel(await path.create(server.url), {
      messages: [user("hi"), dangling, user("and now?")],
    });
    expect(error?.code).toBe("wire_gate");
    expect(requests()).toHaveLength(0);
  });
});

test("an address where nothing listens is named in the error", async () => {
  for (const path of VENDOR_PATHS) {
    if (path.name === "openai by openai-chat") continue;
    const { error } = await callModel(await path.create("http://127.0.0.1:1"), {});
    expect([error?.code, error?.message.includes("http://127.0.0.1:1")]).toEqual([
      "provider_unreachable",
      true,
    ]);
  }
});

test("a refused connection to a local server is retried briefly, in case the server is starting", async () => {
  const settings = { env: {}, baseUrl: "http://127.0.0.1:1/v1", backoff: { firstMs: 1, mostMs: 1 } };
  const outcome = await callModel(await createModel("ollama:x", settings), {});
  expect(verdict(outcome)).toBe("provider_unreachable after 2");
  const patient = await callModel(await createModel("ollama:x", { ...settings, maxRetries: 4 }), {});
  expect(verdict(patient)).toBe("provider_unreachable after 4");
});

describe.each(VENDOR_PATHS.map((path) => [path.name, path] as const))("odd events by %s", (_, path) => {
  const odd = async (data: string, beforeEvent = 0): Promise<string> => {
    const inject = [{ beforeEvent, text: `data: ${data}\n\n` }];
    server.script([{ ...answer("Hello."), inject }]);
    return (await callModel(await path.create(server.url), {})).error?.message ?? "no error";
  };

  test("an unreadable event is reported in a line of limited length", async () => {
    for (const data of ["<html>\tno</html>", `{"a": "${"z".repeat(100_000)}`, "[]", "5"]) {
      const told = await odd(data, 1);
      expect(told).toStartWith(`The answer of ${path.provider} could not be read: `);
      expect(told).not.toMatch(/[\n\t]|Type validation failed|JSON parsing failed|normalized/);
      expect(told).toEndWith(".");
      expect(told.length).toBeLessThan(1_300);
    }
  });

  test("an error in any envelope is the vendor's", async () => {
    // Anthropic's package drops a first event that it can't use, and Google's accepts any object as a chunk.
    const at = path.wire === "anthropic" ? 3 : 1;
    const bodies = ['{"error":{"message":"cat"}}', '{"error":"cat"}', '[{"error":{"message":"cat"}}]'];
    const loose = ['{"message":"cat","code":"7"}', '{"detail":"cat"}'];
    for (const data of path.wire === "google" ? bodies : [...bodies, ...loose])
      expect(await odd(data, at)).toMatch(/had a failure of its own( \(500\))?\. It says: "cat"\./);
  });
});

test("a key as short as a word masks nothing else", async () => {
  server.script([refuse(400, { message: "no such token" })]);
  const model = await createModel("groq:m", { env: { GROQ_API_KEY: "k" }, baseUrl: `${server.url}/v1` });
  expect((await callModel(model, {})).error?.message).toContain("no such token");
});

test("a redirect is not followed, so the key is not sent elsewhere", async () => {
  const elsewhere = await startStrictServer({ script: [answer("gotcha")] });
  for (const path of VENDOR_PATHS) {
    const location = `${elsewhere.url}/v1/chat/completions`;
    server.script([{ kind: "raw", status: 307, headers: { location }, body: "" }]);
    const { error } = await callModel(await path.create(server.url), {});
    expect(error?.message).toContain(location);
  }
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.stop();
});

test("a keep-alive is a sign of life", async () => {
  const [path] = VENDOR_PATHS;
  server.script([
    {
      ...answer(text("a b c d e f g h", 4)),
      delivery: { pieces: "event", betweenPiecesMs: 150, keepAlive: ": still here" },
    },
  ]);
  const model = await path?.create(server.url, { timeouts: { idleMs: 2_000 } });
  if (model === undefined) throw new Error("no path");
  const { error, text: words } = await callModel(model, {});
  expect([error, words]).toEqual([undefined, "a b c d e f g h"]);
});

/** How the server finished sending an answer. */
async function deliveryOf(index: number): Promise<string | undefined> {
  const deadline = performance.now() + 2_000;
  while (requests()[index]?.delivered === undefined && performance.now() < deadline) await Bun.sleep(5);
  return requests()[index]?.delivered;
}

function jsonReply(body: object) {
  return {
    kind: "raw" as const,
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function rawStream(body: string) {
  return { kind: "raw" as const, status: 200, headers: { "content-type": "text/event-stream" }, body };
}
