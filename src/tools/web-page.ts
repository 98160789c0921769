// Turns a reply into text for the model: decodes the charset, converts HTML, and refuses anything that isn't text.
import { ToolError } from "../domain/error.ts";
import { detectEncoding, isBinary } from "./file-text.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import type { HttpReply } from "./http-get.ts";

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml|toml)|application\/(?:x-)?(?:javascript|typescript|ecmascript|ndjson|jsonl|sh|sql|graphql|yaml|www-form-urlencoded)|image\/svg\+xml)$/;
const UNKNOWN = /^(?:|application\/octet-stream|binary\/octet-stream)$/;
/** Enough to find a page's charset. */
const SNIFFED_BYTES = 2_048;

export async function pageText(reply: HttpReply, url: URL, signal: AbortSignal): Promise<string> {
  const type = (reply.contentType.split(";")[0] ?? "").trim().toLowerCase();
  const isHtml = HTML.test(type);
  const isText = isHtml || TEXT.test(type) || (UNKNOWN.test(type) && !isBinary(reply.body));
  if (!isText) {
    const size = `${(reply.body.length / 1_000).toFixed(1)} kB${reply.isCut ? " or more" : ""}`;
    throw new ToolError(
      `${url.href} is ${type || "a binary file"} (${size}), which can't be read as text. If it is needed, download it with bash (curl -o FILE) and inspect the file.`,
    );
  }
  const text = decode(reply, isHtml);
  return isHtml ? await htmlToMarkdown({ html: text, baseUrl: url.href }, signal) : text;
}

function decode({ contentType, body }: HttpReply, isHtml: boolean): string {
  const { encoding, bom } = detectEncoding(body);
  const beginning = isHtml ? body.subarray(0, SNIFFED_BYTES).toString("latin1") : "";
  const declared = /charset\s*=\s*["']?([\w-]+)/i;
  const label = declared.exec(contentType)?.[1] ?? declared.exec(beginning)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(bom.length > 0 ? encoding : label).decode(body);
  } catch {
    // The charset is unknown: most pages are UTF-8 regardless of what they declare.
    return new TextDecoder().decode(body);
  }
}
