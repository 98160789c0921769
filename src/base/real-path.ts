// Resolves a path like the kernel: symlinks and `..`, one component at a time. Components that don't exist yet are
// kept as written, so that a file about to be created is judged by the folder it will be in.
import { lstatSync, readlinkSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";

export interface Links {
  /** The target of a symlink as written, or null if the path is not a symlink. */
  readonly readLink: (path: string) => string | null;
}

export const linksOnDisk: Links = {
  // This runs for every component of every path, and few are symlinks, so exceptions would cost more than lstat.
  readLink: (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
        ? readlinkSync(path)
        : null;
    } catch {
      // A path that can't be examined leads nowhere else as far as anyone can tell.
      return null;
    }
  },
};

/** The kernel's limit. */
const MAX_LINKS = 40;

/** Stands for bytes that are not UTF-8, so a path with it may name another file than the one that is meant. */
export const NOT_UTF8 = "\ufffd";

/**
 * `path` is absolute. Returns null for a symlink loop. A symlink whose target isn't UTF-8 leads to a path that is
 * nowhere, outside every project.
 */
export function realPath(path: string, links: Links): string | null {
  let followed = 0;
  let resolved = "/";
  const waiting = path.split("/").reverse();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      resolved = join(resolved, "..");
      continue;
    }
    const next = join(resolved, name);
    const target = links.readLink(next);
    if (target === null) {
      resolved = next;
      continue;
    }
    if (++followed > MAX_LINKS) return null;
    if (target.includes(NOT_UTF8)) return `/${NOT_UTF8}`;
    if (isAbsolute(target)) resolved = "/";
    waiting.push(...target.split("/").reverse());
  }
  return resolved;
}

/**
 * Resolves a path in both ways: as the kernel does, and with `..` removed from the text first, as many programs do.
 * The two differ for `link/../x`, and a decision has to be right for both.
 */
export function realPaths(path: string, links: Links): readonly (string | null)[] {
  const physical = realPath(path, links);
  if (!path.split("/").includes("..")) return [physical];
  const lexical = realPath(normalize(path), links);
  return lexical === physical ? [physical] : [physical, lexical];
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** With ~ for the home folder, unless that is the whole disk. */
export function pathWithTilde(path: string, home: string): string {
  return home !== "/" && isWithin(path, home) ? `~${path.slice(home.length)}` : path;
}

/** True for devices that store nothing. */
export function isStream(path: string | null): boolean {
  return path !== null && /^\/dev\/(null|stdin|stdout|stderr|fd\/\d+)$/.test(path);
}
