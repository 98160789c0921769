// A conversation from disk looks as it did when it happened.
import { expect, test } from "bun:test";
import type { ReturnStatus } from "../../domain/part.ts";
import { replay } from "./replay.ts";

function statusAfter(content: string, status: ReturnStatus): string {
  const call = { toolCallId: "1", toolName: "bash" } as const;
  const entries = replay([
    { kind: "response", parts: [{ kind: "tool-call", ...call, args: {} }] },
    { kind: "request", parts: [{ kind: "tool-return", ...call, content, status }] },
  ]);
  const [entry] = entries;
  return entry?.kind === "tool" ? entry.status : "none";
}

test("what was refused is told as that, what failed as that", () => {
  expect(statusAfter("The person said no: use make", "failed")).toBe("refused");
  expect(statusAfter("Not permitted. A rule says so.", "failed")).toBe("refused");
  expect(statusAfter("bash failed: no such file", "failed")).toBe("failed");
  expect(statusAfter("Not permitted. (a file that says so)", "completed")).toBe("completed");
});
