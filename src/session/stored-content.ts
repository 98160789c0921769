// Content on disk: a string, a list of strings and images, or any other JSON, which is kept unchanged.
import { isJsonObject, type JsonValue } from "../base/json.ts";
import type { Content, ContentItem } from "../domain/content.ts";

export function decodeContent(value: JsonValue): Content {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return [{ type: "json", value }];
  const items = value.map(decodeItem);
  return items.every((item) => item !== null) ? items : [{ type: "json", value }];
}

export function encodeContent(content: Content): JsonValue {
  if (typeof content === "string") return content;
  const [first] = content;
  if (content.length === 1 && first?.type === "json") return first.value;
  return content.map(encodeItem);
}

function decodeItem(value: JsonValue): ContentItem | null {
  if (typeof value === "string") return { type: "text", text: value };
  if (!isJsonObject(value)) return null;
  const { kind, media_type: mediaType, data, ...extra } = value;
  if (kind !== "binary" || typeof data !== "string") return null;
  if (typeof mediaType !== "string" || !mediaType.startsWith("image/")) return null;
  const image = { type: "image", mediaType, data: standardBase64(data) } as const;
  return Object.keys(extra).length === 0 ? image : { ...image, extra };
}

function encodeItem(item: ContentItem): JsonValue {
  switch (item.type) {
    case "text":
      return item.text;
    case "image":
      return { ...item.extra, kind: "binary", data: item.data, media_type: item.mediaType };
    case "json":
      return item.value;
  }
}

/** The old program writes the URL-safe alphabet and reads both; vendors take only the standard one. */
function standardBase64(data: string): string {
  return data.replaceAll("-", "+").replaceAll("_", "/");
}
