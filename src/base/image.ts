// The image formats that vendors accept, recognised by content: their size, and whether an image is whole. A vendor
// refuses an image that is too large or damaged, and with it every later request of the conversation.

export interface ImageType {
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
}

/** By the beginning of the file alone. */
export function recognizeImage(bytes: Buffer): ImageType | null {
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

/** The type of an image that is all there, whatever it was called; null for anything else. */
export function wholeImageType(bytes: Buffer): string | null {
  const found = recognizeImage(bytes);
  if (found === null) return isHeic(bytes) ? "image/heic" : null;
  return IS_WHOLE[found.mediaType]?.(bytes) ? found.mediaType : null;
}

/** True for what no text begins with, whole or not. */
export function beginsLikeImage(bytes: Buffer): boolean {
  const head = bytes.toString("latin1", 0, 12);
  return head.startsWith("\x89PNG") || head.startsWith("\xff\xd8\xff") || /^RIFF....WEBP/s.test(head);
}

const IS_WHOLE: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  "image/png": isWholePng,
  "image/gif": isWholeGif,
  "image/webp": isWholeWebp,
  "image/jpeg": isWholeJpeg,
};

function pngSize(bytes: Buffer): ImageType | null {
  if (bytes.length < 24 || bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  return { mediaType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Chunks of length, type, data and checksum; the picture is in IDAT, and IEND is the last. */
function isWholePng(bytes: Buffer): boolean {
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return false;
  let hasPicture = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    at += 12 + length;
    if (at > bytes.length) return false;
    if (type === "IEND") return hasPicture;
    hasPicture ||= type === "IDAT" && length > 0;
  }
  return false;
}

function gifSize(bytes: Buffer): ImageType | null {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return null;
  return { mediaType: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Blocks up to a trailer, which some programs leave out after the last of them. */
function isWholeGif(bytes: Buffer): boolean {
  let at = 13 + colourTable(bytes[10]);
  let hasPicture = false;
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x3b) return hasPicture;
    if (block === 0x2c) at += 11 + colourTable(bytes[at + 9]);
    else if (block === 0x21) at += 2;
    else return false;
    while (bytes[at] !== undefined && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
    if (at >= bytes.length) return false;
    hasPicture ||= block === 0x2c;
    at++;
  }
  return hasPicture;
}

function colourTable(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function webpSize(bytes: Buffer): ImageType | null {
  if (bytes.length < 30 || !/^RIFF....WEBP$/s.test(bytes.toString("latin1", 0, 12))) return null;
  const mediaType = "image/webp";
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const packed = bytes.readUInt32LE(21);
      return { mediaType, width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** Chunks of type, length and data, padded to an even length; the picture is in VP8, VP8L or the frames ANMF. */
function isWholeWebp(bytes: Buffer): boolean {
  const end = 8 + bytes.readUInt32LE(4);
  // The padding of the last chunk may be missing.
  if (end > bytes.length + 1) return false;
  let hasPicture = false;
  for (let at = 12; at + 8 <= end; ) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > bytes.length) return false;
    hasPicture ||= /^(VP8[ L]|ANMF)$/.test(bytes.toString("latin1", at, at + 4)) && length > 0;
    at += 8 + length + (length % 2);
  }
  return hasPicture;
}

/** The size is in the frame header, which follows segments of any length. */
function jpegSize(bytes: Buffer): ImageType | null {
  for (const { marker, at } of jpegSegments(bytes)) {
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && at + 9 <= bytes.length)
      return {
        mediaType: "image/jpeg",
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
  }
  return null;
}

/** Nothing inside a scan looks like the end of the image. */
function isWholeJpeg(bytes: Buffer): boolean {
  for (const { marker, at } of jpegSegments(bytes))
    if (marker === 0xda) return bytes.indexOf("\xff\xd9", at, "latin1") !== -1;
  return false;
}

/** Up to the first scan. */
function* jpegSegments(bytes: Buffer): Generator<{ marker: number; at: number }> {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return;
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return;
    if (marker === 0xff) {
      at++;
      continue;
    }
    yield { marker, at };
    if (marker === 0xda) return;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
}

/** Only that it claims to be one. */
function isHeic(bytes: Buffer): boolean {
  return /^ftyp(hei[cxs]|hev[cx]|mif1|msf1)/.test(bytes.toString("latin1", 4, 12));
}
