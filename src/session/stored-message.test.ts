// Messages on disk: every form an old file may have, and properties of any file at all.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import session from "../../test/fixtures/tunacode-session-v1.json";
import { almostMessages, messages } from "../../test/support/arbitrary-messages.ts";
import type { JsonValue } from "../base/json.ts";
import type { Message } from "../domain/message.ts";
import { decodeMessages, encodeMessages } from "./stored-message.ts";

const RUNS = process.env["TUNACODE_LONG"] === "1" ? 50_000 : 1_000;

const CALL = { part_kind: "tool-call", tool_call_id: "a", tool_name: "bash" };
const DEEP_ARGS = `{"a":${"[".repeat(90_000)}${"]".repeat(90_000)}}`;

describe("the old program's session file", () => {
  const decoded = decodeMessages(session.messages);

  test("decodes, encodes and decodes again to the same thing", () => {
    expect(decoded.problems).toEqual([]);
    const again = decodeMessages(onDisk(decoded.messages));
    expect(again).toEqual({ messages: decoded.messages, thoughts: [], problems: [] });
  });

  test("keeps words, calls, returns, thoughts and order", () => {
    expect(decoded.messages.map(outline)).toEqual([
      "request: user-prompt list the files",
      'response: text I will list them. | tool-call call_abc123 bash {"command":"ls"}',
      "request: tool-return call_abc123 bash a.ts\nb.ts",
      "response: thinking hmm | text There are two files.",
      'request: retry-prompt call_x read_file [{"type":"missing","loc":["filepath"],"msg":"Field required","input":{}}]',
      'response: tool-call tc_1 bash {"command":"ls"}',
      "request: tool-return tc_1 bash x",
      "request: user-prompt legacy plain user text",
    ]);
    expect(decoded.thoughts).toEqual(["legacy thought"]);
  });

  test("keeps what it said about the answer", () => {
    expect(decoded.messages[1]).toMatchObject({
      usage: { requestTokens: 700, responseTokens: 40, cachedTokens: 0 },
      modelName: "openai/gpt-4.1",
      providerName: "openai",
      finishReason: "tool-call",
      timestamp: "2026-01-31T21:04:33Z",
      extra: { provider_response_id: "gen-1", metadata: null, usage: { cache_write_tokens: 0, details: {} } },
    });
    expect(encodeMessages(decoded.messages)[1]).toMatchObject({
      usage: {
        input_tokens: 700,
        output_tokens: 40,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        details: {},
      },
      finish_reason: "tool_call",
      provider_response_id: "gen-1",
    });
  });

  test("is not changed by being read", () => {
    const before = JSON.stringify(session.messages);
    decodeMessages(session.messages);
    expect(JSON.stringify(session.messages)).toBe(before);
  });
});

describe("a message in an old form", () => {
  const cases: [form: string, entry: JsonValue, expected: string[]][] = [
    ["content", { content: "hi" }, ["request: user-prompt hi"]],
    ["content by a person", { role: "user", content: "hi" }, ["request: user-prompt hi"]],
    ["content by the model", { role: "assistant", content: "hi" }, ["response: text hi"]],
    ["content by the system", { role: "system", content: "be good" }, []],
    ["content of a kind", { kind: "response", content: "hi" }, ["response: text hi"]],
    [
      "content as a list",
      { content: ["a", "b"] },
      ['request: user-prompt [{"type":"text","text":"a"},{"type":"text","text":"b"}]'],
    ],
    ["content and a null role", { role: null, content: "hi" }, ["request: user-prompt hi"]],
    [
      "no kind, a person's part",
      { parts: [{ part_kind: "text", content: "hi" }] },
      ["request: user-prompt hi"],
    ],
    [
      "no kind, a model's part",
      { parts: [{ part_kind: "text", content: "hi" }, CALL] },
      ["response: text hi | tool-call a bash {}"],
    ],
    [
      "no kind, a role",
      { role: "assistant", parts: [{ part_kind: "text", content: "hi" }] },
      ["response: text hi"],
    ],
    ["text in a request", request({ part_kind: "text", content: "hi" }), ["request: user-prompt hi"]],
    ["a bare string as a part", request("hi"), ["request: user-prompt hi"]],
    ["a part with words and no kind", response({ content: "hi" }), ["response: text hi"]],
    ["a system part", request({ part_kind: "system-prompt", content: "be good" }), ["request: "]],
    ["no parts", { kind: "request" }, ["request: "]],
    ["a null text", response({ part_kind: "text", content: null }), ["response: text "]],
    [
      "retry as text",
      request({ part_kind: "retry-prompt", content: "again" }),
      ["request: retry-prompt again"],
    ],
    [
      "retry as an object",
      request({ part_kind: "retry-prompt", content: { a: 1 } }),
      ['request: retry-prompt [{"a":1}]'],
    ],
  ];
  for (const [form, entry, expected] of cases)
    test(form, () => {
      const decoded = decodeMessages([entry]);
      expect(decoded.messages.map(outline)).toEqual(expected);
      expect(decoded.problems).toEqual([]);
    });

  test("that is a thought moves to the thoughts", () => {
    expect(decodeMessages([{ thought: "hm" }])).toEqual({ messages: [], thoughts: ["hm"], problems: [] });
    const both = decodeMessages([{ content: "hi", thought: "hm" }]);
    expect(both).toEqual({ messages: [userSays("hi")], thoughts: ["hm"], problems: [] });
  });
});

describe("arguments", () => {
  const cases: [args: JsonValue | undefined, expected: { args: JsonValue; rawArgs?: JsonValue }][] = [
    [{ a: 1 }, { args: { a: 1 } }],
    ['{"a":1}', { args: { a: 1 } }],
    [null, { args: {} }],
    ["", { args: {} }],
    [undefined, { args: {} }],
    ["{", { args: {}, rawArgs: "{" }],
    ["[1]", { args: {}, rawArgs: "[1]" }],
    [[1], { args: {}, rawArgs: [1] }],
    [5, { args: {}, rawArgs: 5 }],
    [DEEP_ARGS, { args: {}, rawArgs: DEEP_ARGS }],
  ];
  for (const [args, expected] of cases)
    test(`${shorten(args)} become ${shorten(expected)}`, () => {
      const entry = response({ ...CALL, ...(args === undefined ? {} : { args }) });
      const { messages } = decodeMessages([entry]);
      const call = { kind: "tool-call", toolCallId: "a", toolName: "bash", ...expected };
      expect<unknown>(messages).toEqual([{ kind: "response", parts: [call] }]);
      expect(decodeMessages(onDisk(messages)).messages).toEqual(messages);
    });

  test("that are no object are written so that the old program can read them", () => {
    const encoded = encodeMessages(decodeMessages([response({ ...CALL, args: [1] })]).messages);
    expect(encoded[0]).toMatchObject({ parts: [{ args: "[1]" }] });
  });

  test("leave a foreign key called raw_args alone", () => {
    for (const args of [{}, "{", "[1]"]) {
      const entry = response({ ...CALL, args, raw_args: [2] });
      expect(encodeMessages(decodeMessages([entry]).messages)).toEqual([entry]);
    }
  });
});

describe("a tool return", () => {
  const returned = { part_kind: "tool-return", tool_call_id: "a", content: "x" };
  const nameOf = (...entries: JsonValue[]) => {
    const part = decodeMessages(entries).messages.at(-1)?.parts.at(-1);
    return part?.kind === "tool-return" ? part.toolName : null;
  };

  test("without a name takes its call's, or is unknown", () => {
    expect(nameOf(response(CALL), request(returned))).toBe("bash");
    expect(nameOf(request(returned))).toBe("unknown");
    expect(nameOf(response(CALL), request({ ...returned, tool_name: "grep" }))).toBe("grep");
    expect(nameOf(response(CALL), request({ ...returned, tool_name: null }))).toBe("bash");
  });

  test("always has a name on disk, and its status", () => {
    const part = {
      kind: "tool-return",
      toolCallId: "a",
      toolName: "",
      content: "x",
      status: "failed",
    } as const;
    expect(encodeMessages([{ kind: "request", parts: [part] }])).toEqual([
      request({ ...returned, tool_name: "unknown", status: "failed" }),
    ]);
  });

  test("holding any JSON gets it back as it was", () => {
    const image = { kind: "binary", data: "aGk=", media_type: "image/png", identifier: "x" };
    for (const content of [
      "x",
      null,
      5,
      { a: [1] },
      [1, "a"],
      ["a", "b"],
      [image],
      ["look", image],
      [],
      image,
    ]) {
      const entry = request({ ...returned, tool_name: "bash", content });
      expect(encodeMessages(decodeMessages([entry]).messages)).toEqual([entry]);
    }
  });

  test("with an image in the URL-safe alphabet holds it in the vendors' one", () => {
    const image = { kind: "binary", data: "__77-j4=", media_type: "image/png" };
    const [message] = decodeMessages([request({ ...returned, content: [image] })]).messages;
    expect(message?.parts[0]).toMatchObject({ content: [{ type: "image", data: "//77+j4=" }] });
  });

  test("with a number as its id still meets its call", () => {
    expect(nameOf(response({ ...CALL, tool_call_id: 7 }), request({ ...returned, tool_call_id: 7 }))).toBe(
      "bash",
    );
  });
});

describe("a part of the other kind of message", () => {
  const prompt = { part_kind: "user-prompt", content: "hi" };
  const text = { part_kind: "text", content: "ok" };
  const returned = { part_kind: "tool-return", tool_call_id: "a", tool_name: "bash", content: "x" };
  const unknown = { part_kind: "file", content: "f" };
  const cases: [entry: JsonValue, expected: string[]][] = [
    [response(text, prompt, text), ["response: text ok", "request: user-prompt hi", "response: text ok"]],
    [
      request(prompt, CALL, returned),
      ["request: user-prompt hi", "response: tool-call a bash {}", "request: tool-return a bash x"],
    ],
    [
      response(CALL, returned, text),
      ["response: tool-call a bash {}", "request: tool-return a bash x", "response: text ok"],
    ],
    [request({ part_kind: "thinking", content: "hm" }), ["response: thinking hm"]],
    [response(unknown, prompt, unknown), ["response: unknown", "request: user-prompt hi | unknown"]],
  ];
  for (const [entry, expected] of cases)
    test(`makes ${expected.length}: ${expected.join(", ")}`, () => {
      expect(decodeMessages([entry]).messages.map(outline)).toEqual(expected);
    });

  test("leaves the message's own keys with the first piece of its own kind", () => {
    const entry = { ...response(prompt, text, prompt, text), model_name: "m", run_id: "r", foo: 1 };
    expect(decodeMessages([entry]).messages.map(({ parts: _, ...keys }) => keys)).toEqual([
      { kind: "request" },
      { kind: "response", modelName: "m", runId: "r", extra: { foo: 1 } },
      { kind: "request" },
      { kind: "response" },
    ]);
  });
});

describe("usage", () => {
  const cases: [usage: JsonValue, expected: number[] | null][] = [
    [{ input_tokens: 5, output_tokens: 6, cache_read_tokens: 7 }, [5, 6, 7]],
    [{ request_tokens: 5, response_tokens: 6, cached_tokens: 7 }, [5, 6, 7]],
    [{ request_tokens: 5, response_tokens: null }, [5, 0, 0]],
    [{ input_tokens: null, request_tokens: 5, details: { a: 1 } }, [5, 0, 0]],
    [null, null],
    [{}, null],
    ["many", null],
    [{ input_tokens: "many" }, null],
  ];
  for (const [usage, expected] of cases)
    test(`${JSON.stringify(usage)} is ${JSON.stringify(expected)}`, () => {
      const { messages } = decodeMessages([{ ...response(), usage }]);
      const [message] = messages;
      const found = message?.kind === "response" && message.usage ? message.usage : null;
      expect(found && [found.requestTokens, found.responseTokens, found.cachedTokens]).toEqual(expected);
      if (expected === null && usage !== null) expect(encodeMessages(messages)).toMatchObject([{ usage }]);
      expect(decodeMessages(onDisk(messages)).messages).toEqual(messages);
    });
});

test("finish reasons are read in every spelling and written in the old one", () => {
  const cases = {
    stop: "stop",
    length: "length",
    tool_call: "tool_call",
    tool_calls: "tool_call",
    "tool-calls": "tool_call",
    "tool-call": "tool_call",
    content_filter: "content_filter",
    "content-filter": "content_filter",
    error: "error",
    // The old program would refuse any other reason.
    weird: undefined,
  };
  for (const [read, written] of Object.entries(cases)) {
    const [encoded] = encodeMessages(decodeMessages([{ ...response(), finish_reason: read }]).messages);
    expect((encoded as Record<string, JsonValue>)["finish_reason"]).toEqual(written as string);
  }
});

describe("what is not understood", () => {
  test("is kept aside with its place and a reason, and the rest is read", () => {
    const entries = [
      5,
      null,
      "hi",
      [],
      {},
      { kind: "novel", parts: [] },
      request(7),
      { content: "x", role: "tool" },
    ];
    const { messages, problems } = decodeMessages([...entries, { content: "hi" }]);
    expect(messages.map(outline)).toEqual(["request: ", "request: user-prompt hi"]);
    expect(problems.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(problems.map(({ raw }) => raw)).toEqual(entries.with(6, 7));
    for (const { reason } of problems) expect(reason).toMatch(/^[A-Z].*\.$/);
  });

  test("is the list itself, if it is none", () => {
    for (const value of [null, undefined, 5, "hi", { messages: [] }])
      expect(decodeMessages(value).problems).toMatchObject([{ index: -1 }]);
  });

  test("does not cost the words beside it", () => {
    const { messages, problems } = decodeMessages([
      response({ part_kind: "text", content: ["a", "b"] }, { ...CALL, tool_call_id: {}, tool_name: 5 }),
    ]);
    expect(messages.map(outline)).toEqual(["response: text a\nb | tool-call  unknown {}"]);
    expect(problems).toHaveLength(3);
  });

  test("unknown keys and unknown kinds of parts are written back in their place", () => {
    const entry = {
      ...request(
        { part_kind: "user-prompt", content: "hi", mood: "good", timestamp: 5 },
        { part_kind: "file", a: [1] },
      ),
      run_id: 7,
      foo: { bar: null },
    };
    expect(encodeMessages(decodeMessages([entry]).messages)).toEqual([entry]);
  });

  test("a key called __proto__ is a key like any other", () => {
    const text =
      '[{"kind":"request","parts":[{"part_kind":"text","content":"a","__proto__":{"x":1}}],"__proto__":{"y":2}}]';
    const written = JSON.stringify(onDisk(decodeMessages(JSON.parse(text)).messages));
    expect(written).toContain('"__proto__":{"x":1}');
    expect(written).toContain('"__proto__":{"y":2}');
  });

  describe("nested too deeply", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as JsonValue;
    const places: Record<string, JsonValue> = {
      "a return": request("hi", { part_kind: "tool-return", content: deep }),
      "a return's object": request("hi", { part_kind: "tool-return", content: { a: deep } }),
      "a text": response({ part_kind: "text", content: deep }),
      "a retry prompt": request({ part_kind: "retry-prompt", content: deep }),
      arguments: response({ ...CALL, args: { a: deep } }),
      "raw arguments": response({ ...CALL, args: "[", raw_args: deep }),
      "an unknown part": request({ part_kind: "file", data: deep }),
      "an unknown key of a part": request({ part_kind: "text", content: "hi", a: deep }),
      "an unknown key of a message": { ...request("hi"), a: deep },
      "a known key of a message": { ...request("hi"), timestamp: deep },
      "the usage": { ...response("hi"), usage: { input_tokens: 1, details: deep } },
      "something for the usage": { ...response("hi"), usage: deep },
      "something for a part": request("hi", deep),
      "something for a kind": { kind: deep, parts: [] },
      "something for a role": { role: deep, content: "hi" },
      "something for a message": deep,
    };
    for (const [place, entry] of Object.entries(places))
      test(`${place} is cut and reported, and can be written`, () => {
        const { messages, problems } = decodeMessages([entry]);
        expect(problems.length).toBeGreaterThan(0);
        const written = JSON.stringify([messages, problems, encodeMessages(messages)]);
        expect(written).toContain("[nested too deeply]");
        const hasWords = place === "a return" || place === "something for a part";
        if (hasWords) expect(messages[0]?.parts[0]).toMatchObject({ content: "hi" });
      });
  });
});

describe("any file", () => {
  test(`valid messages come back the same (${RUNS} lists)`, () => {
    fc.assert(
      fc.property(messages, (list) => {
        expect(decodeMessages(onDisk(list))).toEqual({ messages: list, thoughts: [], problems: [] });
      }),
      { numRuns: RUNS },
    );
  }, 120_000);

  test(`nothing throws, and a second pass changes nothing (${RUNS} values)`, () => {
    fc.assert(
      fc.property(almostMessages, (value) => {
        const first = onDisk(decodeMessages(value).messages);
        expect(onDisk(decodeMessages(first).messages)).toEqual(first);
      }),
      { numRuns: RUNS },
    );
  }, 120_000);
});

function request(...parts: JsonValue[]) {
  return { kind: "request", parts };
}

function response(...parts: JsonValue[]) {
  return { kind: "response", parts };
}

function shorten(value: JsonValue | undefined): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 40);
}

function userSays(content: string): Message {
  return { kind: "request", parts: [{ kind: "user-prompt", content }] };
}

/** A round trip through text, as in a file. */
function onDisk(list: readonly Message[]): JsonValue {
  return JSON.parse(JSON.stringify(encodeMessages(list))) as JsonValue;
}

/** `request: user-prompt hi | tool-return id name content` */
function outline({ kind, parts }: Message): string {
  const shown = parts.map((part) => {
    switch (part.kind) {
      case "unknown":
        return part.kind;
      case "tool-call":
        return `${part.kind} ${part.toolCallId} ${part.toolName} ${JSON.stringify(part.args)}`;
      case "tool-return":
      case "retry-prompt":
        return [part.kind, part.toolCallId, part.toolName, asText(part.content)]
          .filter((piece) => piece !== undefined)
          .join(" ");
      default:
        return `${part.kind} ${asText(part.content)}`;
    }
  });
  return `${kind}: ${shown.join(" | ")}`;
}

function asText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
