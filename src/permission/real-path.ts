// Resolves a path like the kernel: symlinks and `..`, one component at a time. Components that don't exist yet are
// kept as written, so that a file about to be created is judged by the folder it will be in.
import { isAbsolute, join, normalize } from "node:path";
import type { DiskView } from "./disk.ts";

/** The kernel's limit. */
const MAX_LINKS = 40;

/** `path` is absolute. Returns null for a symlink loop. */
export function realPath(path: string, disk: DiskView): string | null {
  let links = 0;
  let resolved = "/";
  const waiting = path.split("/").reverse();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      resolved = join(resolved, "..");
      continue;
    }
    const next = join(resolved, name);
    const target = disk.readLink(next);
    if (target === null) {
      resolved = next;
      continue;
    }
    if (++links > MAX_LINKS) return null;
    if (isAbsolute(target)) resolved = "/";
    waiting.push(...target.split("/").reverse());
  }
  return resolved;
}

/**
 * Resolves a path in both ways: as the kernel does, and with `..` removed from the text first, as many programs do.
 * The two differ for `link/../x`, and a decision has to be right for both.
 */
export function realPaths(path: string, disk: DiskView): readonly (string | null)[] {
  const physical = realPath(path, disk);
  if (!path.split("/").includes("..")) return [physical];
  const lexical = realPath(normalize(path), disk);
  return lexical === physical ? [physical] : [physical, lexical];
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** True for devices that store nothing. */
export function isStream(path: string | null): boolean {
  return path !== null && /^\/dev\/(null|stdin|stdout|stderr|fd\/\d+)$/.test(path);
}
