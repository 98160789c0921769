// Judges what a call would do: rules come first, deny before ask before allow; then the mode's table, which is in the
// user's guide. Pure, except that it looks at paths through the context's disk.
import { defined } from "../base/defined.ts";
import { never } from "../base/never.ts";
import type { Decision } from "../domain/permission.ts";
import { type Act, type Acts, type AskedCall, actsOf } from "./act.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { mayShowContents } from "./git-exclusion.ts";
import { judgeCommand, judgeDoubt } from "./judge-command.ts";
import { judgePath } from "./judge-path.ts";
import { byMode, byRule, type Judgement, ONLY_READS } from "./judgement.ts";
import { matchesHost, matchesTool } from "./rule-match.ts";

/** May this call run, which starts no shell? Loading the reader of shell commands takes longer than all the rest. */
export function decideWithoutShell(call: AskedCall, context: PermissionContext): Decision {
  const acts = actsOf(call, context, () => {
    throw new Error("Deciding about a shell command needs the reader of shell commands.");
  });
  return judgeAll(call, acts, context);
}

export function judgeAll(
  { toolName }: AskedCall,
  { acts, commands, rebuilt }: Acts,
  context: PermissionContext,
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
  const isListing =
    rebuilt !== undefined && judgements.every(({ basis }) => basis === "harmless") && listsWithGit(acts);
  const sandboxed = !isListing && runsInSandbox(strictest, judgements, context);
  const isDoubtful = strictest.verdict === "ask" && acts.some(({ type }) => type === "doubt");
  const remarks = [
    isDoubtful && sandboxed ? "After a yes it still runs inside the sandbox." : null,
    strictest.verdict === "ask" ? ignoredProjectRule(acts, context) : null,
  ];
  return {
    decision: told.verdict,
    reason: [told.reason, ...remarks.filter((remark) => remark !== null)].join(" "),
    ...defined({ rule: told.rule?.text, rebuilt: told.verdict === "allow" ? rebuilt : undefined }),
    ...(isReviewable(judgements) && { reviewable: true }),
    ...(commands !== undefined && { commands, sandboxed }),
  };
}

/**
 * Hidden files look changed to git. So what only lists, and was rebuilt without what the repository would have it run,
 * runs where it sees the files as they are: as if there were no sandbox. What shows contents stays inside, because
 * those of a secret may be among them.
 */
function listsWithGit(acts: readonly Act[]): boolean {
  const calls = acts.flatMap((act) => (act.type === "command" && act.words[0] === "git" ? [act.words] : []));
  return calls.length > 0 && !calls.some((words) => mayShowContents(words.filter((word) => word !== null)));
}

function isReviewable(judgements: readonly Judgement[]): boolean {
  const asking = judgements.filter(({ verdict }) => verdict === "ask");
  return asking.length > 0 && asking.every(({ reviewable }) => reviewable === true);
}

const SEVERITY = { allow: 0, ask: 1, deny: 2 } as const;

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
function ignoredProjectRule(acts: readonly Act[], context: PermissionContext): string | null {
  if (context.trusted || rulesInForce(context).length === context.rules.length) return null;
  const trusting: PermissionContext = { ...context, trusted: true };
  const spared = acts.map((act) => judge(act, trusting)).every((each) => each.verdict === "allow");
  return spared ? "The project has a rule that allows it, but you haven't trusted this folder." : null;
}
