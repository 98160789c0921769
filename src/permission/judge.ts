// Judges what a call would do: rules come first, deny before ask before allow; then the mode's table, which is in the
// user's guide. Pure, except that it looks at paths through the context's disk. Acts of shell commands are judged by
// judge-act.ts, which is loaded with their reader.
import { defined } from "../base/defined.ts";
import { never } from "../base/never.ts";
import type { Decision } from "../domain/permission.ts";
import { type Act, type Acts, type AskedCall, actsOf } from "./act.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { judgePath } from "./judge-path.ts";
import { byMode, byRule, type Judgement, ONLY_READS } from "./judgement.ts";
import { matchesHost, matchesTool } from "./rule-match.ts";

/** May this call run, which starts no shell? Loading the reader of shell commands takes longer than all the rest. */
export function decideWithoutShell(call: AskedCall, context: PermissionContext): Decision {
  return judgeAll(call, actsOf(call, context, needsReader), context, (act) =>
    act.type === "command" || act.type === "doubt" ? needsReader() : judgeDirect(act, context),
  );
}

function needsReader(): never {
  throw new Error("Deciding about a shell command needs the reader of shell commands.");
}

export type Judge = (act: Act, context: PermissionContext) => Judgement;

export function judgeAll(
  { toolName }: AskedCall,
  { acts, commands, rebuilt, lists }: Acts,
  context: PermissionContext,
  judge: Judge,
): Decision {
  const named = byRule(rulesInForce(context), (rule) => matchesTool(rule, toolName));
  const judgements = [
    // A rule that forbids a tool by name applies whatever the tool demands.
    ...(named === null || named.verdict === "allow" ? [] : [named]),
    ...acts.map((act) => judge(act, context)),
  ];
  const strictest = judgements.reduce(
    (worst, next) => (SEVERITY[next.verdict] > SEVERITY[worst.verdict] ? next : worst),
    ONLY_READS,
  );
  // If a rule or the mode allowed it, that says more than that it only reads.
  const told =
    strictest.verdict === "allow"
      ? (judgements.find((each) => each.basis !== "harmless") ?? strictest)
      : strictest;
  const isListing = lists === true && judgements.every(({ basis }) => basis === "harmless");
  const sandboxed = !isListing && runsInSandbox(strictest, judgements, context);
  const remark = strictest.verdict === "ask" ? ignoredProjectRule(acts, context, judge) : null;
  return {
    decision: told.verdict,
    reason: [...reasonsOf(told, judgements, context), ...(remark === null ? [] : [remark])].join(" "),
    ...defined({ rule: told.rule?.text, rebuilt: told.verdict === "allow" ? rebuilt : undefined }),
    ...(isReviewable(judgements) && { reviewable: true }),
    ...(commands !== undefined && { commands, sandboxed }),
  };
}

/** A person has to read them all. */
const MOST_REASONS = 3;

/**
 * With a sandbox each reason is an effect, and the first may be harmless beside the next: a commit, and then a push.
 * Without one, most only say that a program isn't known to only read, and one of these is enough.
 */
function reasonsOf(
  told: Judgement,
  judgements: readonly Judgement[],
  { sandbox }: PermissionContext,
): readonly string[] {
  if (told.verdict !== "ask" || !sandbox) return [told.reason];
  const asking = judgements.filter(({ verdict }) => verdict === "ask").map(({ reason }) => reason);
  return [...new Set(asking)].slice(0, MOST_REASONS);
}

function isReviewable(judgements: readonly Judgement[]): boolean {
  const asking = judgements.filter(({ verdict }) => verdict === "ask");
  return asking.length > 0 && asking.every(({ reviewable }) => reviewable === true);
}

const SEVERITY = { allow: 0, ask: 1, deny: 2 } as const;

/** What a tool does itself, without a shell. */
export function judgeDirect(
  act: Exclude<Act, { type: "command" | "doubt" }>,
  context: PermissionContext,
): Judgement {
  switch (act.type) {
    case "path":
      return judgePath(act, context);
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
 * Inside the sandbox a command needs no rule. So if the person's rules allow every command that isn't harmless, they
 * mean it to run outside. After a yes it runs outside if something that was asked about can't work inside.
 */
function runsInSandbox(
  strictest: Judgement,
  judgements: readonly Judgement[],
  { sandbox }: PermissionContext,
): boolean {
  if (!sandbox || strictest.verdict === "deny") return false;
  const asked = judgements.filter(({ verdict }) => verdict === "ask");
  if (asked.length > 0) return asked.every(({ inside }) => inside === true);
  return (
    judgements.some((each) => each.basis === "sandbox") ||
    !judgements.some((each) => each.basis === "command rule")
  );
}

/** Says that a rule of the project would have spared the question, but is ignored. */
function ignoredProjectRule(acts: readonly Act[], context: PermissionContext, judge: Judge): string | null {
  if (context.trusted || rulesInForce(context).length === context.rules.length) return null;
  const trusting: PermissionContext = { ...context, trusted: true };
  const spared = acts.map((act) => judge(act, trusting)).every((each) => each.verdict === "allow");
  return spared ? "The project has a rule that allows it, but you haven't trusted this folder." : null;
}
