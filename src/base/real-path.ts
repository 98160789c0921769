// Where a path really leads, links and `..` followed one component at a time as the kernel does. What doesn't
// exist yet is kept as written, so that a file about to be created is judged by the folder it will lie in.
import { lstatSync, readlinkSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";

export interface Links {
  /** The target of a symbolic link as it is written, or null where there is no link. */
  readonly readLink: (path: string) => string | null;
}

export const linksOnDisk: Links = {
  // Asked of every part of every path, and nearly none is a link: an exception each time would cost more than the look.
  readLink: (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
        ? readlinkSync(path)
        : null;
    } catch {
      // A path that can't be looked at leads nowhere else as far as we can know.
      return null;
    }
  },
};

/** The kernel's own limit. */
const MAX_LINKS = 40;

/** null: the links never end. `path` is absolute. */
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
    if (isAbsolute(target)) resolved = "/";
    waiting.push(...target.split("/").reverse());
  }
  return resolved;
}

/**
 * Both readings of a path: as the kernel follows it, and with `..` folded away first, as many programs do.
 * `link/../x` differs between the two, and a decision has to hold for either.
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

/** Not a file: nothing is kept in it. */
export function isStream(path: string | null): boolean {
  return path !== null && /^\/dev\/(null|stdin|stdout|stderr|fd\/\d+)$/.test(path);
}
