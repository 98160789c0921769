// What every vendor path has to do, on a server that rejects what the vendors reject.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ContentItem } from "../../src/domain/content.ts";
import type { Message } from "../../src/domain/message.ts";
import { type StrictServer, startStrictServer } from "../support/strict-llm-server/server.ts";
import { answer, call, text, thought } from "../support/strict-llm-server/turn.ts";
import {
  callModel,
  conversationOf,
  returns,
  SYSTEM,
  user,
  VENDOR_PATHS,
  withoutCacheMarks,
} from "../support/vendor-path.ts";

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
const refusals = () => requests().flatMap(({ problems }) => problems);

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image: ContentItem = { type: "image", mediaType: "image/png", data: PNG };

describe.each(VENDOR_PATHS.map((path) => [path.name, path] as const))("%s", (_, path) => {
  test("text arrives as it was written, with usage and an end", async () => {
    server.script([{ ...answer("Grüße, 🐟!"), usage: { input: 100, output: 20, cached: 40 } }]);
    const outcome = await callModel(await path.create(server.url), {});
    expect(outcome.error).toBeUndefined();
    expect(outcome.text).toBe("Grüße, 🐟!");
    expect(outcome.response.parts.map(({ kind }) => kind)).toEqual(["text"]);
    expect(outcome.usage).toEqual({ requestTokens: 100, responseTokens: 20, cachedTokens: 40 });
    expect(outcome.finish).toBe("stop");
    expect(outcome.response).toMatchObject({ providerName: path.provider, modelName: path.model });
  });

  test("thinking, text and calls arrive in order, deltas before their part", async () => {
    server.script([answer(thought("Let me see."), "I'll look.", call("read_file", { filepath: "a.ts" }))]);
    const { events, response } = await callModel(await path.create(server.url, { thinking: "low" }), {});
    const order = events.map((event) => (event.type === "part" ? event.part.kind : event.type));
    const hasThoughts = response.parts.some(({ kind }) => kind === "thinking");
    expect(hasThoughts || path.provider === "openai").toBe(true);
    if (hasThoughts) expect(order.indexOf("thought-delta")).toBeLessThan(order.indexOf("thinking"));
    expect(order.indexOf("text-delta")).toBeLessThan(order.indexOf("text"));
    expect(order.indexOf("text")).toBeLessThan(order.indexOf("tool-call"));
    expect(order.at(-1)).toBe("finish");
  });

  test("parallel calls keep their arguments and their order", async () => {
    server.script([
      answer(
        call("bash", { command: "a" }),
        call("bash", { command: "b" }),
        call("read_file", { filepath: "c" }),
      ),
    ]);
    const { response, finish } = await callModel(await path.create(server.url), {});
    const calls = response.parts.filter((part) => part.kind === "tool-call");
    expect(calls.map(({ toolName, args }) => [toolName, args])).toEqual([
      ["bash", { command: "a" }],
      ["bash", { command: "b" }],
      ["read_file", { filepath: "c" }],
    ]);
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(3);
    expect(finish).toBe("tool-call");
  });

  test("in ten rounds of tools and thinking nothing is rejected and the prefix never changes", async () => {
    const model = await path.create(server.url, { thinking: "low" });
    const messages: Message[] = [user("Do it.")];
    for (let round = 0; round < 10; round++) {
      const isLast = round === 9;
      server.script([
        isLast
          ? answer(thought("Done."), "All done.")
          : answer(thought(`Round ${round}.`), call("bash", { command: `${round}` }), call("read_file", {})),
      ]);
      const { response, error } = await callModel(model, { messages });
      expect(error).toBeUndefined();
      messages.push(response);
      if (!isLast) messages.push(returns(response));
    }
    expect(refusals()).toEqual([]);
    expect(requests()).toHaveLength(10);
    const bodies = requests().map(({ text: body }) => body);
    expect(bodies.every((body) => body.includes(JSON.stringify(SYSTEM).slice(1, -1)))).toBe(true);
    expectStablePrefix(bodies);
  });

  if (path.returnsThoughts)
    test("thinking is sent back to the model it came from", async () => {
      const model = await path.create(server.url, { thinking: "low" });
      server.script([answer(thought("The secret plan."), call("bash", {})), answer("ok")]);
      const { response } = await callModel(model, {});
      const { error } = await callModel(model, { messages: [user("hi"), response, returns(response)] });
      expect(error).toBeUndefined();
      expect(refusals()).toEqual([]);
      const [, second] = requests();
      const marks = /"(signature|encrypted_content|thoughtSignature|reasoning_content)":"[^"]+"/;
      expect(second?.text).toMatch(marks);
    });

  test("images from a person and from a tool reach the model", async () => {
    const model = await path.create(server.url);
    server.script([answer(call("read_file", { filepath: "a.png" }), call("bash", {})), answer("a fish")]);
    const first: Message = {
      kind: "request",
      parts: [{ kind: "user-prompt", content: [{ type: "text", text: "What is it?" }, image] }],
    };
    const { response } = await callModel(model, { messages: [first] });
    const back = returns(response);
    const parts = back.parts.map((part, index) =>
      part.kind === "tool-return" && index === 0 ? { ...part, content: [image] } : part,
    );
    const messages = [first, response, { kind: "request", parts } as Message];
    const { error } = await callModel(model, { messages });
    expect(error).toBeUndefined();
    expect(refusals()).toEqual([]);
    expect(requests()[1]?.text.split(PNG)).toHaveLength(3);
  });

  test("an image that no vendor accepts is named instead of sent", async () => {
    server.script([answer("ok")]);
    const content: ContentItem[] = [{ type: "image", mediaType: "image/tiff", data: "SUkqAAgAAAA=" }];
    const messages: Message[] = [{ kind: "request", parts: [{ kind: "user-prompt", content }] }];
    const { error } = await callModel(await path.create(server.url), { messages });
    expect(error).toBeUndefined();
    expect(requests()[0]?.text).toContain("image/tiff) is not shown");
  });

  test("ids, names, blanks and lone surrogates that no vendor accepts are changed on the wire only", async () => {
    const ids = ["a b:c/d", "x".repeat(120), "ok_1", "Ä"];
    const response: Message = {
      kind: "response",
      parts: [
        { kind: "text", content: "  " },
        { kind: "text", content: "half \ud83d" },
        ...ids.map((toolCallId) => ({
          kind: "tool-call" as const,
          toolCallId,
          toolName: "my tool.1",
          args: { command: "\udc00" },
        })),
        { kind: "tool-call", toolCallId: "raw", toolName: "", args: {}, rawArgs: '{"unfinished' },
        { kind: "unknown", raw: { part_kind: "file" } },
      ],
    };
    const answers: Message = {
      kind: "request",
      parts: [
        ...ids.map((toolCallId, index) => ({
          kind: "tool-return" as const,
          toolCallId,
          toolName: "my tool.1",
          content: index === 0 ? " " : "fine \ud83d",
          ...(index === 1 && { status: "failed" as const }),
          ...(index === 2 && { status: "cancelled" as const }),
        })),
        { kind: "retry-prompt", toolCallId: "raw", toolName: "", content: [{ msg: "not an object" }] },
        { kind: "retry-prompt", content: "Go on." },
        { kind: "user-prompt", content: "And now?" },
      ],
    };
    server.script([answer("ok")]);
    const { error } = await callModel(await path.create(server.url), {
      messages: [user("hi"), response, answers],
    });
    expect(error).toBeUndefined();
    expect(refusals()).toEqual([]);
    expect(requests()[0]?.text).toContain("(no output)");
  });

  test("a last call without tools is accepted, even after calls", async () => {
    const model = await path.create(server.url, { thinking: "low" });
    server.script([answer(thought("hm"), call("bash", {})), answer("summed up")]);
    const { response } = await callModel(model, {});
    const { error, text: words } = await callModel(model, {
      messages: [user("hi"), response, returns(response, { kind: "retry-prompt", content: "Sum up." })],
      tools: [],
    });
    expect([error, words]).toEqual([undefined, "summed up"]);
    expect(refusals()).toEqual([]);
  });

  test("another vendor can take over at any point, and the first one again", async () => {
    for (const other of VENDOR_PATHS) {
      const messages: Message[] = [user("Begin.")];
      // The vendors alternate, so that each takes over in the middle of the other's tool loop.
      for (const [index, by] of [path, other, path, other].entries()) {
        server.script([
          answer(thought(`Thought ${index}.`), text(`Step ${index}.`), call("bash", { command: "x" })),
        ]);
        const model = await by.create(server.url, { thinking: "low" });
        const { response, error } = await callModel(model, { messages });
        expect([other.name, index, error?.message]).toEqual([other.name, index, undefined]);
        messages.push(response, returns(response));
      }
    }
    expect(refusals()).toEqual([]);
  });

  test("thinking never becomes visible text for another vendor", async () => {
    const { response } = await (async () => {
      server.script([answer(thought("A private thought."), "Public words.")]);
      return callModel(await path.create(server.url, { thinking: "low" }), {});
    })();
    for (const other of VENDOR_PATHS) {
      if (other.provider === path.provider) continue;
      server.script([answer("ok")]);
      await callModel(await other.create(server.url), { messages: [user("hi"), response, user("more")] });
      expect(requests().at(-1)?.text).toContain("Public words.");
      expect(requests().at(-1)?.text).not.toContain("private thought");
    }
  });

  test("ids that a vendor repeats, in one response or across turns, are replaced by unique ones", async () => {
    const model = await path.create(server.url);
    server.script([{ ...answer(call("bash", {}), call("read_file", {})), quirks: ["one-id"] }]);
    const first = await callModel(model, {});
    server.script([{ ...answer(call("bash", {}), call("read_file", {})), quirks: ["one-id"] }]);
    const messages = [user("hi"), first.response, returns(first.response)];
    const second = await callModel(model, { messages });
    const ids = [...first.response.parts, ...second.response.parts].flatMap((part) =>
      part.kind === "tool-call" ? [part.toolCallId] : [],
    );
    expect(ids.every((id) => id.trim() !== "")).toBe(true);
    expect(new Set(ids).size).toBe(4);
  });
});

test("there are at most four cache marks, on the stable prefix, where the next call finds them", async () => {
  const path = VENDOR_PATHS.find(({ wire }) => wire === "anthropic");
  const model = await path?.create(server.url);
  if (model === undefined) throw new Error("no Anthropic path");
  const messages: Message[] = [user("Do it.")];
  const marked: string[][] = [];
  for (let round = 0; round < 5; round++) {
    server.script([answer("Well.", call("bash", { command: `${round}` }))]);
    const { response } = await callModel(model, { messages });
    marked.push(markedPlaces(requests().at(-1)?.body));
    messages.push(response, returns(response));
  }
  for (const places of marked) expect(places.length).toBeLessThanOrEqual(4);
  // The next call has a mark at the position of this call's last mark.
  for (const [index, places] of marked.slice(1).entries())
    expect(places).toContain(marked[index]?.at(-1) ?? "");
  expect(marked.at(-1)).toEqual(["system.0", "messages.6.0", "messages.8.0"]);
});

function markedPlaces(body: unknown): string[] {
  const places: string[] = [];
  const { system, messages } = body as { system: object[]; messages: { content: object[] }[] };
  system.forEach((block, index) => {
    if ("cache_control" in block) places.push(`system.${index}`);
  });
  messages.forEach(({ content }, at) => {
    content.forEach((block, index) => {
      if ("cache_control" in block) places.push(`messages.${at}.${index}`);
    });
  });
  return places;
}

/** Apart from cache marks, each body starts with the conversation of the previous one. */
function expectStablePrefix(bodies: readonly string[]): void {
  const plain = bodies.map((body) => withoutCacheMarks(conversationOf(body)));
  for (const [index, body] of plain.entries()) {
    const before = plain[index - 1];
    if (before !== undefined) expect(body.startsWith(before.slice(0, -1))).toBe(true);
  }
}
