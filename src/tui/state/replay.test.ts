// A replayed conversation looks as it did when it happened.
import { expect, test } from "bun:test";
import type { ReturnStatus } from "../../domain/part.ts";
import type { ToolDetails } from "../../domain/tool-details.ts";
import { replay } from "./replay.ts";

function statusAfter(content: string, status: ReturnStatus, details?: ToolDetails): string {
  const call = { toolCallId: "1", toolName: "bash" } as const;
  const answer = { kind: "tool-return", ...call, content, status, ...(details && { details }) } as const;
  const entries = replay(
    [
      { kind: "response", parts: [{ kind: "tool-call", ...call, args: {} }] },
      { kind: "request", parts: [answer] },
    ],
    {},
  );
  const [entry] = entries;
  return entry?.kind === "tool" ? entry.status : "none";
}

test("a refused call is shown as refused, a failed one as failed", () => {
  const no = "The person said no: use make";
  expect(statusAfter(no, "failed", { type: "refusal", by: "person" })).toBe("refused");
  expect(statusAfter("Not permitted.", "failed", { type: "refusal", by: "rule" })).toBe("refused");
  // In a file of the old program only the text says why, and no code reads text that is for the model.
  expect(statusAfter(no, "failed")).toBe("failed");
  expect(statusAfter("bash failed: no such file", "failed")).toBe("failed");
  expect(statusAfter("Not permitted. (a file that says so)", "completed")).toBe("completed");
});
