// What is sent of a conversation in a simpler form: images as words, no thinking and nothing that vendors attach, calls
// and returns as text. Each message is simplified once and the result kept, because the prompt writer recognises
// messages by identity.
import { isBlank } from "../base/blank.ts";
import { sha256 } from "../base/digest.ts";
import type { Content, ContentItem } from "../domain/content.ts";
import type { Message } from "../domain/message.ts";
import {
  type AnswerPart,
  isAnswer,
  type RequestPart,
  type ResponsePart,
  type ToolCallPart,
} from "../domain/part.ts";
import type { SimplerForm } from "../domain/simpler-form.ts";
import { SUMMARY_HEADING } from "../domain/summary.ts";
import { promptsOfTurn } from "./compaction.ts";

export function inSimplerForm(messages: readonly Message[], form: SimplerForm): readonly Message[] {
  const simpler = messages.map((message, at) => simplify(message, leftOutAt(at, messages, form)));
  const { text: words = "", from: border = 0 } = form.summary ?? {};
  // A rewrite may have moved it between calls and their returns.
  const from = messages[border]?.parts.some(isAnswer) ? border - 1 : border;
  const first = simpler[from];
  if (from <= 0 || first === undefined) return simpler;
  const summary: RequestPart = { kind: "user-prompt", content: `${SUMMARY_HEADING}\n\n${words}` };
  if (first.kind === "request")
    return [{ ...first, parts: [summary, ...first.parts] }, ...simpler.slice(from + 1)];
  const prompts = promptsOfTurn(messages, from).map((part) => simplerRequestPart(part, form.leftOut));
  return [{ kind: "request", parts: [summary, ...prompts] }, ...simpler.slice(from)];
}

export interface LeftOut {
  readonly images: number;
  /** Thoughts, and other parts with something attached by a vendor. */
  readonly thoughts: number;
  readonly calls: number;
}

/** How much of the conversation a form leaves out or writes as text. */
export function countLeftOut(messages: readonly Message[], form: SimplerForm): LeftOut {
  const sum = { images: 0, thoughts: 0, calls: 0 };
  messages.forEach((message, at) => {
    const leftOut = leftOutAt(at, messages, form);
    for (const part of message.parts) {
      const items = "content" in part ? itemsOf(part.content) : [];
      sum.images += items.filter((item) => isLeftOutImage(item, leftOut)).length;
      if (leftOut.includes("thinking") && isAttached(part)) sum.thoughts++;
      if (part.kind === "tool-call" && isLeftOutCall(part, leftOut)) sum.calls++;
    }
  });
  return sum;
}

type Part = RequestPart | ResponsePart;

/** What is left out of one message. */
function leftOutAt(at: number, messages: readonly Message[], form: SimplerForm): readonly string[] {
  const { leftOut, count, always = NOTHING } = form;
  const isCovered = (index: number) =>
    index < count || (index === count && messages[index]?.kind === "response");
  if (isCovered(at)) return leftOut;
  // Returns are written as their calls are, but new images are shown.
  const answersCovered = isCovered(at - 1) && messages[at]?.parts.some(isAnswer);
  return answersCovered ? leftOut.filter((name) => !name.startsWith("image")) : always;
}

const NOTHING: readonly string[] = [];

const known = new WeakMap<Message, { readonly leftOut: readonly string[]; readonly simpler: Message }>();

function simplify(message: Message, leftOut: readonly string[]): Message {
  if (leftOut.length === 0) return message;
  const earlier = known.get(message);
  if (earlier?.leftOut === leftOut) return earlier.simpler;
  const simpler: Message =
    message.kind === "request"
      ? { ...message, parts: answersFirst(message.parts.map((part) => simplerRequestPart(part, leftOut))) }
      : { ...message, parts: message.parts.flatMap((part) => simplerResponsePart(part, leftOut)) };
  known.set(message, { leftOut, simpler });
  return simpler;
}

/** Vendors want the answers to calls before anything else. */
function answersFirst(parts: readonly RequestPart[]): readonly RequestPart[] {
  return parts.toSorted((one, other) => Number(isAnswer(other)) - Number(isAnswer(one)));
}

function simplerRequestPart(part: RequestPart, leftOut: readonly string[]): RequestPart {
  if (isAnswer(part) && isLeftOutCall(part, leftOut))
    return { kind: "user-prompt", content: returnAsText(part, leftOut) };
  if (part.kind !== "user-prompt" && part.kind !== "tool-return") return part;
  return { ...part, content: withoutImages(part.content, leftOut) };
}

function simplerResponsePart(part: ResponsePart, leftOut: readonly string[]): ResponsePart[] {
  if (part.kind === "tool-call" && isLeftOutCall(part, leftOut))
    return [{ kind: "text", content: callAsText(part) }];
  if (part.kind === "unknown" || !leftOut.includes("thinking")) return [part];
  if (part.kind === "thinking") return [];
  const { providerDetails: _, ...plain } = part;
  return [plain];
}

/** In a notation that many models know. If the model should write its next call like this, it is found and run. */
function callAsText({ toolName, args }: ToolCallPart): string {
  return `<tool_call>\n${JSON.stringify({ name: toolName, arguments: args })}\n</tool_call>`;
}

function returnAsText(part: AnswerPart, leftOut: readonly string[]): Content {
  const given = part.kind === "tool-return" ? withoutImages(part.content, leftOut) : retryWords(part.content);
  const items = itemsOf(given).filter((item) => item.type !== "text" || !isBlank(item.text));
  const content = items.length === 0 ? [text("(no output)")] : items;
  return [text(`<tool_response>\n${part.toolName}:`), ...content, text("</tool_response>")];
}

function retryWords(content: string | readonly unknown[]): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

function withoutImages(content: Content, leftOut: readonly string[]): Content {
  if (typeof content === "string" || !content.some((item) => isLeftOutImage(item, leftOut))) return content;
  return content.map((item) =>
    item.type === "image" && isLeftOutImage(item, leftOut)
      ? text(`[An image (${item.mediaType}) is not shown: the vendor refused it.]`)
      : item,
  );
}

function itemsOf(content: unknown): readonly ContentItem[] {
  if (typeof content === "string") return [text(content)];
  return Array.isArray(content) ? content : [];
}

function text(words: string): ContentItem {
  return { type: "text", text: words };
}

function isLeftOutImage(item: ContentItem, leftOut: readonly string[]): boolean {
  if (item.type !== "image") return false;
  return leftOut.some((name) => name === "image" || name === item.mediaType || name === imageDigest(item));
}

const digests = new WeakMap<ContentItem, string>();

/** The name of one image. */
function imageDigest(item: Extract<ContentItem, { type: "image" }>): string {
  const digest = digests.get(item) ?? sha256(item.data);
  digests.set(item, digest);
  return digest;
}

function isLeftOutCall(
  { toolName, toolCallId }: ToolCallPart | AnswerPart,
  leftOut: readonly string[],
): boolean {
  return leftOut.includes("tool") || leftOut.includes(toolName) || leftOut.includes(toolCallId);
}

function isAttached(part: Part): boolean {
  return part.kind === "thinking" || ("providerDetails" in part && part.providerDetails !== undefined);
}
