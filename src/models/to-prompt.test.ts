import { describe, expect, test } from "bun:test";
import { PNG } from "../../test/support/small-images.ts";
import type { Message, Response } from "../domain/message.ts";
import type { ResponsePart } from "../domain/part.ts";
import { dialectOf } from "./dialect.ts";
import { resolveProvider } from "./resolve-provider.ts";
import { createPromptWriter } from "./to-prompt.ts";

const writer = (provider: string, model = "m") =>
  createPromptWriter(dialectOf(resolveProvider(provider, { env: {} }), model));

const user = (content: string): Message => ({ kind: "request", parts: [{ kind: "user-prompt", content }] });

const response = (parts: ResponsePart[], more: Partial<Response> = {}): Response => ({
  kind: "response",
  parts,
  ...more,
});

/** "user:text assistant:reasoning,text": roles and the kinds of their content. */
function outline(provider: string, messages: Message[], model = "m"): string {
  return writer(
    provider,
    model,
  )({ system: "", messages, tools: [] })
    .map(
      ({ role, content }) =>
        `${role}:${typeof content === "string" ? content : content.map(({ type }) => type)}`,
    )
    .join(" ");
}

test("the system prompt goes first, unless it is blank", () => {
  const write = writer("openai");
  expect(write({ system: "Be kind.", messages: [user("hi")], tools: [] })[0]).toEqual({
    role: "system",
    content: "Be kind.",
  });
  expect(write({ system: " ", messages: [user("hi")], tools: [] })).toHaveLength(1);
});

test("a message is written once: a growing history keeps its objects", () => {
  const write = writer("openai");
  const messages = [user("a"), response([{ kind: "text", content: "b" }]), user("c")];
  const before = write({ system: "s", messages, tools: [] });
  const after = write({
    system: "s",
    messages: [...messages, response([{ kind: "text", content: "d" }])],
    tools: [],
  });
  for (const [index, message] of before.entries()) if (index > 0) expect(after[index]).toBe(message);
});

test("earlier writing changes nothing, whether the history grows, is nudged, is cut or takes another turn", () => {
  const write = writer("anthropic");
  const call = (toolName: string) => response([{ kind: "tool-call", toolCallId: "a", toolName, args: {} }]);
  const back: Message = {
    kind: "request",
    parts: [{ kind: "tool-return", toolCallId: "a", toolName: "unknown", content: "x" }],
  };
  const nudged: Message = { ...back, parts: [...back.parts, { kind: "retry-prompt", content: "Go on." }] };
  const first = user("a");
  const lists = [
    [first, call("bash"), back],
    [first, call("bash"), nudged],
    [first, call("grep"), back],
    [first, call("grep"), back, response([{ kind: "text", content: "b" }]), user("c")],
    [first],
  ];
  for (const messages of [...lists, ...lists]) {
    const request = { system: "s", messages, tools: [] };
    expect(write(request)).toEqual(writer("anthropic")(request));
  }
});

test("a return is named after its call", () => {
  const call = { kind: "tool-call", toolCallId: "a", toolName: "bash", args: {} } as const;
  const back = { kind: "tool-return", toolCallId: "a", toolName: "unknown", content: "x" } as const;
  const prompt = writer("google")({
    system: "",
    messages: [user("hi"), response([call]), { kind: "request", parts: [back] }],
    tools: [],
  });
  expect(prompt[2]?.content[0]).toMatchObject({ type: "tool-result", toolName: "bash" });
});

describe("thinking", () => {
  const signed = {
    kind: "thinking",
    content: "hm",
    providerName: "anthropic",
    providerDetails: { anthropic: { signature: "s" } },
  } as const;
  const words = { kind: "text", content: "ok" } as const;
  const by = (provider: string, model: string) => [
    user("hi"),
    response([signed, words], { providerName: provider, modelName: model }),
  ];

  test("goes back to the model that had it", () => {
    expect(outline("anthropic", by("anthropic", "m"))).toBe("user:text assistant:reasoning,text");
  });

  test("goes to nobody else: not to another vendor, not to another model", () => {
    expect(outline("openai", by("anthropic", "m"))).toBe("user:text assistant:text");
    expect(outline("anthropic", by("anthropic", "other"))).toBe("user:text assistant:text");
    expect(outline("groq", by("anthropic", "m"))).toBe("user:text assistant:text");
  });

  test("of an old file goes back with its signature", () => {
    const old = { kind: "thinking", content: "hm", signature: "s", providerName: "anthropic" } as const;
    const prompt = writer("anthropic")({
      system: "",
      messages: [user("hi"), response([old, words])],
      tools: [],
    });
    expect(prompt[1]?.content[0]).toMatchObject({ providerOptions: { anthropic: { signature: "s" } } });
  });

  test("without a signature is left out", () => {
    const unsigned = { kind: "thinking", content: "hm", providerName: "anthropic" } as const;
    expect(outline("anthropic", [user("hi"), response([unsigned, words])])).toBe("user:text assistant:text");
  });

  test("that leads to nothing is left out", () => {
    const end = response([words, signed], { providerName: "anthropic", modelName: "m" });
    expect(outline("anthropic", [user("hi"), end])).toBe("user:text assistant:text");
    const alone = response([signed], { providerName: "anthropic", modelName: "m" });
    expect(outline("anthropic", [user("hi"), alone])).toBe("user:text");
  });
});

test("what a vendor attached to text and calls goes back to that vendor only", () => {
  const call = {
    kind: "tool-call",
    toolCallId: "a",
    toolName: "bash",
    args: {},
    providerDetails: { google: { thoughtSignature: "s" } },
  } as const;
  const written = (provider: string) =>
    writer(provider)({
      system: "",
      messages: [user("hi"), response([call], { providerName: "google", modelName: "m" })],
      tools: [],
    })[1]?.content[0];
  expect(written("google")).toHaveProperty("providerOptions");
  expect(written("groq")).not.toHaveProperty("providerOptions");
});

test("neighbouring texts are joined, images stay in place", () => {
  const data = PNG.toString("base64");
  // A vendor refuses an image under a wrong name.
  const image = { type: "image", mediaType: "image/jpeg", data } as const;
  const messages: Message[] = [
    {
      kind: "request",
      parts: [
        { kind: "user-prompt", content: "a" },
        { kind: "retry-prompt", content: "b" },
        {
          kind: "user-prompt",
          content: [{ type: "json", value: { c: 1 } }, image, { type: "text", text: "d" }],
        },
      ],
    },
  ];
  expect(writer("openai")({ system: "", messages, tools: [] })[0]?.content).toEqual([
    { type: "text", text: 'a\n\nb\n\n{"c":1}' },
    { type: "file", mediaType: "image/png", data: { type: "data", data } },
    { type: "text", text: "d" },
  ]);
});

test("an image that is damaged is named and not sent", () => {
  const data = PNG.subarray(0, 8).toString("base64");
  const image = { type: "image", mediaType: "image/png", data } as const;
  const messages: Message[] = [{ kind: "request", parts: [{ kind: "user-prompt", content: [image] }] }];
  expect(writer("openai")({ system: "", messages, tools: [] })[0]?.content).toEqual([
    { type: "text", text: "[An image (image/png) is not shown: it is damaged.]" },
  ]);
});
