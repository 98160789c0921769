// Valid histories for property tests. Every prompt, text and return is unique, so that a test can track each of them
// even if ids change.
import fc from "fast-check";
import type { Message } from "../../src/domain/message.ts";
import type { RequestPart, ResponsePart } from "../../src/domain/part.ts";
import { deepFrozen } from "./deep-frozen.ts";

const TOOLS = ["read_file", "grep", "bash"];

const step = fc.record({
  thinks: fc.boolean(),
  says: fc.boolean(),
  tools: fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 3 }),
  answer: fc.constantFrom("completed", "completed", "unmarked", "failed", "cancelled", "retry", "blank"),
  shuffled: fc.boolean(),
  alsoPrompt: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
  unknown: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
});

const turn = fc.record({
  prompt: fc.constantFrom("text", "text", "two", "image", "remark"),
  steps: fc.array(step, { maxLength: 3 }),
  answer: fc.constantFrom("text", "text", "thinking", "signed", "two"),
});

/** The turn is answered, or ends after a prompt or after returns. All are valid until a new message arrives. */
const ending = fc.constantFrom("answered", "answered", "prompt", "returns");

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

export const validHistory: fc.Arbitrary<readonly Message[]> = fc
  .tuple(fc.array(turn, { maxLength: 4 }), ending)
  .map(([turns, end]) => {
    const messages = writeTurns(turns).map(deepFrozen);
    return end === "answered"
      ? messages
      : messages.slice(0, end === "prompt" ? firstOfLastTurn(messages) : -1);
  });

function writeTurns(turns: readonly Turn[]): Message[] {
  let count = 0;
  const next = (what: string) => `${what} ${++count}`;
  return turns.flatMap(({ prompt, steps, answer }) => [
    { kind: "request", parts: promptParts(prompt, next) },
    ...steps.flatMap((one) => writeStep(one, next)),
    { kind: "response", parts: answerParts(answer, next) },
  ]);
}

type Next = (what: string) => string;

function promptParts(prompt: Turn["prompt"], next: Next): RequestPart[] {
  const words: RequestPart = { kind: "user-prompt", content: next("prompt") };
  if (prompt === "two") return [words, { kind: "user-prompt", content: next("prompt") }];
  if (prompt === "remark") return [words, { kind: "retry-prompt", content: next("remark") }];
  if (prompt !== "image") return [words];
  return [{ kind: "user-prompt", content: [{ type: "image", mediaType: "image/png", data: next("image") }] }];
}

function answerParts(answer: Turn["answer"], next: Next): ResponsePart[] {
  const words: ResponsePart = { kind: "text", content: next("text") };
  if (answer === "thinking") return [{ kind: "thinking", content: next("thought") }, words];
  if (answer === "signed") return [{ kind: "thinking", content: "", signature: next("signature") }, words];
  return answer === "two" ? [words, { kind: "text", content: next("text") }] : [words];
}

function writeStep(one: Step, next: Next): Message[] {
  const calls = one.tools.map((toolName) => ({ toolName, toolCallId: next("call").replace(" ", "-") }));
  const answers = calls.map((call) => answerPart(one.answer, call, next));
  const response: ResponsePart[] = [];
  if (one.thinks) response.push({ kind: "thinking", content: next("thought") });
  if (one.says) response.push({ kind: "text", content: next("text") });
  if (one.unknown)
    response.push({ kind: "unknown", raw: { part_kind: "novelty", content: next("unknown") } });
  for (const call of calls) response.push({ kind: "tool-call", ...call, args: { number: next("argument") } });
  const request: RequestPart[] = one.shuffled ? answers.toReversed() : answers;
  if (one.alsoPrompt) request.push({ kind: "user-prompt", content: next("prompt") });
  return [
    { kind: "response", parts: response },
    { kind: "request", parts: request },
  ];
}

function answerPart(
  answer: Step["answer"],
  call: { toolName: string; toolCallId: string },
  next: Next,
): RequestPart {
  switch (answer) {
    case "retry":
      return { kind: "retry-prompt", ...call, content: next("retry") };
    case "blank":
      return { kind: "tool-return", ...call, content: "" };
    case "unmarked":
      return { kind: "tool-return", ...call, content: next("return") };
    default:
      return { kind: "tool-return", ...call, content: next("return"), status: answer };
  }
}

function firstOfLastTurn(messages: readonly Message[]): number {
  return messages.findLastIndex(({ parts }) => parts[0]?.kind === "user-prompt") + 1;
}
