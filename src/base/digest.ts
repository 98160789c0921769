// SHA-256. Bun's own, because loading node:crypto takes longer than everything it would be used for.
import { runtime } from "./runtime.ts";

export interface Digest {
  readonly update: (data: string | Uint8Array) => void;
  /** As hex digits; at most once. */
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

/** As hex digits. */
export function sha256(...pieces: readonly (string | Uint8Array)[]): string {
  const digest = newDigest();
  for (const piece of pieces) digest.update(piece);
  return digest.finish();
}

export function sha256Bytes(text: string): Uint8Array {
  return new runtime.CryptoHasher("sha256").update(text).digest();
}
