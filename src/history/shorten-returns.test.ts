// Returns that are too big for the window lose their middle; everything else stays the same object.
import { expect, test } from "bun:test";
import type { Content } from "../domain/content.ts";
import type { Message } from "../domain/message.ts";
import { contentCharacters } from "../domain/tokens.ts";
import { shortenReadReturns, shortenReturns } from "./shorten-returns.ts";

const REMARK = 130;

function returning(...contents: readonly Content[]): Message[] {
  const ids = contents.map((_, index) => `c${index}`);
  return [
    { kind: "request", parts: [{ kind: "user-prompt", content: "p".repeat(5000) }] },
    {
      kind: "response",
      parts: ids.map((toolCallId) => ({ kind: "tool-call", toolCallId, toolName: "t", args: {} })),
    },
    {
      kind: "request",
      parts: contents.map((content, index) => ({
        kind: "tool-return",
        toolCallId: `c${index}`,
        toolName: "t",
        content,
      })),
    },
  ];
}

function sizes(messages: readonly Message[]): number[] {
  return (messages[2]?.parts ?? []).map((part) =>
    part.kind === "tool-return" ? contentCharacters(part.content) : -1,
  );
}

test("a history that fits is returned as the same object", () => {
  const messages = returning("x".repeat(400), "y".repeat(600));
  expect(shortenReturns(messages, 1000)).toBe(messages);
  expect(shortenReturns(messages.slice(0, 2), 10)).toEqual(messages.slice(0, 2));
});

test("big returns share the characters that small ones leave", () => {
  const messages = returning("a".repeat(100), "b".repeat(9000), "c".repeat(9000));
  const shorter = shortenReturns(messages, 2100);
  const [small, big, other] = sizes(shorter);
  expect(small).toBe(100);
  for (const size of [big ?? 0, other ?? 0]) {
    expect(size).toBeGreaterThan(1000);
    expect(size).toBeLessThan(1000 + REMARK);
  }
  expect(shorter[0]).toBe(messages[0] as Message);
});

test("head and tail stay, and the remark says what to do", () => {
  const [, , request] = shortenReturns(returning(`begin${"x".repeat(5000)}end`), 500);
  const part = request?.parts[0];
  const text = part?.kind === "tool-return" ? String(part.content) : "";
  expect(text).toStartWith("begin");
  expect(text).toEndWith("end");
  expect(text).toContain(
    "4508 characters left out, because this model can't read so much at once: ask for less",
  );
});

test("images and many pieces are shortened, too", () => {
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
  const shorter = shortenReturns(returning([{ type: "text", text: "x".repeat(5000) }, image]), 1000);
  expect(sizes(shorter)[0]).toBeLessThan(1000 + REMARK);
  expect(JSON.stringify(shorter)).toContain("[image image/png left out]");
});

test("a return that the model has read is shortened wherever it stands; smaller ones and new ones are not", () => {
  const answer: Message = { kind: "response", parts: [{ kind: "text", content: "read" }] };
  const read = [...returning("a".repeat(900), `begin${"b".repeat(9000)}end`), answer];
  const [small, big] = sizes(shortenReadReturns(read, 1000, 500));
  expect(small).toBe(900);
  expect(big).toBeLessThan(500 + REMARK);
  expect(shortenReadReturns(read, 10_000, 500)).toBe(read);
  const unread = returning("b".repeat(9000));
  expect(shortenReadReturns(unread, 1000, 500)).toBe(unread);
});
