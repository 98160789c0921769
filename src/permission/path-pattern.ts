// Path patterns of rules: `*` matches within a name, `**` across folders, `?` one character. They are relative to the
// project, to the home folder after `~/`, or absolute. A folder matches everything in it.
//
// In an allow rule a wildcard doesn't match a name that begins with a dot, so that `write(**)` doesn't open .git;
// in deny and ask rules it does, so that nothing slips through.
import { posix } from "node:path";
import type { PermissionContext } from "./context.ts";

export type PatternBase = Pick<PermissionContext, "workspace" | "home">;

/** `hidden` makes wildcards match names that begin with a dot, and ignores case. */
export function createPathPattern(
  pattern: string,
  base: PatternBase,
  hidden: boolean,
): (path: string) => boolean {
  const names = posix.normalize(absolutePattern(pattern, base)).split("/").filter(Boolean);
  if (names.at(-1) !== "**") names.push("**");
  const anyName = hidden ? "[^/]+" : "(?!\\.)[^/]+";
  const source = names.map((name) => (name === "**" ? `(?:/${anyName})*` : `/${nameSource(name, hidden)}`));
  const expression = new RegExp(`^${source.join("")}$`, hidden ? "iu" : "u");
  return (path) => expression.test(path === "/" ? "" : path);
}

function nameSource(name: string, hidden: boolean): string {
  return (!hidden && /^[*?]/.test(name) ? "(?!\\.)" : "") + wildcardSource(name);
}

/** The source of a regular expression for a name with `*` and `?`. */
export function wildcardSource(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/gu, (character) => WILD[character] ?? `\\${character}`);
}

const WILD: Record<string, string> = { "*": "[^/]*", "?": "[^/]" };

function absolutePattern(pattern: string, { workspace, home }: PatternBase): string {
  if (pattern === "~" || pattern.startsWith("~/")) return home + pattern.slice(1);
  return pattern.startsWith("/") ? pattern : `${workspace.root}/${pattern}`;
}
