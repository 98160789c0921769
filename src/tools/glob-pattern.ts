// Splits a glob pattern into the directory to start in, the part ripgrep can filter, and the part left to match here.
//
// ripgrep's own --glob can't be used, because it overrides ignore files. A file type respects them, but matches only
// the last name of a path.

import { join } from "node:path";
import { runtime } from "../base/runtime.ts";

export interface GlobPattern {
  /** The directory before the pattern's first wildcard; "" if it begins with one. */
  readonly base: string;
  readonly walkFlags: readonly string[];
  /** Takes a path relative to the base. */
  readonly matches: (path: string) => boolean;
}

const WILDCARD = /[*?[\]{}\\]/;
const TYPE_NAME = "wanted";

/** As in .gitignore, a pattern without a slash matches a name at any depth. */
export function readGlobPattern(pattern: string): GlobPattern {
  const segments = splitSegments(pattern.replace(/\/+$/, "/**"));
  const firstWild = segments.findIndex((segment) => WILDCARD.test(segment));
  // Without a wildcard, the last segment is the file's name.
  const baseLength = firstWild === -1 ? segments.length - 1 : firstWild;
  const base = segments.slice(0, baseLength).join("/");
  const rest = segments.slice(baseLength);
  const name = rest.at(-1) ?? "**";
  const anyDepth = segments.length === 1 ? ["**", name] : rest;
  const isDeep = anyDepth.some((segment) => segment.includes("**") || splitInBraces(segment));
  const isNameAlone = anyDepth.length === 2 && anyDepth[0] === "**" && isNamePattern(name);
  const matcher = isNameAlone ? null : new runtime.Glob(anyDepth.join("/"));
  return {
    // An absolute pattern begins with an empty segment.
    base: segments[0] === "" && base === "" ? "/" : base,
    walkFlags: [
      ...(isDeep ? [] : [`--max-depth=${anyDepth.length}`]),
      ...(isNamePattern(name) ? [`--type-add=${TYPE_NAME}:${name}`, `--type=${TYPE_NAME}`] : []),
    ],
    matches: (path) => matcher?.match(path) ?? true,
  };
}

/** The folder where a search for this pattern begins, not yet resolved. */
export function globStart(directory: string, pattern: string): string {
  return within(directory, readGlobPattern(pattern).base);
}

/** What else a pattern can reach: anything if `..` follows a wildcard, a single file if there is no wildcard. */
export function globReach(directory: string, pattern: string): readonly string[] {
  const rest = pattern.replace(/^[^*?[{\\]*(?:\/|$)/, "");
  if (rest.includes("..")) return ["/"];
  return WILDCARD.test(pattern) ? [] : [within(directory, pattern)];
}

function within(directory: string, path: string): string {
  return /^[/~]/.test(path) ? path : join(directory, path);
}

function isNamePattern(segment: string): boolean {
  return !segment.includes("**") && !splitInBraces(segment) && segment !== "";
}

/** {a/b,c} is one segment here, but several in the file system. */
function splitInBraces(segment: string): boolean {
  return segment.includes("/");
}

function splitSegments(pattern: string): string[] {
  const segments = [""];
  let depth = 0;
  for (const character of pattern) {
    if (character === "{") depth++;
    if (character === "}") depth = Math.max(0, depth - 1);
    if (character === "/" && depth === 0) segments.push("");
    else segments[segments.length - 1] += character;
  }
  return segments;
}
