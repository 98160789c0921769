// SHA-256 by Bun, because loading node:crypto takes longer than all the hashing we do.
import { runtime } from "./runtime.ts";

export interface Digest {
  readonly update: (data: string | Uint8Array) => void;
  /** Returns hex digits. Can be called only once. */
  readonly finish: () => string;
}

export function newDigest(): Digest {
  const hasher = new runtime.CryptoHasher("sha256");
  return {
    update: (data) => {
      hasher.update(data);
    },
    finish: () => hasher.digest("hex"),
  };
}

/** Returns hex digits. */
export function sha256(...pieces: readonly (string | Uint8Array)[]): string {
  const digest = newDigest();
  for (const piece of pieces) digest.update(piece);
  return digest.finish();
}

export function sha256Bytes(text: string): Uint8Array {
  return new runtime.CryptoHasher("sha256").update(text).digest();
}
