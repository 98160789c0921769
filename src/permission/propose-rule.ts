// What a person can allow beyond one call: the narrowest rules that spare the next question of this kind.
import { relative } from "node:path";
import { never } from "../base/never.ts";
import { isWithin, realPath } from "../base/real-path.ts";
import type { Offer } from "../domain/permission.ts";
import type { Act, AskedCall, CommandAct, PathAct } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { decide, readActs } from "./decide.ts";
import { boundedDisk, TooMuchToRead } from "./disk-budget.ts";
import { judge } from "./judge.ts";
import { parseRules } from "./rules.ts";

/**
 * The words after these differ every time and can't make them worse; anything else is proposed word for word. Left out
 * are `git stash` and `git restore`, which may discard work, and `go build`, which may run any program.
 */
const OPEN_ENDED =
  /^(git (add|commit)|(npm|pnpm|yarn|bun) test|cargo (build|test|check|clippy|fmt)|go test)$/;
/** Without a file they run their input, which may be anything the next time. */
const RUNS_ITS_INPUT =
  /^(.*\/)?(node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy\d?|perl|ruby|irb|php|lua|tclsh|Rscript|ghci|osascript|pwsh|sqlite3|psql|mysql|ed|ex|vim?|gdb|lldb|ssh|xargs|parallel|at|batch|crontab|patch)$/;
const MAX_RULE_CHARACTERS = 200;

export function offersFor(call: AskedCall, context: PermissionContext): readonly Offer[] {
  const rules = proposeRules(call, context);
  if (rules.length === 0) return [];
  return [{ label: `and don't ask again for ${rules.join(", ")}`, rules, lasts: "session" }];
}

/** Empty if there is no rule whose effect a person could judge. */
export function proposeRules(call: AskedCall, context: PermissionContext): readonly string[] {
  try {
    return proposedRules(call, { ...context, disk: boundedDisk(context.disk) });
  } catch (error) {
    if (error instanceof TooMuchToRead) return [];
    throw error;
  }
}

function proposedRules(call: AskedCall, context: PermissionContext): readonly string[] {
  const { acts } = readActs(call, context);
  const asked = acts.filter((act) => judge(act, context).verdict === "ask");
  const proposed = new Set(asked.map((act) => ruleFor(act, context)));
  const texts = [...proposed].filter((text) => text !== null);
  if (texts.length < proposed.size || texts.some((text) => text.length > MAX_RULE_CHARACTERS)) return [];
  // An ask rule stays in force whatever else is allowed, so with one there is nothing to propose.
  const { rules } = parseRules(texts, "allow", "session", context.vocabulary);
  const enough = decide(call, { ...context, rules: [...context.rules, ...rules] }).decision === "allow";
  return enough ? texts : [];
}

function ruleFor(act: Act, context: PermissionContext): string | null {
  switch (act.type) {
    case "command":
      return commandRule(act);
    case "path":
      return pathRule(act, context);
    case "fetch":
      return act.host === "" ? null : `${act.tool}(${act.host})`;
    case "tool":
      return act.name;
    case "doubt":
      return null;
    default:
      return never(act);
  }
}

function pathRule(
  { access, extent, path }: PathAct,
  { disk, home, workspace }: PermissionContext,
): string | null {
  const real = realPath(path, disk);
  // In a rule these characters are wildcards.
  if (real === null || /[*?]/.test(real)) return null;
  // A rule for a folder covers everything in it, which is too much for listing names, or for half the machine.
  const isOutside = !isWithin(real, workspace.root);
  if (isOutside && (extent !== "file" || isWithin(home, real) || isWithin(workspace.root, real))) return null;
  if (isWithin(real, workspace.root)) return `${access}(${relative(workspace.root, real) || "."})`;
  return isWithin(real, home) ? `${access}(~${real.slice(home.length)})` : `${access}(${real})`;
}

function commandRule({ tool, words }: CommandAct): string | null {
  const known = words.filter((word) => word !== null);
  const beginning = known.slice(0, 2).join(" ");
  if (words.length > 2 && OPEN_ENDED.test(beginning)) return `${tool}(${beginning}:*)`;
  if (known.length < words.length || known.length === 0) return null;
  const [name = "", ...rest] = known;
  if (RUNS_ITS_INPUT.test(name) && rest.every((word) => word.startsWith("-"))) return null;
  const quoted = known.map(quote);
  return quoted.includes(null) ? null : `${tool}(${quoted.join(" ")})`;
}

function quote(word: string): string | null {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (/[\n']/.test(word)) return null;
  return `'${word}'`;
}
