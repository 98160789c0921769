// Turns the SDK's stream parts into model events. Deltas pass straight through, joined if they arrived together; a part
// follows when it is finished. Calls and what follows them are held back until the vendor says that the response is
// complete, so that a cut stream never leaves half a call behind. A response that is longer than any model writes is
// ended where that shows, like one that reached its output limit.

import type {
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { isBlank } from "../base/blank.ts";
import type { JsonObject } from "../base/json.ts";
import { decodeArgs } from "../domain/call-args.ts";
import type { FinishReason } from "../domain/message.ts";
import type { ModelEvent } from "../domain/model.ts";
import type { ResponsePart } from "../domain/part.ts";
import type { Dialect } from "./dialect.ts";
import { isEndWithoutReason, KEPT_FINISH, readOddChunk } from "./odd-chunk.ts";
import { readUsage } from "./read-usage.ts";
import { ResponseRoom } from "./response-room.ts";
import { type Piece, splitThinkTags, type ThinkTags } from "./think-tags.ts";

/** Why a stream that had begun failed: what the vendor reported, or nothing if it was cut off. */
export interface StreamFault {
  readonly reported?: unknown;
}

interface ReadParts {
  readonly events: readonly ModelEvent[];
  readonly fault: StreamFault | undefined;
}

type Details = SharedV4ProviderMetadata;
type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

interface Block {
  readonly kind: "text" | "thinking";
  content: string;
  details: Details | undefined;
}

export class StreamReader {
  readonly #dialect: Dialect;
  readonly #blocks = new Map<string, Block>();
  readonly #writing = new Map<string, { toolName: string; characters: number }>();
  readonly #room = new ResponseRoom();
  /** The last call that was begun. */
  #lastCall = { id: "", toolName: "" };
  readonly #held: ResponsePart[] = [];
  #holding = false;
  #tags: ThinkTags | undefined;
  #hasOddChunk = false;
  #oddFinish: string | undefined;
  #oddUsage: LanguageModelV4Usage["raw"];
  #finished = false;
  /** The events made from the parts being read. */
  #out: ModelEvent[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    if (dialect.thinkTags) this.#tags = splitThinkTags();
  }

  /** Reads parts that arrived together. isLast: the stream is over after them. */
  read(parts: readonly LanguageModelV4StreamPart[], isLast: boolean): ReadParts {
    this.#out = [];
    for (const part of parts) {
      const fault = this.#read(part);
      if (fault !== undefined) return { events: this.#out, fault };
      if (this.#room.full !== undefined) return this.#endEarly();
    }
    return { events: this.#out, fault: isLast && !this.#finished ? {} : undefined };
  }

  #read(part: LanguageModelV4StreamPart): StreamFault | undefined {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta":
        this.#delta(part.id, blockKind(part.type), part.delta, part.providerMetadata);
        break;
      case "text-start":
      case "reasoning-start":
        this.#open(part.id, blockKind(part.type), part.providerMetadata);
        break;
      case "text-end":
      case "reasoning-end":
        this.#close(part.id, part.providerMetadata);
        break;
      case "tool-input-start":
        this.#beginCall(part.id, part.toolName.trim());
        break;
      case "tool-input-delta":
        this.#callDelta(part.id, part.delta);
        break;
      case "tool-call":
        // The vendor runs its own tools itself.
        if (part.providerExecuted !== true)
          this.#call(part.toolCallId, part.toolName, part.input, part.providerMetadata);
        break;
      case "error":
        return this.#error(part.error);
      case "finish":
        return this.#finish(part);
    }
    return undefined;
  }

  /** The vendor said that the response is complete. */
  get isWhole(): boolean {
    return this.#finished;
  }

  /** Nothing more is to be read, whatever the vendor sends. */
  get isOver(): boolean {
    return this.#finished || this.#room.full !== undefined;
  }

  /** Calls are dropped, because nobody said that they are all; the one that was too much is told to the model as cut off. */
  #endEarly(): ReadParts {
    this.#holding = false;
    this.#held.length = 0;
    this.#closeAll();
    const { id: toolCallId, toolName } = this.#lastCall;
    if (this.#room.full === "calls") this.#part({ kind: "tool-call", toolCallId, toolName, args: {} });
    const { provider: providerName, model: modelName } = this.#dialect;
    this.#out.push({ type: "finish", reason: "length", providerName, modelName });
    return { events: this.#out, fault: undefined };
  }

  #open(id: string, kind: Block["kind"], details?: Details): Block {
    const block: Block = { kind, content: "", details };
    this.#blocks.set(id, block);
    return block;
  }

  /** The block of this kind that was opened last, if it is still open. */
  #openId(kind: Block["kind"]): string | undefined {
    return [...this.#blocks].findLast(([, block]) => block.kind === kind)?.[0];
  }

  #delta(id: string, kind: Block["kind"], delta: string, details?: Details): void {
    const block = this.#blocks.get(id) ?? this.#open(id, kind, details);
    if (details !== undefined) block.details = details;
    if (delta === "") return;
    if (kind === "text" && this.#tags?.isOver() === false) this.#pieces(block, this.#tags.push(delta));
    else this.#show(block, delta);
  }

  #show(block: Block, given: string): void {
    const text = this.#room.fit(block.kind, given);
    if (text === "") return;
    block.content += text;
    const type = block.kind === "text" ? "text-delta" : "thought-delta";
    const last = this.#out.at(-1);
    if (last?.type === type) this.#out[this.#out.length - 1] = { type, text: last.text + text };
    else this.#out.push({ type, text });
  }

  /** If the text began with <think>, its thoughts become a separate part before the text. */
  #pieces(block: Block, pieces: readonly Piece[]): void {
    for (const { kind, text } of pieces) {
      if (kind === "text") {
        this.#close(THINK_TAG);
        this.#show(block, text);
      } else this.#show(this.#blocks.get(THINK_TAG) ?? this.#open(THINK_TAG, "thinking"), text);
    }
  }

  #close(id: string, details?: Details): void {
    const block = this.#blocks.get(id);
    if (block === undefined) return;
    if (block.kind === "text" && this.#tags !== undefined) this.#pieces(block, this.#tags.end());
    if (id !== THINK_TAG) this.#close(THINK_TAG);
    this.#blocks.delete(id);
    const attached = attachedDetails(details ?? block.details);
    const { content } = block;
    if (block.kind === "text") {
      if (!isBlank(content)) this.#part({ kind: "text", content, ...attached });
    } else if (!isBlank(content) || attached.providerDetails !== undefined)
      this.#part({ kind: "thinking", content, providerName: this.#dialect.provider, ...attached });
  }

  #closeAll(): void {
    for (const id of [...this.#blocks.keys()]) this.#close(id);
  }

  #part(part: ResponsePart): void {
    if (this.#holding) this.#held.push(part);
    else this.#out.push({ type: "part", part });
  }

  #beginCall(id: string, toolName: string): void {
    this.#writing.set(id, { toolName, characters: 0 });
    this.#lastCall = { id, toolName };
    this.#room.takeCall(id, toolName);
  }

  #callDelta(id: string, delta: string): void {
    const call = this.#writing.get(id);
    if (call === undefined) return;
    const { toolName } = call;
    call.characters += delta.length;
    this.#room.takeArguments(delta.length);
    const last = this.#out.at(-1);
    if (last?.type === "call-delta" && last.toolName === toolName) this.#out.pop();
    this.#out.push({ type: "call-delta", toolName, characters: call.characters });
  }

  #call(id: string, toolName: string, input: string, details?: Details): void {
    this.#holding = true;
    if (!this.#writing.has(id)) this.#beginCall(id, toolName.trim());
    this.#room.takeArguments(Math.max(0, input.length - (this.#writing.get(id)?.characters ?? 0)));
    if (this.#room.full !== undefined) return;
    const args = decodeArgs(input);
    this.#held.push({
      kind: "tool-call",
      // Unchanged; dispatch replaces an id that is missing or taken.
      toolCallId: id,
      toolName: toolName.trim(),
      args: args ?? {},
      ...(args === null && { rawArgs: input }),
      ...attachedDetails(details),
    });
  }

  #error(error: unknown): StreamFault | undefined {
    if (isEndWithoutReason(error)) return {};
    const odd = readOddChunk(this.#dialect.wire, error);
    if (odd === undefined) return { reported: error };
    this.#hasOddChunk = true;
    if (odd.thought !== "") this.#delta(this.#openId("thinking") ?? ODD_THOUGHT, "thinking", odd.thought);
    if (odd.text !== "") this.#delta(this.#openId("text") ?? ODD_TEXT, "text", odd.text);
    if (odd.calls.length > 0) this.#closeAll();
    for (const { id, name, input } of odd.calls) this.#call(id, name, input);
    if (odd.finishReason !== undefined) this.#oddFinish = odd.finishReason;
    if (odd.usage !== undefined) this.#oddUsage = odd.usage as LanguageModelV4Usage["raw"];
    return undefined;
  }

  /** OpenAI's package forgets the end once it has refused a chunk, but not the usage that comes with the end alone. */
  #reportedEnd({ raw }: LanguageModelV4Usage): string | undefined {
    const isForgotten = this.#hasOddChunk && this.#dialect.wire === "openai-responses";
    return isForgotten && raw !== undefined ? "stop" : undefined;
  }

  #finish({ finishReason, usage, providerMetadata }: FinishPart): StreamFault | undefined {
    const spent = readUsage(this.#oddUsage === undefined ? usage : { ...usage, raw: this.#oddUsage });
    if (spent !== null) this.#out.push({ type: "usage", usage: spent });
    const kept = providerMetadata?.[KEPT_FINISH]?.["finishReason"];
    const odd = this.#oddFinish ?? (typeof kept === "string" ? kept : undefined);
    const reason =
      finishReason.unified === "error" ? (odd ?? this.#reportedEnd(usage)) : finishReason.unified;
    if (reason === undefined || reason === "interrupted") return {};
    this.#finished = true;
    this.#holding = false;
    this.#closeAll();
    const hasCalls = this.#held.some((part) => part.kind === "tool-call");
    for (const part of this.#held.splice(0)) this.#out.push({ type: "part", part });
    const { provider: providerName, model: modelName } = this.#dialect;
    this.#out.push({ type: "finish", reason: domainReason(reason, hasCalls), providerName, modelName });
    return undefined;
  }
}

const THINK_TAG = "think-tag";
const ODD_TEXT = "odd-text";
const ODD_THOUGHT = "odd-thought";

function blockKind(partType: string): Block["kind"] {
  return partType.startsWith("text") ? "text" : "thinking";
}

function attachedDetails(details: Details | undefined): { providerDetails?: JsonObject } {
  return details === undefined ? {} : { providerDetails: details as JsonObject };
}

/** Some servers say "stop" with calls, or "tool_calls" without. */
function domainReason(given: string, hasCalls: boolean): FinishReason {
  switch (given) {
    case "stop":
    case "tool-calls":
    case "tool_calls":
      return hasCalls ? "tool-call" : "stop";
    case "length":
    case "content-filter":
      return given;
    default:
      return hasCalls ? "tool-call" : "other";
  }
}
