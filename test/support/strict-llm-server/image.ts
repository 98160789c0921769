// Checks that base64 is an image of the declared type. Vendors check the bytes, too.

export type ImageFault = "not-base64" | "empty" | "not-an-image" | "other-type";

export const IMAGE_TYPES: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

export function imageFault(data: string, mediaType: string): ImageFault | undefined {
  if (data === "") return "empty";
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return "not-base64";
  const found = imageType(data);
  if (found === undefined) return "not-an-image";
  return found === mediaType ? undefined : "other-type";
}

/** By the first bytes. */
export function imageType(data: string): string | undefined {
  const head = Buffer.from(data.slice(0, 24), "base64").toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "image/webp";
  return undefined;
}
