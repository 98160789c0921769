// What a person can allow beyond one call: the narrowest rules that spare the next question of this kind, for this
// session or for good, and all edits of the project.
import { relative } from "node:path";
import { never } from "../base/never.ts";
import { isWithin, pathWithTilde, realPath, realPaths } from "../base/real-path.ts";
import type { Decision, Offer } from "../domain/permission.ts";
import type { Act, AskedCall, CommandAct, PathAct } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { decide, readActs } from "./decide.ts";
import { boundedDisk, createEffort, TooMuchToRead } from "./disk-budget.ts";
import { NO_GROUND } from "./effect.ts";
import { isObeyed, isSecret } from "./guarded-paths.ts";
import { judgeAct } from "./judge-act.ts";
import { knownEffect } from "./known-effects.ts";
import { isOutside } from "./project-path.ts";
import type { KnownWord } from "./rule-match.ts";
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

/** Without a path it covers ordinary files of the project only: no secrets, nothing outside, nothing that is obeyed. */
const ALL_EDITS: readonly string[] = ["write"];

/** Empty if there is no rule whose effect a person could judge. */
export function offersFor(call: AskedCall, context: PermissionContext): readonly Offer[] {
  try {
    return findOffers(call, { ...context, disk: boundedDisk(context.disk), spend: createEffort() });
  } catch (error) {
    if (error instanceof TooMuchToRead) return [];
    throw error;
  }
}

function findOffers(call: AskedCall, context: PermissionContext): readonly Offer[] {
  const asked = readActs(call, context).acts.filter((act) => judgeAct(act, context).verdict === "ask");
  const narrow = narrowRules(asked, context);
  const allowed = allowedBy(narrow, call, context);
  // A rule for a command means that it runs as it would without a sandbox.
  const where = context.sandbox && allowed?.sandboxed === false ? " (then it runs outside the sandbox)" : "";
  const named = narrow.join(", ") + where;
  const offers: Offer[] = [];
  if (allowed !== null)
    offers.push({
      label: `and don't ask again in this session: ${named}`,
      rules: narrow,
      lasts: "session",
    });
  if (asked.every((act) => act.type === "path") && allowedBy(ALL_EDITS, call, context) !== null)
    offers.push({
      label: "and don't ask again in this session: all edits in the project",
      rules: ALL_EDITS,
      lasts: "session",
    });
  const mayLast = context.keepsRules === true && !asked.some((act) => isSessionAtMost(act, context));
  if (allowed !== null && mayLast)
    offers.push({
      label: `and never ask again in this project: ${named}`,
      rules: narrow,
      lasts: "always",
    });
  return offers;
}

/** Empty if one of the acts has no rule. */
function narrowRules(asked: readonly Act[], context: PermissionContext): readonly string[] {
  const proposed = new Set(asked.map((act) => ruleFor(act, context)));
  const texts = [...proposed].filter((text) => text !== null);
  const isWhole = texts.length === proposed.size && texts.every((text) => text.length <= MAX_RULE_CHARACTERS);
  return isWhole ? texts : [];
}

/** null if it would still be asked about: an ask rule stays in force whatever else is allowed. */
function allowedBy(texts: readonly string[], call: AskedCall, context: PermissionContext): Decision | null {
  const { rules } = parseRules(texts, "allow", "session", context.vocabulary);
  if (rules.length === 0) return null;
  const decision = decide(call, { ...context, rules: [...context.rules, ...rules] });
  return decision.decision === "allow" ? decision : null;
}

/** What other programs obey, secrets, and writing outside the project are allowed for a session at most. */
function isSessionAtMost(act: Act, context: PermissionContext): boolean {
  if (act.type !== "path") return false;
  const { disk, home } = context;
  const real = realPaths(act.path, disk);
  const isWritten = act.access === "write";
  if (real.some((path) => path === null || (isWritten && isOutside(path, "write", context)))) return true;
  return [act.path, ...real].some((path) => path === null || isSecret(path, home) || isObeyed(path, home));
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

function pathRule({ access, extent, path }: PathAct, context: PermissionContext): string | null {
  const { disk, home, workspace } = context;
  const real = realPath(path, disk);
  // In a rule these characters are wildcards.
  if (real === null || /[*?]/.test(real)) return null;
  // A rule for a folder covers everything in it, which is too much for listing names, or for half the machine.
  const isTooWide = extent !== "file" || isWithin(home, real) || isWithin(workspace.root, real);
  if (isOutside(real, access, context) && isTooWide) return null;
  if (isWithin(real, workspace.root)) return `${access}(${relative(workspace.root, real) || "."})`;
  return `${access}(${pathWithTilde(real, home)})`;
}

function commandRule({ tool, words }: CommandAct): string | null {
  const known = words.filter((word) => word !== null);
  if (isAskedEachTime(words)) return null;
  const beginning = known.slice(0, 2).join(" ");
  if (words.length > 2 && OPEN_ENDED.test(beginning)) return `${tool}(${beginning}:*)`;
  if (known.length < words.length || known.length === 0) return null;
  const [name = "", ...rest] = known;
  if (RUNS_ITS_INPUT.test(name) && rest.every((word) => word.startsWith("-"))) return null;
  const quoted = known.map(quote);
  return quoted.includes(null) ? null : `${tool}(${quoted.join(" ")})`;
}

/**
 * What such a command publishes, or which history it rewrites, differs each time although the words are the same. So
 * nobody can judge a rule for it, and none is offered; whoever wants one writes it.
 */
function isAskedEachTime(words: readonly KnownWord[]): boolean {
  const effect = knownEffect(words, NO_GROUND);
  return effect?.kind === "publishes" || effect?.kind === "history";
}

function quote(word: string): string | null {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (/[\n']/.test(word)) return null;
  return `'${word}'`;
}
