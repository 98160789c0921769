// The content of one user message, collected from prompts, remarks and the images of tool results.
import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import { wholeImageType } from "../base/image.ts";
import type { Content, ContentItem } from "../domain/content.ts";
import type { RetryPromptPart } from "../domain/part.ts";
import type { Dialect } from "./dialect.ts";
import { IMAGE_TYPES } from "./wire-gate/check.ts";

type ImageItem = Extract<ContentItem, { type: "image" }>;
export type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

export function addContent(parts: UserPart[], content: Content, dialect: Dialect): void {
  if (typeof content === "string") addText(parts, content);
  else
    for (const item of content) {
      const image = imagePart(item, dialect);
      if (image === undefined) addText(parts, itemWords(item));
      else parts.push(image);
    }
}

/** Joins neighbouring texts, because some servers accept only a plain string. */
function addText(parts: UserPart[], given: string): void {
  if (given.trim() === "") return;
  const text = given.toWellFormed();
  const last = parts.at(-1);
  if (last?.type === "text") parts[parts.length - 1] = { type: "text", text: `${last.text}\n\n${text}` };
  else parts.push({ type: "text", text });
}

/** Undefined if the item is no image, or one that this wire would refuse. */
export function imagePart(item: ContentItem, { imageTypes }: Dialect): LanguageModelV4FilePart | undefined {
  if (item.type !== "image") return undefined;
  const mediaType = typeInFact(item);
  if (mediaType === null || !imageTypes.includes(mediaType)) return undefined;
  return { type: "file", mediaType, data: { type: "data", data: item.data } };
}

/** An item as text. An image that can't be sent is mentioned, so that the model knows it is missing. */
export function itemWords(item: ContentItem): string {
  switch (item.type) {
    case "text":
      return item.text;
    case "json":
      return JSON.stringify(item.value);
    case "image": {
      const why = typeInFact(item) === null ? "it is damaged" : "this model can't take it";
      return `[An image (${item.mediaType}) is not shown: ${why}.]`;
    }
  }
}

const typesInFact = new WeakMap<ImageItem, string | null>();

/** Looked at once, because a long conversation is sent many times. Vendors refuse an image under a wrong name. */
function typeInFact(item: ImageItem): string | null {
  let type = typesInFact.get(item);
  if (type === undefined) {
    const found = isBase64(item.data) ? wholeImageType(Buffer.from(item.data, "base64")) : null;
    type = found ?? (CHECKED.has(item.mediaType) ? null : item.mediaType);
    typesInFact.set(item, type);
  }
  return type;
}

/** What is of another type can't be looked into. */
const CHECKED: ReadonlySet<string> = new Set([...IMAGE_TYPES, "image/heic", "image/heif"]);

/** An old program's validation errors are a list. */
export function retryText({ content }: RetryPromptPart): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
