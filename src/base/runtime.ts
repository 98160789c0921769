// What the sources use of Bun, in one place. The library's build puts bun-on-node.ts in the place of this file
// (scripts/sdk.ts), so everything outside cli, tui and main.ts asks here.

type Used = "FetchSession" | "Glob" | "file" | "gc" | "hash" | "spawn";

/** Bun itself: each of its parts is made when it is first asked for, and that takes its time. */
export const runtime: Pick<typeof Bun, Used> = Bun;

/** SHA-256 by Bun, because loading node:crypto takes longer than all the hashing we do. */
export function newHasher(): Bun.CryptoHasher {
  return new Bun.CryptoHasher("sha256");
}

export function openWorker(url: URL): Worker {
  return new Worker(url);
}

export function newRewriter(): HTMLRewriter {
  return new HTMLRewriter();
}
