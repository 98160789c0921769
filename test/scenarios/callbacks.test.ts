// processRequest's callbacks, session updates and exceptions, as the contract describes them.
import { expect, test } from "bun:test";
import { processNode, processRequest } from "../../src/app/process-request.ts";
import { GlobalRequestTimeoutError, ProviderError, UserAbortError } from "../../src/domain/error.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { ResponseState } from "../../src/loop/response-state.ts";
import { addMessage } from "../../src/session/reduce.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

const usage = { requestTokens: 100, responseTokens: 20, cachedTokens: 40 };
const price = { input: 2, output: 10, cacheRead: 1 };

function turnWithTools() {
  const turns = [
    [
      { thought: "think" },
      { text: "I will look.", deltas: 3 },
      { call: "ok", args: { n: 1 } },
      { call: "bad" },
      { usage },
    ],
    [{ text: "done" }, { usage }],
  ];
  const tools = [
    tool("ok", "read", async (_args, context) => {
      context.progress("half way");
      await run.clock.sleep(250);
      return "fine";
    }),
    tool("bad", "write", () => {
      throw new Error("broken");
    }),
  ];
  const run = scenario(turns, tools, { price });
  return run;
}

test("every callback is called, in order, with real statuses, arguments and durations", async () => {
  const log: unknown[] = [];
  const { manager, model } = turnWithTools();
  const run = await processRequest("go", model, manager, {
    streamingCallback: async (text) => void log.push(text),
    toolStartCallback: (label) => log.push(["start", label]),
    toolCallback: async (call, node) => void log.push(["call", call.toolName, "modelResponse" in node]),
    toolProgressCallback: (text) => log.push(["progress", text]),
    toolResultCallback: (...result) => log.push(result),
  });
  expect(log).toEqual([
    "I wi",
    "ll l",
    "ook.",
    ["start", "ok, bad"],
    ["call", "ok", true],
    ["progress", "half way"],
    ["ok", "completed", { n: 1 }, "fine", 250],
    ["call", "bad", true],
    ["bad", "failed", {}, "bad failed: broken", 0],
    "done",
  ]);
  const nodes = [];
  for await (const node of run) nodes.push("request" in node ? "request" : "response");
  expect(nodes).toEqual(["request", "response", "request", "response"]);
  expect(run.responseState).toMatchObject({
    current: "response",
    hasUserResponse: true,
    taskCompleted: false,
  });
  expect(run.allMessages()).toEqual(manager.session.conversation.messages);
  expect(run.requestId).toMatch(/^[0-9a-f]{8}$/);
});

test("the session knows counters, usage, cost, thoughts, query and tokens", async () => {
  const { manager, model } = turnWithTools();
  const { requestId } = await processRequest("go", model, manager);
  const { runtime, usage: used, conversation, task } = manager.session;
  expect(runtime).toMatchObject({ requestId, currentIteration: 2, iterationCount: 2, batchCounter: 1 });
  expect(runtime.toolRegistry.list().map((call) => call.status)).toEqual(["completed", "failed"]);
  const cost = (60 * 2 + 40 * 1 + 20 * 10) / 1e6;
  expect(used.lastCall).toEqual({ promptTokens: 100, completionTokens: 20, cachedTokens: 40, cost });
  expect(used.sessionTotal).toEqual({
    promptTokens: 200,
    completionTokens: 40,
    cachedTokens: 80,
    cost: cost * 2,
  });
  expect(conversation.thoughts).toEqual(["think"]);
  expect(conversation.totalTokens).toBeGreaterThan(10);
  expect(task.originalQuery).toBe("go");
  await processRequest("next", model, manager);
  expect(runtime.toolRegistry.list()).toEqual([]);
  expect(runtime.iterationCount).toBe(1);
});

test("a streaming callback that throws fails the request cleanly", async () => {
  for (const streamingCallback of [
    () => Promise.reject(new Error("no screen")),
    () => {
      throw new Error("no screen");
    },
  ]) {
    const { manager, model } = turnWithTools();
    await expect(processRequest("go", model, manager, { streamingCallback })).rejects.toThrow("no screen");
    expect(outline(manager.session.conversation.messages)).toBe("prompt | interrupted");
    expect(checkHistory(manager.session.conversation.messages)).toEqual([]);
  }
});

test("a tool callback that throws fails its call; a UserAbortError aborts the request", async () => {
  const failing = turnWithTools();
  await processRequest("go", failing.model, failing.manager, {
    toolCallback: async (call) => {
      if (call.toolName === "ok") throw new Error("hook");
    },
  });
  expect(outline(failing.manager.session.conversation.messages)).toContain(
    "return:ok(failed) return:bad(failed)",
  );

  const aborting = turnWithTools();
  const toolCallback = async () => {
    throw new UserAbortError("enough");
  };
  await expect(processRequest("go", aborting.model, aborting.manager, { toolCallback })).rejects.toThrow(
    "enough",
  );
  expect(outline(aborting.manager.session.conversation.messages)).toBe(
    "prompt | thinking text call:ok call:bad | return:ok(cancelled) return:bad(cancelled) | interrupted",
  );
});

test("arguments that beforeExecute changes are what runs, and what the tool callback is told", async () => {
  const ran: unknown[] = [];
  const told: unknown[] = [];
  const look = tool("look", "read", (args) => {
    ran.push(args);
    return "";
  });
  const { manager, model } = scenario([[{ call: "look", args: { n: 1 } }], [{ text: "done" }]], [look]);
  const toolCallback = async ({ args }: { args: unknown }) => void told.push(args);
  const beforeExecute = async () => ({ n: 2 });
  await processRequest("go", model, manager, { toolCallback }, { beforeExecute });
  expect([ran, told]).toEqual([[{ n: 2 }], [{ n: 2 }]]);
});

test("onContext receives the context of the request, before its first event", async () => {
  const seen: string[] = [];
  const { manager, model } = scenario([[{ text: "done" }]]);
  const streamingCallback = async (text: string) => void seen.push(text);
  const onContext = ({ requestId }: { requestId: string }) => void seen.push(requestId);
  const requestId = "12345678";
  await processRequest("go", model, manager, { streamingCallback }, { onContext, requestId });
  expect(seen).toEqual([requestId, "done"]);
});

test("display callbacks that throw are logged and do no harm", async () => {
  const logged: string[] = [];
  const { manager, model } = turnWithTools();
  const broken = () => {
    throw new Error("panel");
  };
  const withLog = {
    ...manager,
    ports: { ...manager.ports, log: (message: string) => void logged.push(message) },
  };
  const run = await processRequest("go", model, withLog, {
    toolStartCallback: broken,
    toolProgressCallback: broken,
    toolResultCallback: broken,
    noticeCallback: broken,
  });
  expect(run.outcome.type).toBe("completed");
  expect(logged.length).toBe(4);
});

test("a display callback that rejects, or never ends, is as harmless as one that throws", async () => {
  const logged: string[] = [];
  const { manager, model } = turnWithTools();
  const log = (message: string) => void logged.push(message);
  const broken = async () => {
    throw new Error("panel");
  };
  const hanging = () => new Promise<void>(() => {});
  await processRequest(
    "go",
    model,
    { ...manager, ports: { ...manager.ports, log } },
    {
      toolStartCallback: broken,
      toolProgressCallback: hanging,
      toolResultCallback: broken,
    },
  );
  // An unhandled rejection would fail this test by itself.
  expect(logged.length).toBe(3);
});

test("a streaming callback that never ends does not delay an abort", async () => {
  const { manager, model } = turnWithTools();
  const controller = new AbortController();
  const streamingCallback = () => {
    setTimeout(() => controller.abort(new UserAbortError("enough")), 1);
    return new Promise<void>(() => {});
  };
  await expect(processRequest("go", model, manager, { streamingCallback }, { controller })).rejects.toThrow(
    "enough",
  );
  expect(outline(manager.session.conversation.messages)).toBe("prompt | interrupted");
});

test("a provider's error comes out with its code, after the turn was closed with what had been shown", async () => {
  const error = new ProviderError("provider_unreachable", "connection lost");
  const { manager, model } = scenario([[{ text: "half an answ", deltas: 2 }, { fail: error }]]);
  await expect(processRequest("go", model, manager)).rejects.toBe(error);
  expect(manager.session.conversation.messages[1]?.parts).toEqual([
    { kind: "text", content: "[INTERRUPTED]\n\nhalf an answ" },
  ]);
});

test("the global timeout throws GlobalRequestTimeoutError, drops clients, and doesn't count a person's time", async () => {
  let dropped = 0;
  const run = scenario([[{ call: "t" }], [{ hang: true }]], [tool("t", "read", () => "ok")], {
    loop: { requestTimeoutSeconds: 10 },
    onDrop: () => dropped++,
    permit: async (_call, _tool, signal) => {
      await run.clock.sleep(60_000, signal);
      return { type: "allow" };
    },
  });
  const startedAt = run.clock.now();
  const error = await processRequest("go", run.model, run.manager).catch((caught) => caught);
  expect(error).toBeInstanceOf(GlobalRequestTimeoutError);
  expect(error.seconds).toBe(10);
  expect(run.clock.now() - startedAt).toBe(70_000);
  expect(dropped).toBe(1);
  expect(outline(run.manager.session.conversation.messages)).toBe(
    "prompt | call:t | return:t(completed) | interrupted",
  );
});

test("messages that others append during a request stay, after the request's own", async () => {
  const note = {
    kind: "request",
    parts: [{ kind: "user-prompt", content: "from a shell command" }],
  } as const;
  const run = scenario(
    [[{ call: "t" }], [{ text: "done" }]],
    [
      tool("t", "read", () => {
        addMessage(run.manager.session, note);
        return "ok";
      }),
    ],
  );
  const ended = await processRequest("go", run.model, run.manager);
  const { messages } = run.manager.session.conversation;
  expect(outline(messages)).toBe("prompt | call:t | return:t(completed) | text | prompt");
  expect(messages.at(-1)).toBe(note);
  expect([...ended.allMessages(), note]).toEqual([...messages]);
});

test("processNode runs seven phases on a node from outside", async () => {
  const { manager } = turnWithTools();
  const responseState = new ResponseState();
  const call = { kind: "tool-call", toolCallId: "c1", toolName: "ok", args: {} } as const;
  const respond = (parts: readonly unknown[], finishReason = "stop") =>
    ({ modelResponse: { kind: "response", parts, finishReason }, thought: "aha", usage }) as never;
  expect(await processNode(respond([call]), manager, {}, { responseState })).toEqual({
    isEmpty: false,
    reason: null,
  });
  expect(await processNode(respond([]), manager, {}, { responseState })).toEqual({
    isEmpty: true,
    reason: "empty",
  });
  expect(await processNode(respond([], "length"), manager, {}, { responseState })).toEqual({
    isEmpty: true,
    reason: "truncated",
  });
  expect(manager.session.conversation.thoughts).toEqual(["aha", "aha", "aha"]);
  expect(manager.session.runtime.toolRegistry.get("c1")?.status).toBe("completed");
  await processNode(respond([{ ...call, toolCallId: "c2" }]), manager, {}, { responseState });
  expect(manager.session.runtime.batchCounter).toBe(2);
  const orphan = { kind: "tool-return", toolCallId: "nobody", toolName: "ok", content: "x" } as const;
  await expect(
    processNode({ request: { kind: "request", parts: [orphan] } }, manager, {}, { responseState }),
  ).rejects.toThrow('"nobody"');
});

test("a retry prompt that answers a call through processNode alone fails it, with the clock that was handed in", async () => {
  const { manager, clock } = scenario([]);
  const { toolRegistry } = manager.session.runtime;
  const results: unknown[] = [];
  const toolResultCallback = (...given: unknown[]) => void results.push(given);
  const contents = ["not like this", [{ type: "missing", loc: ["path"] }]];
  for (const [index, content] of contents.entries()) {
    const toolCallId = `c${index}`;
    toolRegistry.register(toolCallId, "t", { a: 1 });
    toolRegistry.start(toolCallId, clock.now());
    await clock.sleep(70);
    const answer = { kind: "retry-prompt", toolCallId, toolName: "t", content } as const;
    await processNode({ request: { kind: "request", parts: [answer] } }, manager, { toolResultCallback });
    expect(toolRegistry.get(toolCallId)).toMatchObject({ status: "failed", durationMs: 70 });
  }
  expect(results).toEqual([
    ["t", "failed", { a: 1 }, "not like this", 70],
    ["t", "failed", { a: 1 }, '[{"type":"missing","loc":["path"]}]', 70],
  ]);
});

test("the registry measures with the clock that was handed in", async () => {
  const run = scenario(
    [[{ call: "slow" }, { call: "slow" }], [{ text: "ok" }]],
    [
      tool("slow", "write", async (_args, { signal }) => {
        await run.clock.sleep(1_234, signal);
        return "ok";
      }),
    ],
  );
  const { events } = await run.ask("go");
  const durations = events.flatMap((event) => (event.type === "tool-end" ? [event.durationMs] : []));
  expect(durations).toEqual([1_234, 1_234]);
  expect(run.manager.session.runtime.toolRegistry.list()).toMatchObject([
    { durationMs: 1_234 },
    { durationMs: 1_234 },
  ]);
});
