// What the loop itself costs per model call, with an instant model and an instant tool, at growing history lengths.

import { memoryStateManager } from "../src/app/agent.ts";
import { runRequest } from "../src/app/run-request.ts";
import type { Message } from "../src/domain/message.ts";
import type { Tool } from "../src/domain/tool.ts";
import { scriptedModel } from "../src/models/scripted.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "loop";

const LENGTHS = [10, 1_000, 10_000];
const CALLS = 50;
const ROUNDS = 15;
const MOST_MS = 1;

export async function run(): Promise<Row[]> {
  const samples = new Map<number, number[]>(LENGTHS.map((length) => [length, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const length of LENGTHS) samples.get(length)?.push(await msPerCall(length));
  }
  const short = spreadOf(samples.get(10) ?? []).median;
  return LENGTHS.map((length) => {
    const value = spreadOf(samples.get(length) ?? []).median;
    const over = length === 10 ? {} : { floor: short, floorName: "10 messages" };
    return { name: `ms per model call, ${length} messages`, value, unit: "ms", ...over, limit: MOST_MS };
  });
}

/** One request of CALLS model calls, each with a tool call; its preparation is part of the cost. */
async function msPerCall(length: number): Promise<number> {
  const echo: Tool = {
    name: "echo",
    kind: "read",
    description: "",
    parameters: {},
    execute: async ({ n }) => `echo ${n}`,
  };
  const model = scriptedModel({
    contextWindow: 100_000_000,
    turns: (_request, call) =>
      call < CALLS - 1 ? [{ text: "working" }, { call: "echo", args: { n: call } }] : [{ text: "done" }],
  });
  const manager = memoryStateManager({ createModel: async () => model, tools: [echo] });
  manager.session.conversation.messages = history(length);
  const startedAt = performance.now();
  const events = runRequest("go", model, manager);
  while (!(await events.next()).done);
  return (performance.now() - startedAt) / CALLS;
}

/** Turns of four messages: a prompt, a call, its return, an answer. Small returns: pruning is measured elsewhere. */
function history(length: number): Message[] {
  const messages: Message[] = [];
  for (let turn = 0; messages.length < length; turn++) {
    const toolCallId = `old_${turn}`;
    messages.push(
      { kind: "request", parts: [{ kind: "user-prompt", content: `question ${turn}` }] },
      { kind: "response", parts: [{ kind: "tool-call", toolCallId, toolName: "echo", args: { n: turn } }] },
      {
        kind: "request",
        parts: [{ kind: "tool-return", toolCallId, toolName: "echo", content: `echo ${turn}` }],
      },
      { kind: "response", parts: [{ kind: "text", content: `answer ${turn}` }] },
    );
  }
  return messages;
}
