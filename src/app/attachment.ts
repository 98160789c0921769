// A file that a person hands to the model by naming it: an image as an image, text as text with its path. The person
// named it, so it may be anywhere, but nothing that has no end or never begins.
import { statSync } from "node:fs";
import { beginsLikeImage, recognizeImage, wholeImageType } from "../base/image.ts";
import { outsideText } from "../base/outside-text.ts";
import { readPlainFile } from "../base/plain-file.ts";
import type { ContentItem } from "../domain/content.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";
import { resolveInWorkspace } from "../tools/workspace-path.ts";

const MAX_TEXT_BYTES = 200_000;
const MAX_IMAGE_BYTES = 5_000_000;

/** `unfit`: it can't be sent, and why. */
type Handed =
  | { readonly type: "item"; readonly item: ContentItem }
  | { readonly type: "missing" }
  | { readonly type: "unfit"; readonly why: string };

/** For a path in a prompt: the first of the folders that has it. Returns null if there is no such file. */
export async function readAttachment(folders: readonly string[], shown: string): Promise<ContentItem | null> {
  for (const folder of folders) {
    const handed = await handOver(folder, shown);
    if (handed.type === "item") return handed.item;
    if (handed.type === "unfit") throw new TunacodeError("usage", `It ${handed.why}.`);
  }
  return null;
}

/** For a path on the command line: throws a usage error if it can't be sent. */
export async function readGivenFile(folder: string, shown: string): Promise<ContentItem> {
  const handed = await handOver(folder, shown).catch((error) => {
    throw new TunacodeError("usage", `${shown} can't be read: ${errorMessage(error)}`);
  });
  if (handed.type === "item") return handed.item;
  const why = handed.type === "missing" ? "is not a file" : handed.why;
  throw new TunacodeError("usage", `${shown} ${why}.`);
}

/** shown: the path as the person wrote it. */
async function handOver(folder: string, shown: string): Promise<Handed> {
  const path = resolveInWorkspace({ root: folder, cwd: () => folder, setCwd: () => {} }, shown);
  const found = await readPlainFile(path, { mostBytes: MAX_IMAGE_BYTES });
  if (found.type === "missing") return found;
  if (found.type === "refused")
    return isFolder(path) ? { type: "missing" } : { type: "unfit", why: found.why };
  const { bytes } = found;
  if (recognizeImage(bytes) !== null || beginsLikeImage(bytes)) {
    const mediaType = wholeImageType(bytes);
    if (mediaType === null) return { type: "unfit", why: "is an image, but it is damaged or cut off" };
    return { type: "item", item: { type: "image", mediaType, data: bytes.toString("base64") } };
  }
  if (bytes.includes(0)) return { type: "unfit", why: `is a binary file of ${bytes.length} bytes` };
  if (bytes.length > MAX_TEXT_BYTES) return { type: "unfit", why: `has ${bytes.length} bytes, ${TOO_MANY}` };
  return { type: "item", item: { type: "text", text: outsideText(bytes.toString("utf8"), shown) } };
}

const TOO_MANY = "too many to hand over whole: it has to be read in parts";

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
