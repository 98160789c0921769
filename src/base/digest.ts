// SHA-256 of texts and bytes.
import { newHasher } from "./runtime.ts";

/** Returns hex digits. */
export function sha256(...pieces: readonly (string | Uint8Array)[]): string {
  const hasher = newHasher();
  for (const piece of pieces) hasher.update(piece);
  return hasher.digest("hex");
}

export function sha256Bytes(text: string): Uint8Array {
  return newHasher().update(text).digest();
}
