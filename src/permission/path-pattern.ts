// Path patterns of rules: `*` matches within a name, `**` across folders, `?` one character. They are relative to the
// project, to the home folder after `~/`, or absolute. A folder matches everything in it.
//
// In an allow rule a wildcard doesn't match a name that begins with a dot, so that `write(**)` doesn't open .git;
// in deny and ask rules it does, so that nothing slips through.
import { posix } from "node:path";
import { createWildcard, matchesSteps, type PatternStep } from "../base/wildcard.ts";
import type { PermissionContext } from "./context.ts";

export type PatternBase = Pick<PermissionContext, "workspace" | "home" | "spend">;

type PathTest = (path: string) => boolean;

interface KnownPattern {
  readonly test: PathTest;
  readonly wildcards: number;
}

/** A decision may test thousands of paths against the same few patterns. */
const known = new Map<string, KnownPattern>();
const MAX_KNOWN = 5_000;
/** What a test costs at least, in characters that are compared. */
const STEPS_PER_TEST = 200;
/** What a wildcard across folders adds. */
const STEPS_ACROSS = 5;

/** `hidden` makes wildcards match names that begin with a dot, and ignores case. */
export function createPathPattern(pattern: string, base: PatternBase, hidden: boolean): PathTest {
  const key = `${hidden}\0${base.workspace.root}\0${base.home}\0${pattern}`;
  const found = known.get(key) ?? readPattern(pathOfPattern(pattern, base), hidden);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, found);
  const { test, wildcards } = found;
  const { spend } = base;
  if (spend === undefined) return test;
  return (path) => {
    spend(STEPS_PER_TEST + path.length * wildcards);
    return test(path);
  };
}

function readPattern(absolute: string, hidden: boolean): KnownPattern {
  const count = (wildcard: RegExp) => absolute.match(wildcard)?.length ?? 0;
  return { test: compile(absolute, hidden), wildcards: 1 + count(/[*?]+/g) + STEPS_ACROSS * count(/\*\*/g) };
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
