import { expect, test } from "bun:test";
import type { ResponsePart } from "../domain/part.ts";
import { findCalls } from "./find-calls.ts";

const call = (toolCallId: string): ResponsePart => ({
  kind: "tool-call",
  toolCallId,
  toolName: "bash",
  args: {},
});

test("a missing, repeated or taken id is replaced", () => {
  const response = { kind: "response" as const, parts: ["", "a", "a", "b"].map(call) };
  const { calls } = findCalls(response, new Map(), (id) => id === "b");
  const ids = calls.map(({ toolCallId }) => toolCallId);
  expect(ids[1]).toBe("a");
  expect(new Set(ids).size).toBe(4);
  expect(ids.includes("b") || ids.includes("")).toBe(false);
});
