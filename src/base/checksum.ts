// A checksum against accidents (a torn write, a flipped bit), not against an attacker. It uses Bun's CRC-32, which
// gives the same result as node:zlib, because loading that module takes longer than opening a session.
import { runtime } from "./runtime.ts";

export const CHECKSUM_LENGTH = 8;

/** CRC-32 as 8 hex digits. A string is summed as UTF-8. */
export function checksum(data: string | Uint8Array): string {
  return formatSum(addToSum(0, data));
}

/** Continues a running sum, which starts at 0. */
export function addToSum(sum: number, data: string | Uint8Array): number {
  return runtime.hash.crc32(data, sum);
}

export function formatSum(sum: number): string {
  return sum.toString(16).padStart(CHECKSUM_LENGTH, "0");
}
