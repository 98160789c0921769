// Runs a request on an in-memory session with a scripted model and small tools.

import { type AgentPorts, memoryStateManager, type StateManager } from "../../src/app/agent.ts";
import { type RequestOptions, runRequest } from "../../src/app/run-request.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { AgentEvent, Outcome } from "../../src/domain/event.ts";
import type { Message } from "../../src/domain/message.ts";
import type { Model, ModelRequest } from "../../src/domain/model.ts";
import type { Tool, ToolContext, ToolKind, ToolOutput } from "../../src/domain/tool.ts";
import { type Script, scriptedModel } from "../../src/models/scripted.ts";
import { CATALOG } from "../../src/tools/catalog.ts";
import { freezeMessages, freezeMessagesOf } from "./deep-frozen.ts";
import { type VirtualClock, virtualClock } from "./virtual-clock.ts";

export interface Scenario {
  readonly manager: StateManager;
  readonly model: Model;
  readonly clock: VirtualClock;
  /** The model's requests in order, with a copy of the messages at that moment. */
  readonly requests: ModelRequest[];
  readonly ask: (prompt: string, options?: RequestOptions) => Promise<Asked>;
}

export interface Asked {
  readonly outcome: Outcome;
  readonly events: readonly AgentEvent[];
  readonly messages: readonly Message[];
}

export function scenario(
  turns: Script["turns"],
  tools: readonly Tool[] = [],
  given: Partial<AgentPorts> & Omit<Script, "turns"> = {},
): Scenario {
  const clock = virtualClock();
  const requests: ModelRequest[] = [];
  const { contextWindow, maxOutput, price, onDrop, name, ...ports } = given;
  const model = scriptedModel({
    turns,
    clock,
    ...(name === undefined ? {} : { name }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(price === undefined ? {} : { price }),
    ...(onDrop === undefined ? {} : { onDrop }),
    onRequest: (request) => {
      freezeMessages(request.messages);
      requests.push({ ...request, messages: [...request.messages] });
    },
  });
  const manager = memoryStateManager({
    createModel: async () => model,
    tools,
    clock,
    random: () => 0,
    systemPrompt: async () => "You are a test.",
    keepAside: async (id) => `/kept/${id}`,
    ...ports,
  });
  return {
    manager,
    model,
    clock,
    requests,
    ask: async (prompt, options) => {
      const events: AgentEvent[] = [];
      freezeMessages(manager.session.conversation.messages);
      const stream = runRequest(prompt, model, manager, options);
      while (true) {
        const next = await stream.next();
        if (next.done)
          return { outcome: next.value, events, messages: manager.session.conversation.messages };
        freezeMessagesOf(next.value);
        events.push(next.value);
      }
    },
  };
}

/** A tool from a function; every argument is allowed. One with the name of ours is shown as that. */
export function tool(
  name: string,
  kind: ToolKind,
  execute: (args: JsonObject, context: ToolContext) => ToolOutput | Promise<ToolOutput>,
  more: Partial<Tool> = {},
): Tool {
  const { label, question, resultStyle } = CATALOG.find((known) => known.name === name) ?? {};
  return {
    name,
    kind,
    ...(label && { label }),
    ...(question && { question }),
    ...(resultStyle && { resultStyle }),
    description: `The ${name} tool.`,
    parameters: { type: "object" },
    execute: async (args, context) => execute(args, context),
    ...more,
  };
}

/** The history as a list of its parts: "prompt | text call:bash | return:bash(completed) | text". */
export function outline(messages: readonly Message[]): string {
  return messages.map((message) => message.parts.map(partOutline).join(" ")).join(" | ");
}

function partOutline(part: Message["parts"][number]): string {
  switch (part.kind) {
    case "user-prompt":
      return "prompt";
    case "text":
      return part.content.startsWith("[INTERRUPTED]") ? "interrupted" : "text";
    case "tool-call":
      return `call:${part.toolName}`;
    case "tool-return":
      return `return:${part.toolName}(${part.status ?? "completed"})`;
    case "retry-prompt":
      return "remark";
    default:
      return part.kind;
  }
}
