// The answer to one act, and the two things that give it: a rule, or the mode.
import { type PermissionMode, ruleWithSource, type Verdict } from "../domain/permission.ts";
import type { PermissionContext } from "./context.ts";
import type { PermissionRule } from "./rules.ts";

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly rule?: PermissionRule;
  /** What the verdict rests on. */
  readonly basis: "harmless" | "rule" | "command rule" | "mode" | "sandbox";
  /** A question that a reviewing model may answer: what it is about stays in the project and can be made good. */
  readonly reviewable?: true;
  /** After a yes, it still runs inside the sandbox. */
  readonly inside?: true;
}

export const ONLY_READS: Judgement = { verdict: "allow", reason: "It only reads.", basis: "harmless" };
export const IN_SANDBOX: Judgement = {
  verdict: "allow",
  reason: "The sandbox limits what it can do.",
  basis: "sandbox",
};

const BROUGHT_BACK: Judgement = { ...IN_SANDBOX, reason: "Undo would bring back what it changes." };

/** A deny rule wins over an ask rule, and an ask rule over an allow rule, in whatever order they are written. */
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
    reason: `The rule ${ruleWithSource(rule)} ${verb}.`,
    rule,
    basis: rule.subject.type === "command" ? "command rule" : "rule",
  };
}

/** For an act that isn't harmless. Yolo allows it, read-only mode gives the verdict passed here, the others ask. */
export function byMode(mode: PermissionMode, why: string, readOnly: "ask" | "deny"): Judgement {
  const reason = why.replace(/^(it|its|the) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  if (mode === "yolo")
    return { verdict: "allow", reason: "The mode yolo allows everything no rule forbids.", basis: "mode" };
  if (mode === "read-only" && readOnly === "deny")
    return { verdict: "deny", reason: `${reason} In read-only mode nothing is changed.`, basis: "mode" };
  return asking(reason);
}

export function asking(reason: string, more: Pick<Judgement, "reviewable" | "inside"> = {}): Judgement {
  return { verdict: "ask", reason, basis: "mode", ...more };
}

/**
 * private: temporary files that only commands in the sandbox see. ordinary: files of the project. unknown: not known
 * before it runs. odd: outside, secret, or obeyed by programs.
 */
type TargetKind = "private" | "ordinary" | "unknown" | "odd";

export interface Target {
  readonly kind: TargetKind;
  /** A secret in this folder, or what other programs obey. */
  readonly holds?: string;
  /** What undo would not bring back. */
  readonly lost?: string;
  /** Nothing is there: then it may mean another place, such as one that a script changes to. */
  readonly isMissing?: boolean;
}

/** For a command inside the sandbox that is known to delete or to overwrite. */
export function destroying(
  { mode, undo }: Pick<PermissionContext, "mode" | "undo">,
  reason: string,
  { kind, lost, isMissing }: Target,
): Judgement {
  if (kind === "private") return IN_SANDBOX;
  const isReversible = kind === "ordinary" && lost === undefined;
  if (isReversible && isMissing !== true && mode === "auto-edit" && undo !== undefined) return BROUGHT_BACK;
  return asking(reason + lossOf(lost), {
    ...(kind !== "odd" && { inside: true }),
    ...(isReversible && { reviewable: true }),
  });
}

/** Said after the reason of a question. */
export function lossOf(lost: string | undefined): string {
  return lost === undefined ? "" : ` Undo would not bring back ${lost}.`;
}

/** With what only a question has. */
export function ifAsked(
  judgement: Judgement,
  more: Partial<Pick<Judgement, "reviewable" | "inside" | "reason">>,
): Judgement {
  return judgement.verdict === "ask" ? { ...judgement, ...more } : judgement;
}
