// Judges reading or writing a path, with the same answer for a file tool, a redirection and a command that reads.
import { relative } from "node:path";
import { isStream, isWithin, realPaths } from "../base/real-path.ts";
import { absolute, type PathAct } from "./act.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { isObeyed, isSecret } from "./guarded-paths.ts";
import { findBelow, forbiddenBelow } from "./judge-tree.ts";
import { byMode, byRule, IN_SANDBOX, type Judgement, ONLY_READS } from "./judgement.ts";
import { matchesPath } from "./rule-match.ts";
import type { PermissionRule } from "./rules.ts";

export function judgePath(act: PathAct, context: PermissionContext): Judgement {
  const { access, path } = act;
  if (isStream(path)) return { verdict: "allow", reason: "It goes nowhere.", basis: "harmless" };
  const found = realPaths(path, context.disk);
  const real = found.filter((each) => each !== null);
  if (real.length < found.length)
    return byMode(context.mode, `${shown(path, context)} is a symlink loop.`, "deny");
  const rules = rulesInForce(context);
  const matches = (rule: PermissionRule) =>
    matchesPath(rule, act, rule.verdict === "allow" ? real : [path, ...real], context);
  const oddity = oddityOf(act, real, context);
  const readsBelow = act.extent === "tree" || act.extent === "visible";
  const below = readsBelow ? forbiddenBelow(real, act, context) : null;
  const own = byRule(rules, (rule) => matches(rule) && (oddity === null || reaches(rule)));
  const decided = own?.verdict === "deny" ? own : (below ?? own);
  // Neither an old rule nor a hasty yes can loosen read-only mode.
  if (access === "write" && context.mode === "read-only" && decided?.verdict !== "deny")
    return byMode(context.mode, `It would write ${shown(path, context)}.`, "deny");
  return decided ?? undecided(act, oddity, context);
}

/** An allow rule without a path covers ordinary files only. */
function reaches(rule: PermissionRule): boolean {
  return rule.verdict !== "allow" || (rule.subject.type === "path" && rule.subject.pattern !== null);
}

function undecided(act: PathAct, oddity: string | null, context: PermissionContext): Judgement {
  const { access, path } = act;
  if (access === "read") return oddity === null ? ONLY_READS : byMode(context.mode, oddity, "ask");
  if (oddity !== null) return byMode(context.mode, oddity, "deny");
  if (act.tool === null && context.sandbox) return IN_SANDBOX;
  if (context.mode === "auto-edit")
    return { verdict: "allow", reason: "The mode auto-edit allows writing in the project.", basis: "mode" };
  return { ...byMode(context.mode, `It would write ${shown(path, context)}.`, "deny"), reviewable: true };
}

/** Why this isn't an ordinary file of the project; null if it is one. */
function oddityOf(act: PathAct, real: readonly string[], context: PermissionContext): string | null {
  const { access, extent, path } = act;
  const { home } = context;
  const name = shown(path, context);
  const names = [...new Set([path, ...real])];
  if (extent !== "names" && names.some((each) => isSecret(each, home)))
    return `${name} is a place where secrets are kept.`;
  if (access === "write" && names.some((each) => isObeyed(each, home)))
    return `${name} is configuration that other programs obey.`;
  const outside = real.find((each) => isOutside(each, access, context));
  if (outside === path) return `${name} lies outside the project.`;
  if (outside !== undefined) return `${name} leads to ${outside}, outside the project.`;
  return treeOddity(act, real, context);
}

/** A secret in the tree. Without file names, a `visible` tree has none: hidden and ignored files aren't read. */
function treeOddity(act: PathAct, real: readonly string[], context: PermissionContext): string | null {
  const readsHidden = act.extent === "tree" || (act.extent === "visible" && act.include !== undefined);
  if (!readsHidden) return null;
  const name = shown(act.path, context);
  const isKept = (path: string) => isSecret(path, context.home) || isOutside(path, "read", context);
  for (const folder of real) {
    const found = findBelow(folder, act, isKept, context);
    if (found === "unclear") return `${name} is too large, or has names too odd, to be checked for secrets.`;
    if (found !== null) return `Everything below ${name} would be read, ${shown(found.path, context)} too.`;
  }
  return null;
}

function isOutside(path: string, access: "read" | "write", context: PermissionContext): boolean {
  const { workspace, addedFolders = [], readableFolders = [] } = context;
  const own = access === "read" ? readableFolders : [];
  return ![workspace.root, ...addedFolders, ...own].some((folder) => isWithin(path, folder));
}

/** Relative to the project, if it is inside. */
function shown(path: string, { workspace }: PermissionContext): string {
  const inside = relative(workspace.root, path);
  return inside === "" ? "the project" : inside.startsWith("..") ? path : inside;
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
