// Messages sent while a request runs reach the model with the next tool returns.
import { expect, test } from "bun:test";
import type { Content } from "../../src/domain/content.ts";
import { UserAbortError } from "../../src/domain/error.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

test("a steering message is delivered with the next tool returns, once", async () => {
  const waiting: Content[] = [];
  const run = scenario(
    [[{ call: "t" }], [{ call: "t" }], [{ text: "done" }]],
    [
      tool("t", "read", () => {
        if (run.requests.length === 1) waiting.push("use the other file", "and hurry");
        return `${run.requests.length}`;
      }),
    ],
  );
  const { messages } = await run.ask("go", { takeSteering: () => waiting.splice(0) });
  expect(outline(messages)).toBe(
    "prompt | call:t | return:t(completed) prompt prompt | call:t | return:t(completed) | text",
  );
  expect(JSON.stringify(run.requests[1]?.messages.at(-1))).toContain("use the other file");
  expect(checkHistory(messages)).toEqual([]);
});

test("blank steering is ignored and does not make the conversation invalid", async () => {
  const waiting: Content[] = ["", " \n", [], [{ type: "text", text: " " }]];
  const run = scenario([[{ call: "t" }], [{ text: "done" }]], [tool("t", "read", () => "ok")]);
  const { messages } = await run.ask("go", { takeSteering: () => waiting.splice(0) });
  expect(outline(messages)).toBe("prompt | call:t | return:t(completed) | text");
  expect(checkHistory(messages)).toEqual([]);
});

test("steering stays with its sender when the request is stopped in a tool", async () => {
  const waiting: Content[] = [];
  const controller = new AbortController();
  const stopped = tool("t", "write", () => {
    waiting.push("use the other file");
    controller.abort(new UserAbortError());
    return "ok";
  });
  const { messages } = await scenario([[{ call: "t" }]], [stopped]).ask("go", {
    controller,
    takeSteering: () => waiting.splice(0),
  });
  expect(JSON.stringify(messages)).not.toContain("use the other file");
  expect(waiting).toEqual(["use the other file"]);
  expect(checkHistory(messages)).toEqual([]);
});

test("steering that comes too late for any tool return stays with its sender", async () => {
  const waiting: Content[] = ["too late"];
  const { messages } = await scenario([[{ text: "done" }]]).ask("go", {
    takeSteering: () => waiting.splice(0),
  });
  expect(outline(messages)).toBe("prompt | text");
  expect(waiting).toEqual(["too late"]);
});
