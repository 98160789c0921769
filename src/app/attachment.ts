// A file that a person hands to the model by naming it: an image as an image, text as text with its path.
import { readFile, stat } from "node:fs/promises";
import { beginsLikeImage, recognizeImage, wholeImageType } from "../base/image.ts";
import type { ContentItem } from "../domain/content.ts";
import { resolveInWorkspace } from "../tools/workspace-path.ts";

const MAX_TEXT_BYTES = 200_000;
const MAX_IMAGE_BYTES = 5_000_000;

/** shown: the path as the person wrote it. Returns null if there is no such file. */
export async function readAttachment(root: string, shown: string): Promise<ContentItem | null> {
  const path = resolveInWorkspace({ root, cwd: () => root, setCwd: () => {} }, shown);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return null;
  if (found.size > MAX_IMAGE_BYTES) return tooLarge(shown, found.size);
  const bytes = await readFile(path);
  if (recognizeImage(bytes) !== null || beginsLikeImage(bytes)) {
    const mediaType = wholeImageType(bytes);
    if (mediaType !== null) return { type: "image", mediaType, data: bytes.toString("base64") };
    return { type: "text", text: `[${shown} is an image, but it is damaged or cut off: it is not shown]` };
  }
  if (bytes.includes(0))
    return { type: "text", text: `[${shown} is a binary file of ${bytes.length} bytes]` };
  if (bytes.length > MAX_TEXT_BYTES) return tooLarge(shown, bytes.length);
  return { type: "text", text: `<file path="${shown}">\n${bytes.toString("utf8")}\n</file>` };
}

function tooLarge(shown: string, bytes: number): ContentItem {
  return {
    type: "text",
    text: `[${shown} has ${bytes} bytes, too many to hand over whole: read it in parts]`,
  };
}
