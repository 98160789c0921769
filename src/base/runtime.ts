// What the sources use of Bun, in one place. The library's build replaces this file with bun-on-node.ts
// (scripts/sdk.ts), so everything outside cli, tui and main.ts imports it from here.

type Used = "FetchSession" | "Glob" | "file" | "gc" | "hash" | "spawn";

/** Bun itself and not a copy of these parts: each is created when it is first read, which takes time. */
export const runtime: Pick<typeof Bun, Used> = Bun;

/** By Bun, because loading node:crypto takes longer than all the hashing we do. SHA-1 is what git names things by. */
export function newHasher(algorithm: "sha256" | "sha1" = "sha256"): Bun.CryptoHasher {
  return new Bun.CryptoHasher(algorithm);
}

export function openWorker(url: URL): Worker {
  return new Worker(url);
}

export function newRewriter(): HTMLRewriter {
  return new HTMLRewriter();
}
