// A glob pattern taken apart: where to start, what ripgrep can sort out by itself, and what is left to match.
//
// ripgrep's own --glob is no use here: what it includes is included even if it is ignored. A file type holds
// only for what the ignore files let through, but sees nothing of a path but its last name.

import { join } from "node:path";

export interface GlobPattern {
  /** The directory the pattern names before its first wildcard; "" where it begins with one. */
  readonly base: string;
  readonly walkFlags: readonly string[];
  /** Of a path relative to the base. */
  readonly matches: (path: string) => boolean;
}

const WILDCARD = /[*?[\]{}\\]/;
const TYPE_NAME = "wanted";

/** Without a slash it matches a name at any depth, as in .gitignore. */
export function readGlobPattern(pattern: string): GlobPattern {
  const segments = splitSegments(pattern.replace(/\/+$/, "/**"));
  const firstWild = segments.findIndex((segment) => WILDCARD.test(segment));
  // A pattern without wildcards is a name in a directory.
  const baseLength = firstWild === -1 ? segments.length - 1 : firstWild;
  const base = segments.slice(0, baseLength).join("/");
  const rest = segments.slice(baseLength);
  const name = rest.at(-1) ?? "**";
  const anyDepth = segments.length === 1 ? ["**", name] : rest;
  const isDeep = anyDepth.some((segment) => segment.includes("**") || splitInBraces(segment));
  const isNameAlone = anyDepth.length === 2 && anyDepth[0] === "**" && isNamePattern(name);
  const matcher = isNameAlone ? null : new Bun.Glob(anyDepth.join("/"));
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

/** The folder a search for this pattern begins in; as a model writes paths. */
export function globStart(directory: string, pattern: string): string {
  return within(directory, readGlobPattern(pattern).base);
}

/** What a pattern asks for besides: by one that climbs after a wildcard, anything; by one without, a single file. */
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

/** {a/b,c} is one segment to us, but several to the file system. */
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
