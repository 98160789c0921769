// A checksum against accidents (a torn write, a flipped bit), not against an attacker. Bun's own CRC-32, which is
// node:zlib's to the bit: loading that module takes longer than opening a session.
import { runtime } from "./runtime.ts";

export const CHECKSUM_LENGTH = 8;

/** CRC-32 as 8 hex digits; of a string, its UTF-8 bytes. */
export function checksum(data: string | Uint8Array): string {
  return formatSum(addToSum(0, data));
}

/** The sum of what was summed up so far and this; 0 to begin with. */
export function addToSum(sum: number, data: string | Uint8Array): number {
  return runtime.hash.crc32(data, sum);
}

export function formatSum(sum: number): string {
  return sum.toString(16).padStart(CHECKSUM_LENGTH, "0");
}
