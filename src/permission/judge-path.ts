// Judges reading or writing a path, with the same answer for a file tool, a redirection and a command that reads.
import { basename, dirname, join, resolve } from "node:path";
import { defined } from "../base/defined.ts";
import { isStream, isWithin, realPath, realPaths } from "../base/real-path.ts";
import { absolute, type PathAct } from "./act.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { INSTALLED, isObeyed, isSecret } from "./guarded-paths.ts";
import { findBelow, forbiddenBelow, guardedBelow } from "./judge-tree.ts";
import {
  byMode,
  byRule,
  destroying,
  IN_SANDBOX,
  ifAsked,
  type Judgement,
  lossOf,
  ONLY_READS,
  type Target,
} from "./judgement.ts";
import { isOutside, isPrivate, projectFolders, shownPath } from "./project-path.ts";
import { matchesPath } from "./rule-match.ts";
import type { PermissionRule } from "./rules.ts";

export function judgePath(act: PathAct, context: PermissionContext): Judgement {
  const { access, path } = act;
  if (isStream(path)) return { verdict: "allow", reason: "It goes nowhere.", basis: "harmless" };
  if (access === "read" && act.tool === null && SOURCES.test(path)) return ONLY_READS;
  const found = realPaths(path, context.disk);
  const real = found.filter((each) => each !== null);
  if (real.length < found.length)
    return byMode(context.mode, `${shownPath(path, context)} is a symlink loop.`, "deny");
  const rules = rulesInForce(context);
  const matches = (rule: PermissionRule) =>
    matchesPath(rule, act, rule.verdict === "allow" ? real : [path, ...real], context);
  const oddity = oddityOf(act, real, context);
  const readsBelow = act.extent === "tree" || act.extent === "visible";
  const below = readsBelow ? forbiddenBelow(real, act, context) : null;
  const lost = oddity === null ? lostAt(act, real, context) : undefined;
  const isOrdinary = oddity === null && lost === undefined;
  const own = byRule(rules, (rule) => matches(rule) && (isOrdinary || reaches(rule)));
  const decided = own?.verdict === "deny" ? own : (below ?? own);
  // Neither an old rule nor a hasty yes can loosen read-only mode.
  if (access === "write" && context.mode === "read-only" && decided?.verdict !== "deny")
    return byMode(context.mode, `It would write ${shownPath(path, context)}.`, "deny");
  return decided ?? undecided(act, real, { oddity, lost }, context);
}

/** They hold nothing of anybody's. */
const SOURCES = /^\/dev\/(zero|u?random)$/;

/** An allow rule without a path covers ordinary files only, and commands no file that undo would not bring back. */
function reaches(rule: PermissionRule): boolean {
  return rule.verdict !== "allow" || (rule.subject.type === "path" && rule.subject.pattern !== null);
}

function undecided(
  act: PathAct,
  real: readonly string[],
  { oddity, lost }: { readonly oddity: Oddity | null; readonly lost: string | undefined },
  context: PermissionContext,
): Judgement {
  const { access, path } = act;
  const isCommand = act.tool === null && context.sandbox;
  if (
    isCommand &&
    oddity?.type === "outside" &&
    context.mode !== "yolo" &&
    real.every((each) => isPrivate(each, context))
  )
    return IN_SANDBOX;
  if (oddity !== null) {
    const judged = byMode(context.mode, oddity.why, access === "read" ? "ask" : "deny");
    // Inside, everything but secrets can be read.
    return isCommand && access === "read" && oddity.type === "outside"
      ? ifAsked(judged, { inside: true })
      : judged;
  }
  if (access === "read") return ONLY_READS;
  const name = shownPath(path, context);
  if (isCommand) {
    const isThere = real.some((each) => context.disk.kindOf(each) !== null);
    if (!isThere || context.mode === "yolo") return IN_SANDBOX;
    const target = { kind: "ordinary", ...defined({ lost }) } as const;
    return destroying(context, `It would change ${name}, which exists.`, target);
  }
  if (lost !== undefined) return byMode(context.mode, `It would change ${name}.${lossOf(lost)}`, "deny");
  if (context.mode === "auto-edit")
    return { verdict: "allow", reason: "The mode auto-edit allows writing in the project.", basis: "mode" };
  return ifAsked(byMode(context.mode, `It would write ${name}.`, "deny"), { reviewable: true });
}

/** What a command would write over that undo would not bring back. A tool's own edits are shown and asked about as such. */
function lostAt(
  { access, tool }: PathAct,
  real: readonly string[],
  context: PermissionContext,
): string | undefined {
  if (tool !== null || access !== "write" || context.mode === "yolo") return undefined;
  return firstLost(
    real.filter((each) => context.disk.kindOf(each) !== null),
    context,
  );
}

function firstLost(paths: readonly string[], { undo, disk }: PermissionContext): string | undefined {
  for (const path of paths) {
    const lost = undo?.firstUncovered(path) ?? null;
    if (lost !== null && disk.kindOf(path) !== null) return lost;
  }
  return undefined;
}

/** Why this isn't an ordinary file of the project; null if it is one. */
interface Oddity {
  readonly type: "secret" | "obeyed" | "outside";
  readonly why: string;
}

function oddityOf(act: PathAct, real: readonly string[], context: PermissionContext): Oddity | null {
  const { access, extent, path } = act;
  const { home } = context;
  const name = shownPath(path, context);
  const names = [...new Set([path, ...real])];
  if (extent !== "names" && names.some((each) => isSecret(each, home)))
    return { type: "secret", why: `${name} is a place where secrets are kept.` };
  if (access === "write" && names.some((each) => isObeyed(each, home)))
    return { type: "obeyed", why: `${name} is configuration that other programs obey.` };
  const outside = real.find((each) => isOutside(each, access, context));
  if (outside !== undefined) {
    const where = outside === path ? "lies" : `leads to ${outside},`;
    return { type: "outside", why: `${name} ${where} outside the project.` };
  }
  return treeOddity(act, real, context);
}

/** A secret in the tree. Without file names, a `visible` tree has none: hidden and ignored files aren't read. */
function treeOddity(act: PathAct, real: readonly string[], context: PermissionContext): Oddity | null {
  const readsHidden = act.extent === "tree" || (act.extent === "visible" && act.include !== undefined);
  if (!readsHidden) return null;
  const name = shownPath(act.path, context);
  const isKept = (path: string) => isSecret(path, context.home) || isOutside(path, "read", context);
  for (const folder of real) {
    const found = findBelow(folder, act, isKept, context);
    const why =
      found === "unclear"
        ? `${name} is too large, or has names too odd, to be checked for secrets.`
        : `Everything below ${name} would be read, ${shownPath(found?.path ?? "", context)} too.`;
    if (found !== null) return { type: "secret", why };
  }
  return null;
}

/** What a command would delete or overwrite here. `path` is absolute; `isSelective` as in KnownEffect. */
export function targetAt(path: string, context: PermissionContext, isSelective = false): Target {
  const { disk } = context;
  const found = realPaths(path, disk);
  const real = found.filter((each) => each !== null);
  if (real.length === found.length && real.every((each) => isPrivate(each, context)))
    return { kind: "private" };
  // A link is deleted itself; what it leads to is overwritten.
  const own = join(realPath(dirname(path), disk) ?? dirname(path), basename(path));
  const first = firstLost([own, ...real], context);
  const isBelow = first !== undefined && !isWithin(own, resolve(context.workspace.root, first));
  const lost = isSelective && isBelow && disk.kindOf(own) === "folder" ? undefined : first;
  const isMissing = disk.kindOf(own) === null ? true : undefined;
  return { ...kindOfTarget(path, found, context), ...defined({ lost, isMissing }) };
}

function kindOfTarget(path: string, found: readonly (string | null)[], context: PermissionContext): Target {
  const real = found.filter((each) => each !== null);
  const act = { type: "path", access: "write", tool: null, path, extent: "file" } as const;
  if (real.length < found.length || oddityOf(act, real, context) !== null) return { kind: "odd" };
  // A whole project holds files that give power.
  if (real.some((each) => projectFolders(context).includes(each))) return { kind: "unknown" };
  for (const folder of real.filter((each) => !INSTALLED.has(basename(each)))) {
    const below = guardedBelow(folder, context);
    if (below === "unclear") return { kind: "unknown" };
    if (below !== null) return { kind: "odd", holds: shownPath(below.path, context) };
  }
  return { kind: "ordinary" };
}

/** The judgement of a deny or ask rule with a pattern that matches one of these words, taken as a path. */
export function forbiddenPath(
  words: readonly string[],
  folders: ReadonlySet<string>,
  context: PermissionContext,
): Judgement | null {
  const rules = rulesInForce(context).filter(
    ({ verdict, subject }) => verdict !== "allow" && subject.type === "path" && subject.pattern !== null,
  );
  if (rules.length === 0) return null;
  const paths = words.flatMap((word) => [...folders].map((folder) => absolute(word, folder)));
  const real = paths.flatMap((path) => realPaths(path, context.disk)).filter((path) => path !== null);
  return byRule(
    rules,
    (rule) => rule.subject.type === "path" && matchesPath(rule, rule.subject, [...paths, ...real], context),
  );
}
