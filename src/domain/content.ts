// What a prompt or a tool return holds: plain text, or a list of text and images.
import { isBlank } from "../base/blank.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

export type Content = string | readonly ContentItem[];

export type ContentItem =
  | { readonly type: "text"; readonly text: string }
  /** data is base64; extra: keys of a file that we don't know, kept so that they can be written back. */
  | {
      readonly type: "image";
      readonly mediaType: string;
      readonly data: string;
      readonly extra?: JsonObject;
    }
  /** A structured value from an old file: the model reads it as JSON text, the file gets it back as it was. */
  | { readonly type: "json"; readonly value: JsonValue };

/** Checks content from a library user or their tools, which no compiler saw. */
export function isContent(value: unknown): value is Content {
  return typeof value === "string" || (Array.isArray(value) && value.every(isContentItem));
}

export function contentText(content: Content): string {
  return typeof content === "string" ? content : content.map(itemText).join("\n");
}

/** What the person typed. The files and outputs that go with it are further items. */
export function typedText(content: Content): string {
  if (typeof content === "string") return content;
  const words = content.find((item) => item.type === "text");
  return words?.type === "text" ? words.text : "";
}

export function isBlankContent(content: Content): boolean {
  if (typeof content === "string") return isBlank(content);
  return content.every((item) => item.type === "text" && isBlank(item.text));
}

function isContentItem(item: unknown): item is ContentItem {
  if (!isJsonObject(item)) return false;
  if (item["type"] === "text") return typeof item["text"] === "string";
  if (item["type"] === "image")
    return typeof item["mediaType"] === "string" && typeof item["data"] === "string";
  return item["type"] === "json" && item["value"] !== undefined;
}

function itemText(item: ContentItem): string {
  switch (item.type) {
    case "text":
      return item.text;
    case "image":
      return `[image ${item.mediaType}]`;
    case "json":
      return JSON.stringify(item.value);
  }
}
