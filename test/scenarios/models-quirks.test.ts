// What local servers and proxies do to a stream, and how its bytes may be delivered, doesn't change the result.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ToolCallPart } from "../../src/domain/part.ts";
import { type StrictServer, startStrictServer } from "../support/strict-llm-server/server.ts";
import {
  type Answer,
  answer,
  call,
  type Delivery,
  type Quirk,
  text,
  thought,
} from "../support/strict-llm-server/turn.ts";
import { callModel, type Outcome, VENDOR_PATHS } from "../support/vendor-path.ts";

let server: StrictServer;
beforeAll(async () => {
  server = await startStrictServer();
});
afterAll(() => server.stop());

const TURN = answer(
  thought("Grübeln 🤔 über 漢字"),
  text("Schöne Grüße 🐟🐠 \u0007 und 漢字"),
  call("bash", { command: "echo 'ü🐟'" }),
  call("read_file", { filepath: "ä.ts" }),
);

const chat = VENDOR_PATHS.find(({ provider }) => provider === "groq");
if (chat === undefined) throw new Error("no chat path");

async function ask(path: (typeof VENDOR_PATHS)[number], turn: Answer): Promise<Outcome> {
  server.script([turn]);
  return callModel(await path.create(server.url, { thinking: "low" }), {});
}

/** Everything that must not depend on the delivery: all but ids and the boundaries of deltas. */
function essence({ text: words, thoughts, response, usage, finish, error }: Outcome) {
  const parts = response.parts.map((part) =>
    part.kind === "tool-call"
      ? [part.toolName, part.args]
      : [part.kind, "content" in part ? part.content : ""],
  );
  return { words, thoughts, parts, usage, finish, error: error?.message };
}

describe.each(VENDOR_PATHS.map((path) => [path.name, path] as const))("%s", (_, path) => {
  const deliveries: [string, Delivery][] = [
    ["one byte at a time", { pieces: "byte" }],
    ["split inside every multi-byte character", { pieces: "inside-characters" }],
    ["seven bytes at a time", { pieces: 7 }],
    ["event by event", { pieces: "event" }],
    ["with CRLF", { lineEnd: "\r\n" }],
    ["with CRLF, one byte at a time", { lineEnd: "\r\n", pieces: "byte" }],
    ["with keep-alive comments", { keepAlive: ": keep-alive" }],
  ];
  test.each(deliveries)("%s, the result is the same", async (_how, delivery) => {
    const whole = await ask(path, TURN);
    expect(whole.error).toBeUndefined();
    expect(essence(await ask(path, { ...TURN, delivery }))).toEqual(essence(whole));
  });

  test("without ids and usage, and with pings, the calls arrive with generated ids", async () => {
    const outcome = await ask(path, { ...TURN, quirks: ["no-ids", "no-usage", "pings"] });
    expect(outcome.error).toBeUndefined();
    const ids = callsOf(outcome).map(({ toolCallId }) => toolCallId);
    expect(ids.filter((id) => id.trim() !== "")).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });

  test("arguments that are nearly right arrive as they were meant", async () => {
    const outcome = await ask(path, answer(call("bash", "{'command': 'ls',}")));
    expect(callsOf(outcome)).toMatchObject([{ args: { command: "ls" } }]);
  });

  test("unfinished arguments are kept as they were, never as a call that could run", async () => {
    const outcome = await ask(path, { ...answer(call("bash", '{"command":"rm -r')), finish: "length" });
    const [found] = callsOf(outcome);
    if (found !== undefined) expect(found).toMatchObject({ args: {}, rawArgs: '{"command":"rm -r' });
    else expect(outcome.error).toBeDefined();
    expect(outcome.finish ?? "length").toBe("length");
  });
});

describe("quirks of chat servers", () => {
  test.each<[Quirk]>([
    ["one-id"],
    ["no-ids"],
    ["object-arguments"],
    ["late-name"],
    ["repeated-name"],
    ["no-index"],
    ["interleaved-calls"],
    ["reasoning-field"],
    ["think-tags"],
    ["no-choices-at-end"],
    ["usage-with-finish"],
    ["no-done"],
    ["pings"],
  ])("%s", async (quirk) => {
    const outcome = await ask(chat, { ...TURN, quirks: [quirk] });
    const whole = await ask(chat, TURN);
    expect(essence(outcome)).toEqual({ ...essence(whole), usage: outcome.usage });
    expect(new Set(callsOf(outcome).map(({ toolCallId }) => toolCallId)).size).toBe(2);
  });

  test("all of them at once", async () => {
    const quirks: Quirk[] = ["no-ids", "object-arguments", "think-tags", "no-usage", "no-done", "pings"];
    const outcome = await ask(chat, { ...TURN, quirks, finish: { raw: "stop" } });
    expect(essence(outcome)).toEqual({ ...essence(await ask(chat, TURN)), usage: undefined });
  });

  test("an error in plain text is reported as such and retried", async () => {
    const headers = { "content-type": "text/event-stream" };
    const body = 'data: {"error":"model is loading"}\n\n';
    server.script([{ kind: "raw", status: 200, headers, body }, answer("At last.")]);
    const { text: words, events } = await callModel(await chat.create(server.url, { maxRetries: 1 }), {});
    expect(words).toBe("At last.");
    const [wait] = events.filter((event) => event.type === "retry-wait");
    expect(wait?.reason).toContain('It says: "model is loading"');
  });

  test('"stop" with calls means the calls', async () => {
    const { finish } = await ask(chat, { ...TURN, finish: { raw: "stop" } });
    expect(finish).toBe("tool-call");
  });

  test("calls written as text stay text, for the fallback parser", async () => {
    const outcome = await ask(chat, { ...answer(call("bash", { command: "x" })), quirks: ["calls-as-text"] });
    expect(outcome.text).toContain("<tool_call>");
    expect([callsOf(outcome).length, outcome.finish]).toEqual([0, "stop"]);
  });
});

describe("a chunk that the vendor's package refuses", () => {
  const odd = { text: "[odd]" };
  const chunks: Readonly<Record<string, object>> = {
    "openai-chat": { choices: [{ index: 0, delta: { role: "narrator", content: odd.text } }] },
    "openai-responses": { type: "response.output_text.delta", delta: odd.text, logprobs: "none" },
    google: { candidates: [{ content: { parts: [odd] }, groundingMetadata: { groundingChunks: "none" } }] },
  };

  test.each(
    VENDOR_PATHS.filter(({ wire }) => wire !== "anthropic").map((path) => [path.name, path] as const),
  )("%s: its text is read, in its place", async (_, path) => {
    // Among the deltas of the text, whatever the wire sends before them.
    const whole = answer(text("one two three four five six seven eight", 4));
    let inside = 0;
    for (let beforeEvent = 0; beforeEvent < 9; beforeEvent++) {
      const inject = [{ beforeEvent, text: `data: ${JSON.stringify(chunks[path.wire])}\n\n` }];
      const { text: words, response, error } = await ask(path, { ...whole, inject });
      expect([error, words.replace(odd.text, "")]).toEqual([
        undefined,
        "one two three four five six seven eight",
      ]);
      if (words.startsWith(odd.text)) continue;
      inside++;
      const said = response.parts.map((part) => (part.kind === "text" ? part.content : ""));
      expect(said.join("")).toBe(words);
    }
    expect(inside).toBeGreaterThan(2);
  });

  test("a piece of a call can't be left out, so the answer breaks off", async () => {
    const piece = {
      choices: [{ delta: { role: "narrator", tool_calls: [{ function: { arguments: "x" } }] } }],
    };
    const inject = [{ beforeEvent: 3, text: `data: ${JSON.stringify(piece)}\n\n` }];
    const outcome = await ask(chat, { ...answer(call("bash", { command: "ls" })), inject });
    expect(outcome.error).toMatchObject({ brokenOff: true });
    expect(callsOf(outcome)).toEqual([]);
  });
});

test("an event that Anthropic may add in the future is ignored", async () => {
  const anthropic = VENDOR_PATHS.find(({ wire }) => wire === "anthropic");
  if (anthropic === undefined) throw new Error("no Anthropic path");
  const inject = [{ beforeEvent: 3, text: 'event: weather\ndata: {"type":"weather","sunny":true}\n\n' }];
  expect(essence(await ask(anthropic, { ...TURN, inject }))).toEqual(essence(await ask(anthropic, TURN)));
});

function callsOf({ response }: Outcome): ToolCallPart[] {
  return response.parts.filter((part) => part.kind === "tool-call");
}
