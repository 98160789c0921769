// The AI SDK's own parsers read every stream, and the SDK's own requests pass every grammar.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { ask, type Collected, type SdkWire, sdkModel } from "./sdk-model.ts";
import { type StrictServer, startStrictServer } from "./server.ts";
import { type Answer, answer, call, text, thought } from "./turn.ts";
import { PNG } from "./valid-bodies/conversation.ts";

const MODELS: Readonly<Record<SdkWire, string>> = {
  "openai-chat": "gpt-4.1",
  "openai-responses": "gpt-5.1",
  "openai-compatible": "qwen3-coder",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-3-pro-preview",
};
const WIRES: readonly SdkWire[] = [
  "openai-chat",
  "openai-responses",
  "openai-compatible",
  "anthropic",
  "google",
];
const USER: LanguageModelV4Prompt = [
  { role: "system", content: "You are brief." },
  { role: "user", content: [{ type: "text", text: "go" }] },
];
const TOOLS = {
  tools: ["bash", "read_file"].map((name) => ({
    type: "function" as const,
    name,
    description: "A tool.",
    inputSchema: {
      type: "object" as const,
      properties: { command: { type: "string" as const } },
      additionalProperties: false,
    },
  })),
};
/** Turns thinking on. The client sends it back, and the vendor doesn't store it. */
const THINKING: Partial<LanguageModelV4CallOptions> = {
  ...TOOLS,
  maxOutputTokens: 8000,
  providerOptions: {
    anthropic: { thinking: { type: "enabled", budgetTokens: 2048 } },
    openai: { store: false, reasoningSummary: "auto", include: ["reasoning.encrypted_content"] },
    google: { thinkingConfig: { includeThoughts: true } },
  },
};

let server: StrictServer;
beforeAll(async () => {
  server = await startStrictServer();
});
afterAll(() => server.stop());

function run(wire: SdkWire, turn: Answer, options = TOOLS, prompt = USER): Promise<Collected> {
  server.script([turn]);
  return ask(sdkModel(server.url, wire, MODELS[wire]), prompt, options);
}

/** The fields that carry thinking back. OpenAI's own chat format has none. */
const GIVEN_BACK: Readonly<Record<SdkWire, string | undefined>> = {
  "openai-chat": undefined,
  "openai-responses": "encrypted_content",
  "openai-compatible": "reasoning_content",
  anthropic: "signature",
  google: "thoughtSignature",
};

for (const wire of WIRES) {
  test(`${wire}: text, usage and finish reason`, async () => {
    const words = "Grün „日本語“ 👩‍💻\n\n".repeat(40);
    const turn = { ...answer(words), usage: { input: 1000, output: 50, cached: 600, thinking: 10 } };
    const got = await run(wire, turn);
    expect(got.errors).toEqual([]);
    expect(got).toMatchObject({ text: words, finish: "stop", input: 1000, output: 50, cached: 600 });
  });

  test(`${wire}: parallel calls, their arguments in pieces of any size`, async () => {
    const args = { command: "echo „ä“ 🐟" };
    const turn = answer(
      text("I look."),
      call("bash", args, { deltas: 1 }),
      call("read_file", {}),
      call("bash", args),
    );
    const got = await run(wire, turn);
    expect(got.errors).toEqual([]);
    expect(got.finish).toBe("tool-calls");
    expect(got.calls.map(({ name }) => name)).toEqual(["bash", "read_file", "bash"]);
    expect(got.calls.map(({ input }) => JSON.parse(input))).toEqual([args, {}, args]);
    expect(new Set(got.calls.map(({ id }) => id)).size).toBe(3);
  });

  test(`${wire}: the finish reason is told`, async () => {
    expect((await run(wire, { ...answer("cut"), finish: "length" })).finish).toBe("length");
    expect((await run(wire, { ...answer("no"), finish: "content-filter" })).finish).toBe("content-filter");
  });

  test(`${wire}: a failure inside the stream is an error, and what came before it is kept`, async () => {
    const failure = { afterEvents: 6, status: 529, message: "Overloaded" };
    const got = await run(wire, { ...answer(text("x".repeat(200), 1)), failure });
    expect(got.errors.length).toBeGreaterThan(0);
    expect(got.text).toStartWith("x");
    expect(got.text.length).toBeLessThan(200);
  });

  test(`${wire}: a whole answer, not streamed`, async () => {
    server.script([
      { ...answer(text("hi"), call("bash", { command: "ls" })), usage: { input: 9, output: 4 } },
    ]);
    const result = await sdkModel(server.url, wire, MODELS[wire]).doGenerate({ prompt: USER, ...TOOLS });
    expect(result.content.map(({ type }) => type)).toEqual(["text", "tool-call"]);
    expect(result.finishReason.unified).toBe("tool-calls");
    expect(result.usage.inputTokens.total).toBe(9);
    expect(result.usage.outputTokens.total).toBe(4);
  });

  test(`${wire}: ten rounds of thinking and parallel calls, given back and accepted`, async () => {
    server.script((request) => {
      const round = server.requests.indexOf(request);
      return answer(thought(`Step ${round}…`), call("bash", { command: `${round}` }), call("read_file"));
    });
    const before = server.requests.length;
    const mark = GIVEN_BACK[wire];
    const model = sdkModel(server.url, wire, MODELS[wire]);
    const prompt: LanguageModelV4Prompt = [...USER];
    for (let round = 0; round < 10; round++) {
      const got = await ask(model, prompt, THINKING);
      if (mark !== undefined) expect(got.thoughts).toStartWith("Step");
      prompt.push(got.message, {
        role: "tool",
        content: got.calls.map(({ id, name }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: { type: "text", value: "done" },
        })),
      });
    }
    prompt.push({ role: "user", content: [{ type: "text", text: "and now?" }] });
    await ask(model, prompt, THINKING);
    const made = server.requests.slice(before);
    expect(made).toHaveLength(11);
    expect(made.flatMap(({ problems }) => problems)).toEqual([]);
    const last = made.at(-1)?.text ?? "";
    if (mark !== undefined) expect(last.split(`"${mark}":`)).toHaveLength(11);
    expect(last).not.toContain("skip_thought_signature_validator");
  });

  test(`${wire}: an image is taken`, async () => {
    const prompt: LanguageModelV4Prompt = [
      {
        role: "user",
        content: [
          { type: "text", text: "what is it?" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: PNG } },
        ],
      },
    ];
    const got = await run(wire, answer("a pixel"), TOOLS, prompt);
    expect(got.text).toBe("a pixel");
    expect(server.requests.at(-1)?.text).toContain(PNG);
  });
}

test("anthropic: redacted thinking goes there and back", async () => {
  server.script([answer({ kind: "thought", text: "secret", redacted: true }, call("bash")), answer("done")]);
  const model = sdkModel(server.url, "anthropic", MODELS.anthropic);
  const first = await ask(model, USER, THINKING);
  const result = {
    type: "tool-result" as const,
    toolCallId: first.calls[0]?.id ?? "",
    toolName: "bash",
    output: { type: "text" as const, value: "ok" },
  };
  const second = await ask(model, [...USER, first.message, { role: "tool", content: [result] }], THINKING);
  expect(second.text).toBe("done");
  expect(server.requests.at(-1)?.text).toContain("redacted_thinking");
});

test("openai-responses: items the vendor keeps are given back by reference", async () => {
  server.script([answer(thought("hm"), text("well")), answer("yes")]);
  const model = sdkModel(server.url, "openai-responses", MODELS["openai-responses"]);
  const first = await ask(model, USER, TOOLS);
  const second = await ask(model, [...USER, first.message, ...USER.slice(1)], TOOLS);
  expect(second.text).toBe("yes");
  expect(server.requests.at(-1)?.text).toContain("item_reference");
});
