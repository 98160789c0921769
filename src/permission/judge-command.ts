// Judges a simple command, and a part of a shell command whose effect isn't known.
import type { CommandAct } from "./act.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { forbiddenPath } from "./judge-path.ts";
import { asking, byMode, byRule, IN_SANDBOX, type Judgement, ONLY_READS } from "./judgement.ts";
import { matchesCommand } from "./rule-match.ts";
import type { PermissionRule } from "./rules.ts";
import { unwrap } from "./shell-wrapper.ts";
import { isTestOrBuild } from "./tests-and-builds.ts";

export function judgeCommand(act: CommandAct, context: PermissionContext): Judgement {
  const { words, folders, answer } = act;
  const known = words.filter((word) => word !== null);
  const decided = byRule(rulesInForce(context), (rule) => speaksOf(rule, act));
  if (decided?.verdict === "deny") return decided;
  // A command that isn't known to only read may do anything with a path.
  const mentioned = answer.harmless ? null : forbiddenPath(known.flatMap(pathsIn), folders, context);
  if (mentioned?.verdict === "deny") return mentioned;
  if (!answer.harmless && context.mode === "read-only") return byMode(context.mode, `${answer.why}.`, "deny");
  if (decided?.verdict === "ask") return decided;
  if (mentioned !== null) return mentioned;
  const unseen = answer.harmless || answer.readsUnknown !== true ? null : unseenReading(context);
  if (unseen !== null) return unseen;
  if (decided !== null) return decided;
  if (answer.harmless) return ONLY_READS;
  if (context.mode === "yolo" || !context.sandbox) {
    const judgement = byMode(context.mode, `${answer.why}.`, "deny");
    return isTestOrBuild(words) ? { ...judgement, reviewable: true } : judgement;
  }
  return IN_SANDBOX;
}

/** Unknown files may include those that a rule forbids to read. */
function unseenReading(context: PermissionContext): Judgement | null {
  const rule = rulesInForce(context).find(
    ({ verdict, subject }) => verdict !== "allow" && subject.type === "path" && subject.access === "read",
  );
  if (rule === undefined) return null;
  return asking(
    `What it reads isn't known before it runs. So nobody can tell whether the rule ${rule.text} (${rule.source}) forbids it.`,
  );
}

/** A doubt needs a question, unless the rules allow any command and forbid none. */
export function judgeDoubt(
  { why, tool }: { readonly why: string; readonly tool: string },
  context: PermissionContext,
): Judgement {
  const what = `What it does can't be told before it runs: ${why}.`;
  const rules = rulesInForce(context).filter(
    ({ subject, verdict }) => subject.type === "command" && (verdict !== "allow" || subject.tool === tool),
  );
  if (context.mode === "read-only") return byMode(context.mode, what, "deny");
  const strict = rules.find((rule) => rule.verdict !== "allow");
  if (strict !== undefined) {
    const question = `${what} So nobody can tell whether the rule ${strict.text} (${strict.source}) forbids it.`;
    const any = strict.verdict === "deny" && isAnyCommand(strict);
    return { ...asking(question), verdict: any ? "deny" : "ask" };
  }
  return byRule(rules, isAnyCommand) ?? byMode(context.mode, what, "deny");
}

function isAnyCommand(rule: PermissionRule): boolean {
  return rule.subject.type === "command" && rule.subject.words.length === 0;
}

/** A wrapper's options may hide where its inner command begins, so a strict rule is tried at every word. */
function speaksOf(rule: PermissionRule, { tool, words }: CommandAct): boolean {
  if (matchesCommand(rule, tool, words)) return true;
  if (rule.verdict === "allow" || unwrap(words) === null) return false;
  return words.some((_, index) => index > 0 && matchesCommand(rule, tool, words.slice(index)));
}

/** `--file=x`, `@x` and `if=x` name a file, too. */
function pathsIn(word: string): readonly string[] {
  const value = /^[^=]*=(.+)$/s.exec(word)?.[1] ?? word;
  return [word, value].map((path) => path.replace(/^@/, ""));
}
