// What is sent, shown and kept when an answer breaks off and the model is asked to go on.
import { describe, expect, test } from "bun:test";
import { memoryStateManager } from "../../src/app/agent.ts";
import { modelLine } from "../../src/app/model-line.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { summariser } from "../../src/app/summariser.ts";
import { ProviderError } from "../../src/domain/error.ts";
import type { AgentEvent } from "../../src/domain/event.ts";
import { newBudget } from "../../src/domain/limits.ts";
import type { Message } from "../../src/domain/message.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { unbrokenCall } from "../../src/loop/unbroken-call.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

const broken = {
  fail: new ProviderError("provider_unreachable", "The connection broke.", { brokenOff: true }),
};
const begun: ScriptedTurn = [{ thought: "Hm.", signature: "s1" }, { text: "The tuna is a very big" }, broken];
const usage = (requestTokens: number) => ({ usage: { requestTokens, responseTokens: 1, cachedTokens: 0 } });

function waits(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "retry-wait" ? [`${event.attempt}/${event.mostAttempts} ${event.reason}`] : [],
  );
}

function textOf({ parts }: Message): string {
  return parts.map((part) => ("content" in part ? String(part.content) : "")).join("");
}

test("the model gets its text back, with a remark, and nothing else of what it had begun", async () => {
  const { ask, requests } = scenario([begun, [{ text: "a very big fish." }]]);
  const { outcome, events, messages } = await ask("What is a tuna?");
  expect(outcome.type).toBe("completed");
  expect(requests.map((request) => outline(request.messages))).toEqual(["prompt", "prompt | text | remark"]);
  const [, said, remark] = requests[1]?.messages ?? [];
  expect(said).toEqual({ kind: "response", parts: [{ kind: "text", content: "The tuna is a very big" }] });
  expect(remark && textOf(remark)).toContain("\n\nThe tuna is a very big\n\n");
  expect(waits(events)).toEqual(["1/3 The connection broke."]);
  // The thought of the attempt that broke off is gone, and the answer is one text.
  expect(outline(messages)).toBe("prompt | text");
  expect(messages.at(-1) && textOf(messages.at(-1) as Message)).toBe("The tuna is a very big fish.");
});

test("if nothing visible had come, the request is sent unchanged", async () => {
  for (const start of [[], [{ thought: "Hm." }], [{ text: "\n\n" }], [{ call: "bash" }]]) {
    const { ask, requests } = scenario([[...start, broken], [{ text: "\n\nYes." }]]);
    const { events, messages } = await ask("Is it?");
    expect(requests.map((request) => outline(request.messages))).toEqual(["prompt", "prompt"]);
    expect(outline(messages)).toBe("prompt | text");
    const deltas = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
    expect(deltas).toBe("\n\nYes.");
  }
});

test("thoughts and calls are those of the last attempt, and a call that was cut is never run", async () => {
  const executed: unknown[] = [];
  const bash = tool("bash", "write", ({ n }) => {
    executed.push(n);
    return "ok";
  });
  const { ask } = scenario(
    [
      [{ thought: "One." }, { text: "I look." }, { call: "bash", args: { n: 1 } }, broken],
      [{ thought: "Two.", signature: "s2" }, { text: "I look." }, { call: "bash", args: { n: 2 } }],
      [{ text: "Done." }],
    ],
    [bash],
  );
  const { messages } = await ask("go");
  expect(executed).toEqual([2]);
  expect(outline(messages)).toBe("prompt | thinking text call:bash | return:bash(completed) | text");
  expect(messages[1]?.parts[0]).toMatchObject({ content: "Two.", signature: "s2" });
  expect(checkHistory(messages)).toEqual([]);
});

test("a call written as text that breaks off is neither sent back nor completed by the next attempt", async () => {
  const executed: unknown[] = [];
  const bash = tool("bash", "write", ({ command }) => {
    executed.push(command);
    return "ok";
  });
  const { ask, requests } = scenario(
    [
      [{ text: 'I look.\n<tool_call>{"name": "bash", "arguments": {"command": "rm -r /tmp' }, broken],
      [{ text: '/a"}}</tool_call>' }],
    ],
    [bash],
  );
  const { outcome } = await ask("go");
  expect([outcome.type, executed]).toEqual(["completed", []]);
  expect(requests[1]?.messages.map(textOf)).toContain("I look.\n");
});

test("an answer that was whole except for its end needs nothing more", async () => {
  const { ask } = scenario([[{ text: "All is said." }, broken], []]);
  const { outcome, messages } = await ask("go");
  expect([outcome.type, messages.at(-1) && textOf(messages.at(-1) as Message)]).toEqual([
    "completed",
    "All is said.",
  ]);
});

test("four breaks in a row fail the request, and what was shown is kept", async () => {
  const { ask, requests } = scenario(() => [{ text: "word " }, broken]);
  const { outcome, events, messages } = await ask("go");
  expect(outcome).toMatchObject({ type: "failed", code: "provider_unreachable" });
  expect(outcome.type === "failed" && outcome.message).toBe(
    "The connection broke. The answer broke off 4 times in a row. What has arrived is kept. Try again, or choose another model.",
  );
  expect(requests).toHaveLength(4);
  expect(waits(events)).toHaveLength(3);
  expect(messages.at(-1) && textOf(messages.at(-1) as Message)).toStartWith("[INTERRUPTED]\n\nword ");
});

test("after any other failure, an answer is not continued", async () => {
  const refused = { fail: new ProviderError("auth", "The key was refused.") };
  const { ask, requests } = scenario([[{ text: "The tuna" }, refused]]);
  expect((await ask("go")).outcome).toMatchObject({ type: "failed", code: "auth" });
  expect(requests).toHaveLength(1);
});

test("an abort ends the wait at once", async () => {
  const { manager, model } = scenario([begun], [], { clock: { now: () => 0, sleep: untilAborted } });
  const controller = new AbortController();
  const stream = runRequest("go", model, manager, { controller });
  let step = await stream.next();
  for (; !step.done; step = await stream.next()) if (step.value.type === "retry-wait") controller.abort();
  expect(step.value.type).toBe("aborted");
  const last = manager.session.conversation.messages.at(-1);
  expect(last && textOf(last)).toBe("[INTERRUPTED]\n\nThe tuna is a very big");
});

test("the time limit of the request counts while it waits", async () => {
  const { ask } = scenario(() => [{ text: "word " }, broken], [], { loop: { requestTimeoutSeconds: 2 } });
  expect((await ask("go")).outcome).toEqual({ type: "timed-out", seconds: 2 });
});

describe("besides", () => {
  test("what every attempt used is reported", async () => {
    const seen: number[] = [];
    const turns = [
      [{ text: "The tuna is" }, usage(10), broken],
      [{ text: " big." }, usage(20)],
    ];
    const model = scriptedModel({ turns });
    const { signal } = new AbortController();
    const ports = { budget: newBudget(), signal, spent: [], clock: noWaiting };
    for await (const event of unbrokenCall({ system: "", messages: [], tools: [] }, model, ports))
      if (event.type === "usage") seen.push(event.usage.requestTokens);
    expect(seen).toEqual([10, 20]);
  });

  test("a summary goes on as well, after a pause by the agent's clock", async () => {
    const model = scriptedModel({ turns: [[{ text: "They asked about" }, broken], [{ text: " tuna." }]] });
    const pauses: number[] = [];
    const clock = { ...noWaiting, sleep: async (ms: number) => void pauses.push(ms) };
    const { ports } = memoryStateManager({ createModel: async () => model, clock });
    const call = { budget: newBudget(), signal: new AbortController().signal, spent: [] };
    const prompt: Message = { kind: "request", parts: [{ kind: "user-prompt", content: "Tuna?" }] };
    const summarise = summariser(modelLine(model, ports), ports);
    expect(await summarise([prompt], call)).toBe("They asked about tuna.");
    expect(pauses).toHaveLength(1);
  });
});

const noWaiting = { now: () => 0, sleep: async () => {} };

function untilAborted(_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}
