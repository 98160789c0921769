// Judges what a call would do: rules first, deny before ask before allow; then the mode's table (the user's guide shows
// it). Pure but for looking at paths through the context's disk.
import { never } from "../base/never.ts";
import type { Decision } from "../domain/permission.ts";
import type { Act, Acts, AskedCall } from "./act.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { judgeCommand, judgeDoubt } from "./judge-command.ts";
import { judgePath } from "./judge-path.ts";
import { byMode, byRule, type Judgement } from "./judgement.ts";
import { matchesHost, matchesTool } from "./rule-match.ts";

export function judgeAll(
  { toolName }: AskedCall,
  { acts, commands }: Acts,
  context: PermissionContext,
): Decision {
  const named = byRule(rulesInForce(context), (rule) => matchesTool(rule, toolName));
  const judgements = [
    // A rule that forbids a tool by its name holds, whatever the tool says of itself.
    ...(named === null || named.verdict === "allow" ? [] : [named]),
    ...acts.map((act) => judge(act, context)),
  ];
  const strictest = judgements.reduce(
    (worst, next) => (SEVERITY[next.verdict] > SEVERITY[worst.verdict] ? next : worst),
    HARMLESS,
  );
  // An allowance that took a rule or the mode says more than that it only reads.
  const told =
    strictest.verdict === "allow"
      ? (judgements.find((each) => each.basis !== "harmless") ?? strictest)
      : strictest;
  const ignored = strictest.verdict === "ask" ? ignoredProjectRule(acts, context) : null;
  return {
    decision: told.verdict,
    reason: ignored === null ? told.reason : `${told.reason} ${ignored}`,
    ...(told.rule === undefined ? {} : { rule: told.rule.text }),
    ...(commands === undefined ? {} : { commands, sandboxed: runsInSandbox(strictest, judgements, context) }),
  };
}

const SEVERITY = { allow: 0, ask: 1, deny: 2 } as const;
const HARMLESS: Judgement = { verdict: "allow", reason: "It only reads.", basis: "harmless" };

export function judge(act: Act, context: PermissionContext): Judgement {
  switch (act.type) {
    case "path":
      return judgePath(act, context);
    case "command":
      return judgeCommand(act, context);
    case "doubt":
      return judgeDoubt(act, context);
    case "fetch":
      return (
        byRule(rulesInForce(context), (rule) => matchesHost(rule, act)) ??
        byMode(context.mode, `It would fetch from ${act.host || "an address that can't be read"}.`, "ask")
      );
    case "tool":
      return (
        byRule(rulesInForce(context), (rule) => matchesTool(rule, act.name)) ??
        byMode(context.mode, `${act.name} may change something.`, "deny")
      );
    default:
      return never(act);
  }
}

/**
 * Inside the sandbox a command needs no rule, so a rule of the person that names every command that isn't
 * harmless is read as leave to run outside it; and so is a yes to a question.
 */
function runsInSandbox(
  strictest: Judgement,
  judgements: readonly Judgement[],
  { sandbox }: PermissionContext,
): boolean {
  if (!sandbox || strictest.verdict !== "allow") return false;
  return (
    judgements.some((each) => each.basis === "sandbox") ||
    !judgements.some((each) => each.basis === "command rule")
  );
}

/** Never silently: a project's rule that would have spared the question. */
function ignoredProjectRule(acts: readonly Act[], context: PermissionContext): string | null {
  if (context.trusted || rulesInForce(context).length === context.rules.length) return null;
  const trusting: PermissionContext = { ...context, trusted: true };
  const spared = acts.map((act) => judge(act, trusting)).every((each) => each.verdict === "allow");
  return spared ? "The project has a rule that allows it, but you haven't trusted this folder." : null;
}
