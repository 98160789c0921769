// Unusual ways to start and end a request: without a prompt, too early, two at once, a consumer that leaves early.
import { expect, test } from "bun:test";
import { processRequest } from "../../src/app/process-request.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { UserAbortError } from "../../src/domain/error.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import { isSettled } from "../../src/domain/tool-call.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import type { ScriptedTurn } from "../../src/models/scripted.ts";
import { outline, type Scenario, scenario, tool } from "../support/scenario.ts";

const blank = [{ type: "text", text: " " }];
test.each([[""], [" \n"], [[]], [blank], [undefined], [null], [5], [{}], [[5]], [[{ type: "text" }]]])(
  "%j is no message: it is refused before anything is asked, saved or changed",
  async (message) => {
    const saved: unknown[] = [];
    const record = {
      prompt: async () => void saved.push("prompt"),
      event: async () => void saved.push("event"),
      catchUp: async () => void saved.push("messages"),
    };
    const { manager, model, requests } = scenario([[{ text: "hi" }]], [], { record });
    const error = await processRequest(message as string, model, manager).catch((caught) => caught);
    expect(error).toMatchObject({ code: "usage" });
    expect(manager.session.conversation.messages).toEqual([]);
    expect([...requests, ...saved]).toEqual([]);
  },
);

test("a picture without words is a message", async () => {
  const { manager, model } = scenario([[{ text: "a cat" }]]);
  await processRequest([{ type: "image", mediaType: "image/png", data: "AAAA" }], model, manager);
  expect(checkHistory(manager.session.conversation.messages)).toEqual([]);
});

test.each([
  ["no reason", undefined],
  ["null", null],
  ["words", "the window was closed"],
  ["an error", new Error("the window was closed")],
  ["a UserAbortError", new UserAbortError()],
])("an abort with %s is an abort", async (_what, reason) => {
  const run = scenario([[{ text: "so far", deltas: 2 }, { hang: true }]]);
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 1);
  const { outcome, messages } = await run.ask("go", { controller });
  expect(outcome.type).toBe("aborted");
  expect(outline(messages)).toBe("prompt | interrupted");
});

test("a negative time limit is a configuration error, before anything is asked", async () => {
  const { manager, model, requests } = scenario([[{ text: "hi" }]], [], {
    loop: { requestTimeoutSeconds: -1 },
  });
  await expect(processRequest("go", model, manager)).rejects.toMatchObject({ code: "config" });
  expect(requests).toEqual([]);
});

/** Calls one slow tool, then answers. */
const oneCall = (request: ModelRequest): ScriptedTurn =>
  request.messages.at(-1)?.parts.some((part) => part.kind === "tool-return")
    ? [{ text: "done" }]
    : [{ call: "slow", args: { n: request.messages.length } }];

function slowRun(): Scenario {
  const run = scenario(oneCall, [
    tool("slow", "read", async (_args, { signal }) => {
      await run.clock.sleep(1000, signal);
      return "ok";
    }),
  ]);
  return run;
}

test("requests made during a request wait for its end, in order", async () => {
  const followUps: Promise<unknown>[] = [];
  const run = scenario(oneCall, [
    tool("slow", "read", async () => {
      if (followUps.length === 0) followUps.push(ask("two"), ask("three"));
      await run.clock.sleep(1000);
      return "ok";
    }),
  ]);
  const ask = (prompt: string) => processRequest(prompt, run.model, run.manager);
  await ask("one");
  await Promise.all(followUps);
  const { messages } = run.manager.session.conversation;
  const turn = "prompt | call:slow | return:slow(completed) | text";
  expect(outline(messages)).toBe([turn, turn, turn].join(" | "));
  expect(JSON.stringify(messages)).toMatch(/one.*two.*three/);
  expect(checkHistory(messages)).toEqual([]);
});

test("a request that is aborted while it waits leaves no trace, and later ones continue", async () => {
  const run = slowRun();
  const controller = new AbortController();
  const first = run.ask("one");
  const second = run.ask("two", { controller });
  const third = run.ask("three");
  controller.abort(new UserAbortError("not that"));
  await expect(second).rejects.toThrow("not that");
  expect([(await first).outcome.type, (await third).outcome.type]).toEqual(["completed", "completed"]);
  expect(JSON.stringify(run.manager.session.conversation.messages)).not.toContain("two");
});

test("a consumer that stops listening stops the request, and its turn is closed", async () => {
  const kinds = [
    "request-start",
    "message-end",
    "node-start",
    "batch-start",
    "tool-start",
    "tool-end",
  ] as const;
  for (const kind of kinds) {
    const run = slowRun();
    for await (const event of runRequest("go", run.model, run.manager)) if (event.type === kind) break;
    const { conversation, runtime } = run.manager.session;
    expect(checkHistory(conversation.messages)).toEqual([]);
    expect(outline(conversation.messages)).toEndWith("interrupted");
    expect(runtime.toolRegistry.list().every(isSettled)).toBe(true);
    expect(run.clock.waiting()).toBe(0);
    expect((await run.ask("next")).outcome.type).toBe("completed");
  }
});

test("a consumer that leaves at the very end stops nothing", async () => {
  const run = scenario([[{ text: "done" }]]);
  const controller = new AbortController();
  for await (const { type } of runRequest("go", run.model, run.manager, { controller }))
    if (type === "request-end") break;
  expect(controller.signal.aborted).toBe(false);
  expect(outline(run.manager.session.conversation.messages)).toBe("prompt | text");
});

test.each(["createModel", "systemPrompt"])("%s that hangs does not delay an abort", async (port) => {
  const hang = () => new Promise<never>(() => {});
  const run = scenario([[{ text: "hi" }]], [], { [port]: hang });
  const controller = new AbortController();
  setTimeout(() => controller.abort(new UserAbortError("enough")), 1);
  await expect(processRequest("go", "demo:script", run.manager, {}, { controller })).rejects.toThrow(
    "enough",
  );
  expect(outline(run.manager.session.conversation.messages)).toBe("prompt | interrupted");
  expect(run.requests).toEqual([]);
});

test("a record that fails ends the request, and the conversation in memory is complete", async () => {
  let events = 0;
  const record = {
    prompt: async () => {},
    catchUp: async () => {},
    event: async () => {
      if (++events > 6) throw new Error("no such disk");
    },
  };
  const run = scenario(oneCall, [tool("slow", "read", () => "ok")], { record });
  await expect(processRequest("go", run.model, run.manager)).rejects.toThrow("no such disk");
  const { conversation, runtime } = run.manager.session;
  expect(outline(conversation.messages)).toEndWith("interrupted");
  expect(checkHistory(conversation.messages)).toEqual([]);
  expect(runtime.toolRegistry.list().every(isSettled)).toBe(true);
});

test("a model that can't even be dropped causes an error, but the prompt is kept", async () => {
  const run = scenario([[{ fail: new Error("first") }]], [], {
    onDrop: () => {
      throw new Error("second");
    },
  });
  await expect(processRequest("go", run.model, run.manager)).rejects.toThrow("second");
  expect(outline(run.manager.session.conversation.messages)).toBe("prompt | interrupted");
});
