// Path patterns of rules: `*` matches within a name, `**` across folders, `?` one character. They are relative to the
// project, to the home folder after `~/`, or absolute. A folder matches everything in it.
//
// In an allow rule a wildcard doesn't match a name that begins with a dot, so that `write(**)` doesn't open .git;
// in deny and ask rules it does, so that nothing slips through.
import { posix } from "node:path";

export interface PatternBase {
  readonly root: string;
  readonly home: string;
}

/** `hidden` makes wildcards match names that begin with a dot, and ignores case. */
export function createPathPattern(
  pattern: string,
  base: PatternBase,
  hidden: boolean,
): (path: string) => boolean {
  const names = posix.normalize(absolute(pattern, base)).split("/").filter(Boolean);
  if (names.at(-1) !== "**") names.push("**");
  const anyName = hidden ? "[^/]+" : "(?!\\.)[^/]+";
  const source = names.map((name) => (name === "**" ? `(?:/${anyName})*` : `/${nameSource(name, hidden)}`));
  const expression = new RegExp(`^${source.join("")}$`, hidden ? "iu" : "u");
  return (path) => expression.test(path === "/" ? "" : path);
}

function nameSource(name: string, hidden: boolean): string {
  const guard = !hidden && /^[*?]/.test(name) ? "(?!\\.)" : "";
  return guard + name.replace(/[.*+?^${}()|[\]\\/]/gu, (character) => WILD[character] ?? `\\${character}`);
}

const WILD: Record<string, string> = { "*": "[^/]*", "?": "[^/]" };

function absolute(pattern: string, { root, home }: PatternBase): string {
  if (pattern === "~" || pattern.startsWith("~/")) return home + pattern.slice(1);
  return pattern.startsWith("/") ? pattern : `${root}/${pattern}`;
}
