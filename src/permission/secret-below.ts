// Is there a secret in a tree that a command would read as a whole? Bounded: a tree too large to look through
// is reported as such, and asked about.
import { join } from "node:path";
import type { Disk } from "./disk.ts";

/** About 15 ms of looking. */
const MAX_ENTRIES = 3_000;

/** The first path that `isKept` picks, "too large", or null. `folder` is a real path, so only links lead elsewhere. */
export function secretBelow(
  folder: string,
  include: readonly string[] | undefined,
  isKept: (path: string, isLink: boolean) => boolean,
  disk: Disk,
): { readonly path: string } | "too large" | null {
  const wanted = include?.map(nameExpression);
  const waiting = [folder];
  let seen = 0;
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    for (const entry of disk.listFolder(current) ?? []) {
      if (++seen > MAX_ENTRIES) return "too large";
      const path = join(current, entry.name);
      if (entry.kind === "folder") {
        // Git's own store is compressed, and enormous.
        if (entry.name !== ".git") waiting.push(path);
      } else if (
        (wanted?.some((name) => name.test(entry.name)) ?? true) &&
        isKept(path, entry.kind === "link")
      )
        return { path };
    }
  }
  return null;
}

function nameExpression(pattern: string): RegExp {
  const source = pattern.replace(/[.*+?^${}()|[\]\\/]/gu, (character) =>
    character === "*" ? ".*" : character === "?" ? "." : `\\${character}`,
  );
  return new RegExp(`^${source}$`, "iu");
}
