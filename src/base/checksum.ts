// A checksum against accidents (a torn write, a flipped bit), not against an attacker.
import { crc32 } from "node:zlib";

export const CHECKSUM_LENGTH = 8;

/** CRC-32 as 8 hex digits; of a string, its UTF-8 bytes. Bun computes it at several GB/s. */
export function checksum(data: string | Uint8Array): string {
  return crc32(data).toString(16).padStart(CHECKSUM_LENGTH, "0");
}
