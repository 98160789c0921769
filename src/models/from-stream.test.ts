import { expect, test } from "bun:test";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelEvent } from "../domain/model.ts";
import { dialectOf } from "./dialect.ts";
import { StreamReader } from "./from-stream.ts";
import { resolveProvider } from "./resolve-provider.ts";

const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

const finish = (unified: "stop" | "length" | "tool-calls" | "interrupted" | "error" = "stop") =>
  ({ type: "finish", usage: NO_USAGE, finishReason: { unified, raw: undefined } }) as const;
const says = (id: string, delta: string) => ({ type: "text-delta", id, delta }) as const;
const calls = (toolCallId: string, input = "{}") =>
  ({ type: "tool-call", toolCallId, toolName: "bash", input }) as const;

function read(parts: LanguageModelV4StreamPart[], provider = "anthropic") {
  const dialect = dialectOf(resolveProvider(provider, { env: {} }), "m");
  return new StreamReader(dialect).read(parts, true);
}

/** The parts in short: "text:Hello call:a". */
function outline(events: readonly ModelEvent[]): string {
  return events
    .flatMap((event) => {
      if (event.type !== "part" || event.part.kind === "unknown") return [];
      return event.part.kind === "tool-call"
        ? `call:${event.part.toolCallId}`
        : `${event.part.kind}:${event.part.content}`;
    })
    .join(" ");
}

test("deltas that came together are handed on together, and their part is whole", () => {
  const { events } = read([says("0", "He"), says("0", "llo"), { type: "text-end", id: "0" }, finish()]);
  expect(events.filter(({ type }) => type === "text-delta")).toEqual([{ type: "text-delta", text: "Hello" }]);
  expect(outline(events)).toBe("text:Hello");
});

test("a stream that ends without a finish has a fault, one with a finish has none", () => {
  expect(read([says("0", "Hello")]).fault).toEqual({});
  expect(read([says("0", "Hello"), finish("interrupted")]).fault).toEqual({});
  expect(read([says("0", "Hello"), finish()]).fault).toBeUndefined();
});

test("calls wait for the end: a fault before it drops them, and nothing else", () => {
  const begun = [says("0", "Hello"), { type: "text-end", id: "0" }, calls("a")] as const;
  expect(outline(read([...begun, finish("tool-calls")]).events)).toBe("text:Hello call:a");
  expect(outline(read([...begun]).events)).toBe("text:Hello");
  const { events, fault } = read([...begun, { type: "error", error: { message: "m" } }]);
  expect([outline(events), fault]).toEqual(["text:Hello", { reported: { message: "m" } }]);
});

test("words after a call stay after it", () => {
  const parts = [
    calls("a"),
    says("1", "after"),
    { type: "text-end", id: "1" } as const,
    finish("tool-calls"),
  ];
  expect(outline(read(parts).events)).toBe("call:a text:after");
});

test.each([
  ["stop", true, "tool-call"],
  ["stop", false, "stop"],
  ["tool-calls", false, "stop"],
  ["length", true, "length"],
] as const)("%s with calls: %p means %s", (given, hasCalls, expected) => {
  const { events } = read([...(hasCalls ? [calls("a")] : []), finish(given)]);
  expect(events.at(-1)).toMatchObject({ type: "finish", reason: expected });
});

test("a blank text is no part; a blank thought is a part if its vendor wants it back", () => {
  const thought = {
    type: "reasoning-end",
    id: "t",
    providerMetadata: { anthropic: { redactedData: "x" } },
  } as const;
  const { events } = read([
    says("0", "  \n"),
    { type: "text-end", id: "0" },
    { type: "reasoning-start", id: "t" },
    thought,
    { type: "reasoning-start", id: "u" },
    { type: "reasoning-end", id: "u" },
    finish(),
  ]);
  expect(outline(events)).toBe("thinking:");
});

test("the last details of a part are its details", () => {
  const details = { anthropic: { signature: "s" } };
  const { events } = read([
    { type: "reasoning-start", id: "t" },
    { type: "reasoning-delta", id: "t", delta: "hm" },
    { type: "reasoning-delta", id: "t", delta: "", providerMetadata: details },
    { type: "reasoning-end", id: "t" },
    finish(),
  ]);
  expect(events.find((event) => event.type === "part")?.part).toEqual({
    kind: "thinking",
    content: "hm",
    providerName: "anthropic",
    providerDetails: details,
  });
});

test("think tags are read on chat servers only", () => {
  const parts = [says("0", "<think>hm</think>ok"), { type: "text-end", id: "0" } as const, finish()];
  expect(outline(read(parts, "ollama").events)).toBe("thinking:hm text:ok");
  expect(outline(read(parts, "anthropic").events)).toBe("text:<think>hm</think>ok");
});

test("a tool that the vendor runs itself is not ours to run", () => {
  const { events } = read([{ ...calls("a"), providerExecuted: true }, finish()]);
  expect(outline(events)).toBe("");
});

test("a call that is being written shows its progress", () => {
  const { events } = read([
    { type: "tool-input-start", id: "a", toolName: " bash " },
    { type: "tool-input-delta", id: "a", delta: '{"a":' },
    { type: "tool-input-delta", id: "a", delta: "1}" },
    finish(),
  ]);
  expect(events[0]).toEqual({ type: "call-delta", toolName: "bash", characters: 7 });
});
