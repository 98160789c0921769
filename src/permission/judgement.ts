// One demand's answer, and the two things that give it: a rule, or the mode.
import type { PermissionMode, Verdict } from "../domain/permission.ts";
import type { PermissionRule } from "./rules.ts";

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly rule?: PermissionRule;
  /** What the verdict rests on. */
  readonly basis: "harmless" | "rule" | "command rule" | "mode" | "sandbox";
}

/** deny before ask before allow, whatever their order. */
export function byRule(
  rules: readonly PermissionRule[],
  matches: (rule: PermissionRule) => boolean,
): Judgement | null {
  for (const verdict of ["deny", "ask", "allow"] as const) {
    const rule = rules.find((each) => each.verdict === verdict && matches(each));
    if (rule !== undefined) return ruled(rule);
  }
  return null;
}

export function ruled(rule: PermissionRule): Judgement {
  const verb = { deny: "forbids it", ask: "wants you to be asked", allow: "allows it" }[rule.verdict];
  return {
    verdict: rule.verdict,
    reason: `The rule ${rule.text} (${rule.source}) ${verb}.`,
    rule,
    basis: rule.subject.type === "command" ? "command rule" : "rule",
  };
}

/** For what isn't harmless: yolo allows it, read-only mode does as it is told here, the others ask. */
export function byMode(mode: PermissionMode, why: string, readOnly: "ask" | "deny"): Judgement {
  const what = why.replace(/^(it|its|the) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  switch (mode) {
    case "yolo":
      return { verdict: "allow", reason: "The mode yolo allows everything no rule forbids.", basis: "mode" };
    case "read-only":
      return readOnly === "ask"
        ? { verdict: "ask", reason: what, basis: "mode" }
        : { verdict: "deny", reason: `${what} In read-only mode nothing is changed.`, basis: "mode" };
    default:
      return { verdict: "ask", reason: what, basis: "mode" };
  }
}
