// What is sent, shown and kept when an answer breaks off and the model is asked to go on.
import { describe, expect, test } from "bun:test";
import { memoryStateManager } from "../../src/app/agent.ts";
import { modelLine } from "../../src/app/model-line.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { summariser } from "../../src/app/summariser.ts";
import { createMask } from "../../src/base/secrets.ts";
import { ProviderError, WireGateError } from "../../src/domain/error.ts";
import type { AgentEvent } from "../../src/domain/event.ts";
import { newBudget } from "../../src/domain/limits.ts";
import type { Message } from "../../src/domain/message.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { unbrokenCall } from "../../src/loop/unbroken-call.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

const broken = {
  fail: new ProviderError("provider_unreachable", "The connection broke.", { brokenOff: true }),
};
const begun: ScriptedTurn = [{ thought: "Hm.", signature: "s1" }, { text: "The tuna is a very big" }, broken];
const WHOLE = "The tuna is a very big fish.";
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

test("what to do is said once, and not while it is being done", async () => {
  const words = "It refused. The session is unharmed: try again, or choose another model.";
  const fail = new ProviderError("provider_error", words, { brokenOff: true });
  const { outcome, events } = await scenario(() => [{ text: "word " }, { fail }]).ask("go");
  expect(waits(events)[0]).toBe("1/3 It refused.");
  expect(outcome.type === "failed" && outcome.message).toBe(
    "It refused. The answer broke off 4 times in a row. What has arrived is kept. Try again, or choose another model.",
  );
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

describe("what stands in the way of going on is put right, and what was shown stays", () => {
  const answerOf = (messages: readonly Message[]) => messages.at(-1) && textOf(messages.at(-1) as Message);
  const deltasOf = (events: readonly AgentEvent[]) =>
    events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  /** The last request: it breaks off, going on fails in this way, and then it works. */
  const hindered = (fail: Error) => {
    const turns: ScriptedTurn[] = [begun, [{ fail }], [{ text: "a very big fish." }]];
    return ({ system, messages }: ModelRequest): ScriptedTurn => {
      if (system.includes("condense")) return [{ text: "They talked." }];
      const isLast = JSON.stringify(messages).includes("What is a tuna?");
      return (isLast ? turns.shift() : undefined) ?? [{ text: "word ".repeat(100) }];
    };
  };

  test("the conversation has become too long", async () => {
    const overflow = new ProviderError("context_overflow", "It is too long.", { status: 400 });
    const { ask, requests } = scenario(hindered(overflow));
    for (let turn = 0; turn < 5; turn++) await ask("word ".repeat(100));
    const { outcome, events, messages } = await ask("What is a tuna?");
    expect(outcome.type).toBe("completed");
    expect(events.filter(({ type }) => type === "compaction")).toHaveLength(1);
    expect(outline(requests.at(-1)?.messages ?? [])).toEndWith("prompt | text | remark");
    expect([answerOf(messages), deltasOf(events)]).toEqual([WHOLE, WHOLE]);
    expect(checkHistory(messages)).toEqual([]);
  });

  test("the vendor refuses what the conversation holds", async () => {
    const refused = new ProviderError("provider_error", "No signatures.", { refused: ["thinking"] });
    const { ask, manager } = scenario(hindered(refused));
    const before: readonly Message[] = [
      { kind: "request", parts: [{ kind: "user-prompt", content: "Hello." }] },
      {
        kind: "response",
        parts: [
          { kind: "thinking", content: "Hm.", signature: "s" },
          { kind: "text", content: "Hi." },
        ],
      },
    ];
    for (const message of before) manager.session.conversation.fold({ type: "addition", message });
    const { outcome, events, messages } = await ask("What is a tuna?");
    expect(outcome.type).toBe("completed");
    expect([answerOf(messages), deltasOf(events)]).toEqual([WHOLE, WHOLE]);
    expect(manager.session.conversation.forms).toMatchObject([{ leftOut: ["thinking"] }]);
  });

  test("our own gate finds the body invalid", async () => {
    const { ask } = scenario(hindered(new WireGateError(["messages[2]: wrong"])));
    const { outcome, events, messages } = await ask("What is a tuna?");
    expect([outcome.type, answerOf(messages), deltasOf(events)]).toEqual(["completed", WHOLE, WHOLE]);
  });

  test("a limit can't be put right: the request ends with it", async () => {
    const budget = newBudget({ totalTokens: 400 });
    const { ask, requests } = scenario([[{ text: "The tuna is ".repeat(20) }, usage(300), broken]], [], {
      budget,
    });
    const { outcome, messages } = await ask("What is a tuna?");
    expect(outcome).toMatchObject({ type: "limit", reached: { limit: "totalTokens" } });
    expect(requests).toHaveLength(1);
    expect(answerOf(messages)).toStartWith("[INTERRUPTED]\n\nThe tuna is");
    expect(checkHistory(messages)).toEqual([]);
  });
});

test("an answer that has to fit a schema is continued freely, and checked whole", async () => {
  const outputSchema = { type: "object", properties: { fish: { type: "string" } }, required: ["fish"] };
  const { ask, requests } = scenario([
    [{ text: '{"fish": "a big' }, broken],
    [{ text: '{"fish": "a big tuna"}' }],
  ]);
  const { outcome, messages } = await ask("Which?", { outputSchema });
  expect([outcome.type, messages.at(-1) && textOf(messages.at(-1) as Message)]).toEqual([
    "completed",
    '{"fish": "a big tuna"}',
  ]);
  // A vendor that is held to the schema could only begin again.
  expect(requests.map((request) => request.outputSchema)).toEqual([outputSchema, undefined]);
});

test("a key that breaks off is hidden as a whole, also if a thought comes between", async () => {
  const key = "sk-0123456789";
  const { ask } = scenario(
    [
      [{ text: "The key is sk-01234" }, broken],
      [{ thought: "On with it." }, { text: "56789 as you know." }],
    ],
    [],
    { mask: createMask([key]) },
  );
  const { events, messages } = await ask("Which?");
  const shown = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  const hidden = "The key is [key hidden] as you know.";
  expect([shown, messages.at(-1)?.parts.at(-1)]).toEqual([hidden, { kind: "text", content: hidden }]);
});

test("most of a key in a thought that breaks off is hidden, because the thought is not continued", async () => {
  const key = "sk-0123456789abcdefghij";
  const turns = (_request: ModelRequest, call: number): ScriptedTurn =>
    call === 0 ? [{ thought: `I know ${key.slice(0, -2)}` }, broken] : [{ text: "Yes." }];
  const { events } = await scenario(turns, [], { mask: createMask([key]) }).ask("Do you?");
  const thoughts = events.flatMap((event) => (event.type === "thought-delta" ? [event.text] : []));
  expect(thoughts.join("")).toBe("I know [key hidden]");
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
