// May this path be read or written? The same answer for a file tool, a redirect, and a command that reads.
import { relative } from "node:path";
import { isStream, isWithin, realPaths } from "../base/real-path.ts";
import type { PathAct } from "./act.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { type GuardedPaths, guardedPathsOf } from "./guarded-paths.ts";
import { findBelow, forbiddenBelow } from "./judge-tree.ts";
import { byMode, byRule, type Judgement, ruled } from "./judgement.ts";
import { matchesPath } from "./rule-match.ts";
import type { PermissionRule } from "./rules.ts";

export function judgePath(act: PathAct, context: PermissionContext): Judgement {
  if (isStream(act.path)) return harmless("It goes nowhere.");
  const { access, tool, path } = act;
  const found = realPaths(path, context.disk);
  const real = found.filter((each) => each !== null);
  if (real.length < found.length)
    return byMode(context.mode, `${shown(path, context)} is a link that never ends.`, "deny");
  const rules = rulesInForce(context);
  const base = { root: context.workspace.root, home: context.home };
  const matches = (rule: PermissionRule) =>
    matchesPath(rule, access, tool, rule.verdict === "allow" ? real : [path, ...real], base);
  const oddity = oddityOf(act, real, context);
  const below = readsBelow(act) ? forbiddenBelow(real, act, context) : null;
  const own = byRule(rules, (rule) => matches(rule) && (oddity === null || reaches(rule)));
  const decided = own?.verdict === "deny" ? own : (below ?? own);
  // Read-only mode can't be loosened, by an old rule or by a hasty yes.
  if (access === "write" && context.mode === "read-only" && decided?.verdict !== "deny")
    return byMode(context.mode, `It would write ${shown(path, context)}.`, "deny");
  return decided ?? undecided(act, oddity, context);
}

/** A rule without a path speaks of ordinary files. */
function reaches(rule: PermissionRule): boolean {
  return rule.verdict !== "allow" || (rule.subject.type === "path" && rule.subject.pattern !== null);
}

function undecided(act: PathAct, oddity: string | null, context: PermissionContext): Judgement {
  const { access, path } = act;
  if (access === "read")
    return oddity === null ? harmless("It only reads.") : byMode(context.mode, oddity, "ask");
  if (oddity !== null) return byMode(context.mode, oddity, "deny");
  if (act.tool === null && context.sandbox)
    return { verdict: "allow", reason: "It runs inside the sandbox.", basis: "sandbox" };
  if (context.mode === "auto-edit")
    return { verdict: "allow", reason: "The mode auto-edit allows writing in the project.", basis: "mode" };
  return byMode(context.mode, `It would write ${shown(path, context)}.`, "deny");
}

/** Why this isn't an ordinary file of the project; null: it is. */
function oddityOf(act: PathAct, real: readonly string[], context: PermissionContext): string | null {
  const { access, extent, path } = act;
  const guarded = guardedPathsOf(context.home);
  const name = shown(path, context);
  const names = [...new Set([path, ...real])];
  if (extent !== "names" && names.some(guarded.isSecret)) return `${name} is a place where secrets are kept.`;
  if (access === "write" && names.some(guarded.isObeyed))
    return `${name} is configuration that other programs obey.`;
  const outside = real.find((each) => isOutside(each, access, context));
  if (outside === path) return `${name} lies outside the project.`;
  if (outside !== undefined) return `${name} leads to ${outside}, outside the project.`;
  return treeOddity(act, real, guarded, context);
}

/** A secret in the tree. Of `visible` trees only what a project shows anyone is read, unless files are named. */
function treeOddity(
  act: PathAct,
  real: readonly string[],
  guarded: GuardedPaths,
  context: PermissionContext,
): string | null {
  const readsHidden = act.extent === "tree" || (act.extent === "visible" && act.include !== undefined);
  if (!readsHidden) return null;
  const name = shown(act.path, context);
  const isKept = (path: string) => guarded.isSecret(path) || isOutside(path, "read", context);
  for (const folder of real) {
    const found = findBelow(folder, act, isKept, context);
    if (found === "too large") return `${name} is too large to be checked for secrets.`;
    if (found !== null) return `Everything below ${name} would be read, ${shown(found.path, context)} too.`;
  }
  return null;
}

function readsBelow({ extent }: PathAct): boolean {
  return extent === "tree" || extent === "visible";
}

function isOutside(path: string, access: "read" | "write", context: PermissionContext): boolean {
  const own = access === "read" ? (context.readableFolders ?? []) : [];
  return ![context.workspace.root, ...own].some((folder) => isWithin(path, folder));
}

/** Relative to the project where it lies inside. */
function shown(path: string, { workspace }: PermissionContext): string {
  const inside = relative(workspace.root, path);
  return inside === "" ? "the project" : inside.startsWith("..") ? path : inside;
}

/** A deny or ask rule about one of these words, taken as a path. */
export function forbiddenPath(
  words: readonly string[],
  folders: ReadonlySet<string>,
  context: PermissionContext,
): Judgement | null {
  const rules = rulesInForce(context).filter(
    (rule) => rule.verdict !== "allow" && rule.subject.type === "path",
  );
  if (rules.length === 0) return null;
  const base = { root: context.workspace.root, home: context.home };
  for (const verdict of ["deny", "ask"] as const) {
    for (const word of words) {
      for (const folder of folders) {
        const path = word.startsWith("/") ? word : `${folder}/${word}`;
        const candidates = [path, ...realPaths(path, context.disk).filter((each) => each !== null)];
        const rule = rules.find(
          (each) =>
            each.verdict === verdict &&
            each.subject.type === "path" &&
            each.subject.pattern !== null &&
            matchesPath(each, each.subject.access, each.subject.tool, candidates, base),
        );
        if (rule !== undefined) return ruled(rule);
      }
    }
  }
  return null;
}

function harmless(reason: string): Judgement {
  return { verdict: "allow", reason, basis: "harmless" };
}
