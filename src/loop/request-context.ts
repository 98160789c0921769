// Everything one request needs: the ports it was given, and its state.
import type { JsonObject } from "../base/json.ts";
import type { Mask } from "../base/secrets.ts";
import type { DispatchPorts } from "../dispatch/ports.ts";
import type { Content } from "../domain/content.ts";
import type { Conversation } from "../domain/conversation.ts";
import type { RequestId, ToolCallId } from "../domain/ids.ts";
import { type Budget, DEFAULT_MAX_ITERATIONS, type Limits, type ReachedLimit } from "../domain/limits.ts";
import type { Message } from "../domain/message.ts";
import type { Model } from "../domain/model.ts";
import type { ToolReturnPart } from "../domain/part.ts";
import type { SimplerForm } from "../domain/simpler-form.ts";
import { estimateTokens, toolCharacters } from "../domain/tokens.ts";
import type { ToolSpec } from "../domain/tool.ts";
import type { ToolCallRegistry } from "../domain/tool-call-registry.ts";
import type { UsageTotals } from "../domain/usage.ts";
import type { CallPorts } from "./metered-call.ts";
import type { ModelLine } from "./model-line.ts";
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
  /** The chosen model, and those to fall back on. */
  readonly line: ModelLine;
  /** Sent with every model call and never persisted. */
  readonly system: string;
  readonly budget: Budget;
  readonly settings: LoopSettings;
  /** Summarises the older part of a conversation that outgrew the window. */
  readonly summarise: (messages: readonly Message[], ports: CallPorts) => Promise<string>;
  /** How long the request has been working, without the time that a person took to answer. */
  readonly activeMs: () => number;
  /** Takes the messages that a person has sent meanwhile. */
  readonly takeSteering: () => readonly Content[];
  /** Takes what the model is told beside a person's prompt, such as the mode that applies. */
  readonly takeRemarks: () => readonly string[];
  /** Hides keys in what the model says. */
  readonly mask?: Mask;
  /** What is wrong with the last answer, for the model to put right; null if nothing is. */
  readonly checkAnswer?: (text: string) => string | null;
  /** The shape of the last answer, for vendors that can be held to one. */
  readonly outputSchema?: JsonObject;
  /** Called when the model has made too many calls, or only repeats itself; without it the request sums up and ends. */
  readonly askToGoOn?: (reached: ReachedLimit, signal: AbortSignal) => Promise<boolean>;
}

interface RequestStart {
  readonly requestId: RequestId;
  readonly prompt: Content;
  readonly registry: ToolCallRegistry;
  /** Only read by the loop: the consumer of the events folds each into it before asking for the next. */
  readonly conversation: Conversation;
}

export interface RequestContext extends LoopPorts, RequestStart, RequestState {
  /** The one that answers now. */
  model: Model;
  readonly toolSpecs: readonly ToolSpec[];
  /** The size of the system prompt and the tools, which every call sends. */
  readonly fixedTokens: number;
  readonly maxIterations: number;
  iterationsAllowed: number;
  /** The simpler form in which the running model call is sent, after the vendor has refused others. */
  triedForm: SimplerForm | undefined;
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
    model: ports.line.chosen,
    toolSpecs,
    fixedTokens: estimateTokens(characters),
    maxIterations,
    iterationsAllowed: maxIterations,
    triedForm: undefined,
  };
}

type RequestState = ReturnType<typeof newState>;

function newState() {
  const repeatedCalls: RepeatedCalls = { last: new Set(), streak: 0 };
  const spent: UsageTotals[] = [];
  /** The conversation goes on after the request; this is how the request left it. */
  const messagesAtEnd: readonly Message[] = [];
  const nodes: Node[] = [];
  return {
    state: new ResponseState(),
    nodes,
    repeatedCalls,
    /** What was charged and not yet told. */
    spent,
    messagesAtEnd,
    /** Returns of calls that have ended, until they join the conversation as a message. */
    finished: new Map<ToolCallId, ToolReturnPart>(),
    /** What the running stream has shown so far. */
    partialText: "",
    iteration: 0,
    batch: 0,
    emptyResponses: 0,
    /** Answers that checkAnswer found something wrong with. */
    wrongAnswers: 0,
    /** The vendor is told the schema, and not only the model. */
    sendsSchema: true,
    /** Calls written as text, in a row, that could not be used. */
    unusableCalls: 0,
    /** Compactions in a row that did not bring the conversation below the mark. */
    fruitlessCompactions: 0,
  };
}
