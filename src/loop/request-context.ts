// Everything one request needs: the ports it was given, and its state.
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
import type { RepeatedCalls } from "./repeated-calls.ts";
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
  /** Sent with every model call and never persisted. */
  readonly system: string;
  readonly budget: Budget;
  readonly settings: LoopSettings;
  /** Summarises the older part of a conversation that outgrew the window. */
  readonly summarise: (messages: readonly Message[], signal: AbortSignal) => Promise<Summary>;
  /** How long the request has been working, without the time that a person took to answer. */
  readonly activeMs: () => number;
  /** Takes the messages that a person has sent meanwhile. */
  readonly takeSteering: () => readonly Content[];
  /** Takes what the model is told beside a person's prompt, such as the mode that applies. */
  readonly takeRemarks: () => readonly string[];
  /** Called when max_iterations is reached; without it the request sums up and ends. */
  readonly askToGoOn?: (reached: ReachedLimit, signal: AbortSignal) => Promise<boolean>;
}

export interface Summary {
  readonly text: string;
  readonly usage: UsageTotals;
}

interface RequestStart {
  readonly requestId: RequestId;
  readonly prompt: Content;
  readonly registry: ToolCallRegistry;
  /** Only read by the loop: the consumer of the events folds each into it before asking for the next. */
  readonly conversation: Conversation;
}

export interface RequestContext extends LoopPorts, RequestStart, RequestState {
  readonly toolSpecs: readonly ToolSpec[];
  /** The size of the system prompt and the tools, which every call sends. */
  readonly fixedTokens: number;
  readonly maxIterations: number;
  iterationsAllowed: number;
}

export function newRequestContext(request: RequestStart, ports: LoopPorts): RequestContext {
  const { maxIterations = DEFAULT_MAX_ITERATIONS } = ports.settings;
  const toolSpecs = [...ports.tools.values()].map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  const characters = toolSpecs.reduce((sum, tool) => sum + toolCharacters(tool), ports.system.length);
  return {
    ...ports,
    ...request,
    ...newState(),
    toolSpecs,
    fixedTokens: estimateTokens(characters),
    maxIterations,
    iterationsAllowed: maxIterations,
  };
}

type RequestState = ReturnType<typeof newState>;

function newState() {
  const repeatedCalls: RepeatedCalls = { last: "", streak: 0 };
  /** The conversation goes on after the request; this is how the request left it. */
  const messagesAtEnd: readonly Message[] = [];
  const nodes: Node[] = [];
  return {
    state: new ResponseState(),
    nodes,
    repeatedCalls,
    messagesAtEnd,
    /** Returns of calls that have ended, until they join the conversation as a message. */
    finished: new Map<ToolCallId, ToolReturnPart>(),
    /** What the running stream has shown so far. */
    partialText: "",
    /** The part of activeMs that the budget has been charged with. */
    chargedMs: 0,
    iteration: 0,
    batch: 0,
    emptyResponses: 0,
    /** Calls written as text, in a row, that could not be used. */
    unusableCalls: 0,
    /** Compactions in a row that did not bring the conversation below the mark. */
    fruitlessCompactions: 0,
  };
}
