// Turns our messages into the SDK's prompt. A message is never changed in place, so each is written once and the result
// kept, which keeps a step of a long run cheap (docs/decisions/long-runs.md).
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { JsonObject } from "../base/json.ts";
import { callsOf, type Message, type Request, type Response } from "../domain/message.ts";
import type { ModelRequest } from "../domain/model.ts";
import { type AnswerPart, isAnswer, type ThinkingPart } from "../domain/part.ts";
import { withCacheMarks } from "./cache-marks.ts";
import type { Dialect } from "./dialect.ts";
import { addContent, retryText, type UserPart } from "./user-content.ts";
import { wellFormedArgs } from "./well-formed.ts";
import { wireCallId, wireToolName } from "./wire-names.ts";
import { writeAnswer } from "./write-answer.ts";

type PromptWriter = (request: ModelRequest) => LanguageModelV4Prompt;

export function createPromptWriter(dialect: Dialect): PromptWriter {
  const known = new WeakMap<Message, Written>();
  const written = (message: Message, before: Message | undefined): Written => {
    const earlier = known.get(message);
    if (earlier !== undefined && earlier.before === before) return earlier;
    const prompt =
      message.kind === "request" ? writeRequest(message, before, dialect) : writeResponse(message, dialect);
    known.set(message, { before, prompt });
    return { before, prompt };
  };
  return ({ system, messages }) => {
    const prompt = messages.flatMap((message, at) => written(message, messages[at - 1]).prompt);
    if (system.trim() !== "") prompt.unshift({ role: "system", content: system.toWellFormed() });
    return dialect.cacheMarks ? withCacheMarks(prompt) : prompt;
  };
}

interface Written {
  /** A request's answers are named after the calls of the response before it. */
  readonly before: Message | undefined;
  readonly prompt: readonly LanguageModelV4Message[];
}

/** Answers come first, because every vendor wants them right after the calls, before anything else. */
function writeRequest(
  request: Request,
  before: Message | undefined,
  dialect: Dialect,
): LanguageModelV4Message[] {
  const results: LanguageModelV4ToolResultPart[] = [];
  const content: UserPart[] = [];
  for (const part of request.parts) {
    if (!isAnswer(part)) continue;
    const { result, images } = writeAnswer(part, calledName(part, before), dialect);
    results.push(result);
    addContent(content, images, dialect);
  }
  for (const part of request.parts) {
    if (isAnswer(part) || part.kind === "unknown") continue;
    if (part.kind === "user-prompt") addContent(content, part.content, dialect);
    else if (part.kind === "retry-prompt") addContent(content, retryText(part), dialect);
  }
  const written = [{ role: "tool", content: results } as const, { role: "user", content } as const];
  return written.filter((message) => message.content.length > 0);
}

function calledName(answer: AnswerPart, before: Message | undefined): string {
  const calls = before?.kind === "response" ? callsOf(before) : [];
  const call = calls.find(({ toolCallId }) => toolCallId === answer.toolCallId);
  return call?.toolName ?? answer.toolName;
}

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];

function writeResponse(response: Response, dialect: Dialect): LanguageModelV4Message[] {
  const own = isOwn(response, dialect);
  const content: AssistantContent = [];
  for (const part of response.parts) {
    const options = part.kind === "unknown" || !own ? {} : optionsOf(part.providerDetails);
    if (part.kind === "text" && part.content.trim() !== "")
      content.push({ type: "text", text: part.content.toWellFormed(), ...options });
    else if (part.kind === "thinking") content.push(...writeThinking(part, response, dialect));
    else if (part.kind === "tool-call")
      content.push({
        type: "tool-call",
        toolCallId: wireCallId(part.toolCallId, dialect),
        toolName: wireToolName(part.toolName, dialect),
        // Arguments that could not be read as an object are {} here too.
        input: wellFormedArgs(part.args),
        ...options,
      });
  }
  // Vendors refuse a thought that leads to nothing, because what it led to was cut off or removed by a repair.
  while (content.at(-1)?.type === "reasoning") content.pop();
  return content.length > 0 ? [{ role: "assistant", content, ...emptyReasoning(content, dialect) }] : [];
}

/** A vendor that wants reasoning back wants the field in every response, even in those without a thought. */
function emptyReasoning(
  content: AssistantContent,
  { wire, returnsThinking }: Dialect,
): { providerOptions?: SharedV4ProviderOptions } {
  const isWanted = wire === "openai-chat" && returnsThinking;
  if (!isWanted || content.some((part) => part.type === "reasoning")) return {};
  return { providerOptions: { openaiCompatible: { reasoning_content: "" } } };
}

/** Only the model that wrote a part understands what its vendor attached. */
function isOwn(response: Response, { provider, model }: Dialect): boolean {
  return response.providerName === provider && (response.modelName ?? model) === model;
}

function writeThinking(
  part: ThinkingPart,
  response: Response,
  dialect: Dialect,
): LanguageModelV4ReasoningPart[] {
  const author = part.providerName ?? response.providerName;
  if (!dialect.returnsThinking || author !== dialect.provider) return [];
  if ((response.modelName ?? dialect.model) !== dialect.model) return [];
  if (dialect.wire === "openai-chat")
    return part.content === "" ? [] : [{ type: "reasoning", text: part.content.toWellFormed() }];
  const details = part.providerDetails ?? signatureDetails(part, dialect);
  // Without its signature a thought is refused (Anthropic), useless (Google) or skipped (OpenAI). A signed thought
  // can't be changed, so one with a lone surrogate is left out.
  if (details === undefined || !part.content.isWellFormed()) return [];
  if (dialect.wire === "google" && !hasSignature(details)) return [];
  return [{ type: "reasoning", text: part.content, ...optionsOf(details) }];
}

/** The old program kept an Anthropic signature beside the thought. */
function signatureDetails({ signature }: ThinkingPart, { wire }: Dialect): JsonObject | undefined {
  return signature !== undefined && wire === "anthropic" ? { anthropic: { signature } } : undefined;
}

function hasSignature(details: JsonObject): boolean {
  const google = details["google"];
  return typeof google === "object" && google !== null && "thoughtSignature" in google;
}

function optionsOf(details: JsonObject | undefined): { providerOptions?: SharedV4ProviderOptions } {
  return details === undefined ? {} : { providerOptions: details as SharedV4ProviderOptions };
}
