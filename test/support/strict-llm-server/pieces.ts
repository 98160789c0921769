// Splits text into deltas, and bytes into network pieces.
import type { Delivery } from "./turn.ts";

const DELTA_CHARACTERS = 16;
const WRITE_BYTES = 64 * 1024;

/** Splits at whole characters, because a vendor never splits one inside a JSON string. */
export function deltasOf(words: string, deltas: readonly string[] | number | undefined): readonly string[] {
  if (typeof deltas === "object") return deltas;
  if (words === "") return [];
  const size = deltas ?? DELTA_CHARACTERS;
  const characters = Array.from(words);
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size) {
    pieces.push(characters.slice(start, start + size).join(""));
  }
  return pieces;
}

/** Where a body of events is broken into separate writes. */
export function piecesOf(frames: readonly string[], how: Delivery["pieces"]): Uint8Array[] {
  if (how === "event") return frames.map((frame) => Buffer.from(frame));
  return splitBytes(Buffer.from(frames.join("")), how);
}

/** The same for bytes without known events, so "event" means one piece. */
export function splitBytes(bytes: Uint8Array, how: Delivery["pieces"]): Uint8Array[] {
  switch (how) {
    case "byte":
      return everyBytes(bytes, 1);
    case "inside-characters":
      return insideCharacters(bytes);
    case "event":
    case "whole":
    case undefined:
      return everyBytes(bytes, WRITE_BYTES);
    default:
      return everyBytes(bytes, how);
  }
}

function everyBytes(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.subarray(start, start + size));
  return pieces;
}

/** A break after the first byte of every character that has more than one. */
function insideCharacters(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (let index = 0; index < bytes.length; index++) {
    if ((bytes[index] ?? 0) < 0xc0) continue;
    pieces.push(bytes.subarray(start, index + 1));
    start = index + 1;
  }
  if (start < bytes.length) pieces.push(bytes.subarray(start));
  return pieces;
}
