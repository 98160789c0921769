// Everything one request needs and keeps: the ports it was given and the state it grows.
import type { DispatchPorts } from "../dispatch/ports.ts";
import type { Content } from "../domain/content.ts";
import type { Conversation } from "../domain/conversation.ts";
import type { RequestId, ToolCallId } from "../domain/ids.ts";
import { type Budget, DEFAULT_MAX_ITERATIONS, type Limits, type ReachedLimit } from "../domain/limits.ts";
import type { Message } from "../domain/message.ts";
import type { Model } from "../domain/model.ts";
import type { ToolReturnPart } from "../domain/part.ts";
import { estimateTokens, toolCharacters } from "../domain/tokens.ts";
import type { ToolSpec } from "../domain/tool.ts";
import type { ToolCallRegistry } from "../domain/tool-call-registry.ts";
import type { UsageTotals } from "../domain/usage.ts";
import type { Node } from "./node.ts";
import { newRepeatedCalls, type RepeatedCalls } from "./repeated-calls.ts";
import { ResponseState } from "./response-state.ts";

/** What a person chose about requests: `settings.loop` of an agent. */
export interface LoopSettings {
  /** Of a session and its subagents. */
  readonly limits?: Limits;
  /** Model calls that one request may make before the person is asked. */
  readonly maxIterations?: number;
  /** The most tokens of one response. */
  readonly maxOutputTokens?: number;
  /** 0 and absent: no limit. */
  readonly requestTimeoutSeconds?: number;
}

export interface LoopPorts extends DispatchPorts {
  readonly model: Model;
  /** Goes with every model call and is persisted never. */
  readonly system: string;
  readonly budget: Budget;
  readonly settings: LoopSettings;
  /** Condenses the older part of a conversation that outgrew the window. */
  readonly summarise: (messages: readonly Message[], signal: AbortSignal) => Promise<Summary>;
  /** How long the request has been at work, without the time a person was asked. */
  readonly activeMs: () => number;
  /** Messages a person sent meanwhile, for delivery now. */
  readonly takeSteering: () => readonly Content[];
  /** Asked when max_iterations is reached; without it the request sums up and ends. */
  readonly askToGoOn?: (reached: ReachedLimit, signal: AbortSignal) => Promise<boolean>;
}

export interface Summary {
  readonly text: string;
  readonly usage: UsageTotals;
}

export interface RequestContext extends LoopPorts {
  readonly requestId: RequestId;
  readonly prompt: Content;
  readonly registry: ToolCallRegistry;
  readonly toolSpecs: readonly ToolSpec[];
  /** Of the system prompt and the tools, which every call sends. */
  readonly fixedTokens: number;
  readonly state: ResponseState;
  readonly nodes: Node[];
  /** Only read here: whoever consumes the events folds each into it before asking for the next. */
  readonly conversation: Conversation;
  readonly repeatedCalls: RepeatedCalls;
  /** Returns of calls that have ended, until they join the conversation as a message. */
  readonly finished: Map<ToolCallId, ToolReturnPart>;
  /** The conversation goes on after the request; this is how the request left it. */
  messagesAtEnd: readonly Message[];
  /** What the running stream has shown so far. */
  partialText: string;
  /** Of activeMs, what the budget has been charged with. */
  chargedMs: number;
  iteration: number;
  readonly maxIterations: number;
  iterationsAllowed: number;
  batch: number;
  emptyResponses: number;
  /** Calls written as text, in a row, that could not be used. */
  unusableCalls: number;
  /** Compactions in a row that did not bring the conversation below the mark. */
  fruitlessCompactions: number;
}

export function newRequestContext(
  request: Pick<RequestContext, "requestId" | "prompt" | "conversation" | "registry">,
  ports: LoopPorts,
): RequestContext {
  const { maxIterations = DEFAULT_MAX_ITERATIONS } = ports.settings;
  const toolSpecs = [...ports.tools.values()].map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  return {
    ...ports,
    ...request,
    toolSpecs,
    fixedTokens: estimateTokens(ports.system.length + sum(toolSpecs.map(toolCharacters))),
    state: new ResponseState(),
    nodes: [],
    repeatedCalls: newRepeatedCalls(),
    finished: new Map(),
    messagesAtEnd: [],
    partialText: "",
    chargedMs: 0,
    iteration: 0,
    maxIterations,
    iterationsAllowed: maxIterations,
    batch: 0,
    emptyResponses: 0,
    unusableCalls: 0,
    fruitlessCompactions: 0,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
