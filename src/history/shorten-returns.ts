// Cuts the middle out of returns that are too big for the model's window, wherever they stand: one of them must not
// cost a conversation everything else it holds.
import { headAndTail } from "../base/head-and-tail.ts";
import { type Content, type ContentItem, contentText } from "../domain/content.ts";
import type { Message, Request } from "../domain/message.ts";
import type { Part, RequestPart, ToolReturnPart } from "../domain/part.ts";
import { contentCharacters } from "../domain/tokens.ts";

/** `characters` is the budget for all returns of the last message, shared evenly by those that exceed their share. */
export function shortenReturns(messages: readonly Message[], characters: number): readonly Message[] {
  const last = messages.at(-1);
  if (last?.kind !== "request") return messages;
  const most = evenShare(last.parts.filter(isReturn).map(sizeOf), characters);
  if (!last.parts.some((part) => isReturn(part) && sizeOf(part) > most)) return messages;
  return [...messages.slice(0, -1), shortenedRequest(last, most, most)];
}

/** Shortens what the model has already read: returns of more than `largest` characters, each to `most`. */
export function shortenReadReturns(
  messages: readonly Message[],
  largest: number,
  most: number,
): readonly Message[] {
  const isTooBig = (part: Part) => part.kind === "tool-return" && sizeOf(part) > largest;
  const lastAt = messages.length - 1;
  if (!messages.some(({ parts }, at) => at < lastAt && parts.some(isTooBig))) return messages;
  return messages.map((message, at) =>
    message.kind === "request" && at < lastAt && message.parts.some(isTooBig)
      ? shortenedRequest(message, largest, most)
      : message,
  );
}

function shortenedRequest(request: Request, largest: number, most: number): Request {
  const shorten = (part: RequestPart): RequestPart =>
    isReturn(part) && sizeOf(part) > largest ? { ...part, content: shortened(part.content, most) } : part;
  return { ...request, parts: request.parts.map(shorten) };
}

function isReturn(part: RequestPart): part is ToolReturnPart {
  return part.kind === "tool-return";
}

function sizeOf({ content }: ToolReturnPart): number {
  return contentCharacters(content);
}

/** The cap on each size that keeps the sum within `total`. */
function evenShare(sizes: readonly number[], total: number): number {
  let left = total;
  const ascending = [...sizes].sort((one, other) => one - other);
  for (const [index, size] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (size > share) return Math.max(0, Math.floor(share));
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function shortened(content: Content, most: number): Content {
  if (typeof content === "string") return withoutMiddle(content, most);
  const ofEach = Math.floor(most / content.length);
  return content.map((item): ContentItem => {
    if (item.type === "image") return { type: "text", text: `[image ${item.mediaType} left out]` };
    return { type: "text", text: withoutMiddle(contentText([item]), ofEach) };
  });
}

function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const left = text.length - most;
  const why = "because this model can't read so much at once: ask for less";
  return headAndTail(text, most, `[... ${left} characters left out, ${why} ...]`);
}
