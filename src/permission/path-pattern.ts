// Path patterns of rules: `*` matches within a name, `**` across folders, `?` one character. They are relative to the
// project, to the home folder after `~/`, or absolute. A folder matches everything in it.
//
// In an allow rule a wildcard doesn't match a name that begins with a dot, so that `write(**)` doesn't open .git;
// in deny and ask rules it does, so that nothing slips through.
import { posix } from "node:path";
import { createWildcard, matchesSteps, type PatternStep } from "../base/wildcard.ts";
import type { PermissionContext } from "./context.ts";

export type PatternBase = Pick<PermissionContext, "workspace" | "home">;

type PathTest = (path: string) => boolean;

/** A decision may test thousands of paths against the same few patterns. */
const known = new Map<string, PathTest>();
const MAX_KNOWN = 500;

/** `hidden` makes wildcards match names that begin with a dot, and ignores case. */
export function createPathPattern(pattern: string, base: PatternBase, hidden: boolean): PathTest {
  const absolute = pathOfPattern(pattern, base);
  const key = `${hidden} ${absolute}`;
  const test = known.get(key) ?? compile(absolute, hidden);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, test);
  return test;
}

function compile(absolute: string, hidden: boolean): PathTest {
  const names = absolute.split("/").filter(Boolean);
  if (names.at(-1) !== "**") names.push("**");
  const steps = names.map((name) => nameStep(name, hidden));
  return (path) => matchesSteps(steps, path === "/" ? [] : path.split("/").slice(1));
}

function nameStep(pattern: string, hidden: boolean): PatternStep<string> {
  const many = pattern === "**";
  const matches = createWildcard(many ? "?*" : pattern, hidden);
  const skipsHidden = !hidden && /^[*?]/.test(pattern);
  return {
    many,
    takes: (name) => !(skipsHidden && name.startsWith(".")) && matches(name),
  };
}

/** The same as an absolute path. */
export function pathOfPattern(pattern: string, { workspace, home }: PatternBase): string {
  if (pattern === "~" || pattern.startsWith("~/")) return posix.normalize(home + pattern.slice(1));
  return posix.normalize(pattern.startsWith("/") ? pattern : `${workspace.root}/${pattern}`);
}
