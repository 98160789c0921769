// The golden rule: tools never end the loop; the model answers after any of them.
import { expect, test } from "bun:test";
import { checkHistory } from "../../src/history/grammar.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

const ELEVEN = [
  ["read_file", "read"],
  ["grep", "read"],
  ["glob", "read"],
  ["list_dir", "read"],
  ["web_fetch", "read"],
  ["present_plan", "read"],
  ["submit", "read"],
  ["research_codebase", "research"],
  ["bash", "write"],
  ["write_file", "write"],
  ["update_file", "write"],
] as const;

test.each(ELEVEN)("the model answers after %s", async (name, kind) => {
  const { ask, manager } = scenario([[{ call: name }], [{ text: "done" }]], [tool(name, kind, () => "ok")]);
  const { outcome, messages } = await ask("do it");
  expect(outline(messages)).toBe(`prompt | call:${name} | return:${name}(completed) | text`);
  expect(outcome.type).toBe("completed");
  expect(checkHistory(messages)).toEqual([]);
  expect(manager.session.runtime.toolRegistry.list().map((call) => call.status)).toEqual(["completed"]);
});

test("a request continues while responses contain calls, and ends with the first that contains none", async () => {
  const turns = [...Array(20).keys()].map((n) => [{ text: `step ${n}` }, { call: "bash", args: { n } }]);
  const { ask, requests } = scenario(
    [...turns, [{ text: "end" }]],
    [tool("bash", "write", ({ n }) => `result ${n}`)],
  );
  const { messages } = await ask("go");
  expect(requests.length).toBe(21);
  expect(messages.length).toBe(42);
  expect(checkHistory(messages)).toEqual([]);
});

test("task_completed stays false on every normal path, and stops the loop at the next node when set", async () => {
  let seen: { state: { taskCompleted: boolean } } | undefined;
  const turns = [[{ call: "submit" }], [{ text: "never asked for" }]];
  const normal = scenario(turns, [tool("submit", "read", () => "ok")]);
  await normal.ask("x", { onContext: (context) => (seen = context) });
  expect(seen?.state.taskCompleted).toBe(false);

  const emergency = scenario(turns, [
    tool("submit", "read", () => {
      if (seen !== undefined) seen.state.taskCompleted = true;
      return "ok";
    }),
  ]);
  const { messages } = await emergency.ask("x", { onContext: (context) => (seen = context) });
  expect(emergency.requests.length).toBe(1);
  expect(outline(messages)).toBe("prompt | call:submit | return:submit(completed) | interrupted");
  expect(checkHistory(messages)).toEqual([]);
});

test("the system prompt is sent with every model call and is in no message", async () => {
  const { ask, requests, manager } = scenario(
    [[{ call: "a" }], [{ text: "1" }], [{ text: "2" }]],
    [tool("a", "read", () => "")],
  );
  await ask("one");
  await ask("two");
  expect(requests.map((request) => request.system)).toEqual(Array(3).fill("You are a test."));
  expect(JSON.stringify(manager.session.conversation.messages)).not.toContain("You are a test.");
});

test("a second request sees the first one's conversation", async () => {
  const { ask, requests } = scenario([[{ text: "first" }], [{ text: "second" }]]);
  await ask("one");
  await ask("two");
  expect(outline(requests[1]?.messages ?? [])).toBe("prompt | text | prompt");
});
