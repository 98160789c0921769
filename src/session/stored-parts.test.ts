// Details survive a round trip through the file, and unknown ones of another program are kept unchanged.
import { expect, test } from "bun:test";
import type { JsonValue } from "../base/json.ts";
import type { Message } from "../domain/message.ts";
import type { ToolDetails } from "../domain/tool-details.ts";
import { decodeMessages, encodeMessages } from "./stored-message.ts";

const RETURN = { kind: "tool-return", toolCallId: "1", toolName: "t", content: "x" } as const;

const ALL: readonly ToolDetails[] = [
  { type: "command", exitCode: 2, sandboxed: true, output: "out" },
  { type: "command", exitCode: null, signal: "SIGKILL", sandboxed: false, output: "", earlierLines: 4 },
  { type: "command", exitCode: null, timedOut: true, sandboxed: false, output: "" },
  { type: "edit", path: "/p/a", diff: "@@ -1,1 +1,1 @@\n-a\n+b", created: false },
  { type: "count", count: 3, of: "match" },
  { type: "refusal", by: "person" },
  { type: "refusal", by: "rule", unasked: true },
  { type: "data", value: { any: ["thing", { nested: null }] } },
];

test.each(ALL)("%j is read as it was written", (details) => {
  const messages: Message[] = [{ kind: "request", parts: [{ ...RETURN, details, keptIn: "/kept/1" }] }];
  const written = JSON.parse(JSON.stringify(encodeMessages(messages)));
  expect(decodeMessages(written).messages).toEqual(messages);
});

test("keys are in snake_case on disk", () => {
  const [details] = ALL;
  const [written] = encodeMessages([
    { kind: "request", parts: [{ ...RETURN, ...(details && { details }) }] },
  ]);
  expect(JSON.stringify(written)).toContain('"exit_code":2');
});

test.each<JsonValue>([
  5,
  null,
  { type: "future", x: 1 },
  { type: "edit", path: 5 },
  { type: "count", count: 1, of: "fish" },
  { type: "command", exit_code: "0", sandboxed: true, output: "" },
])("%j, which is not a known detail, is kept and written back", (details) => {
  const part = { part_kind: "tool-return", tool_call_id: "1", tool_name: "t", content: "x", details };
  const { messages } = decodeMessages([{ kind: "request", parts: [part] }]);
  expect(messages[0]?.parts[0]).toMatchObject({ kind: "tool-return", extra: { details } });
  expect(messages[0]?.parts[0]).not.toHaveProperty("details");
  expect(JSON.parse(JSON.stringify(encodeMessages(messages)))[0].parts[0].details).toEqual(details);
});
