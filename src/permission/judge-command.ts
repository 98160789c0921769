// Judges a simple command, and a part of a shell command whose effect isn't known.
import { realPaths } from "../base/real-path.ts";
import { ruleWithSource } from "../domain/permission.ts";
import { absolute, type CommandAct, type DoubtAct } from "./act.ts";
import { boundFiles } from "./bound-files.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import type { KnownEffect } from "./effect.ts";
import { judgeEffect, lostBy } from "./judge-effect.ts";
import { forbiddenPath } from "./judge-path.ts";
import { namedBelow } from "./judge-tree.ts";
import {
  asking,
  byMode,
  byRule,
  IN_SANDBOX,
  ifAsked,
  type Judgement,
  lossOf,
  ONLY_READS,
} from "./judgement.ts";
import { knownEffect } from "./known-effects.ts";
import { areOrdinary, notCovered } from "./ordinary-words.ts";
import { isOutside } from "./project-path.ts";
import { matchesCommand } from "./rule-match.ts";
import type { PermissionRule } from "./rules.ts";
import { unwrap } from "./shell-wrapper.ts";
import { isTestOrBuild } from "./tests-and-builds.ts";

export function judgeCommand(act: CommandAct, context: PermissionContext): Judgement {
  const { words, folders, answer } = act;
  const known = words.filter((word) => word !== null);
  const isMeant = speaksOf(act, context);
  const decided = byRule(rulesInForce(context), (rule) => isMeant(rule) && gap(rule, act, context) === null);
  if (decided?.verdict === "deny") return decided;
  // A command that isn't known to only read may do anything with a path.
  const mentioned = answer.harmless ? null : forbiddenPath(known.flatMap(pathsIn), folders, context);
  if (mentioned?.verdict === "deny") return mentioned;
  if (!answer.harmless && context.mode === "read-only") return byMode(context.mode, `${answer.why}.`, "deny");
  const usual = byEffect(act, context);
  // A yes to what a rule asks about lets it run where it would have run without the rule.
  if (decided?.verdict === "ask") return isInside(usual, context) ? { ...decided, inside: true } : decided;
  if (mentioned !== null) return mentioned;
  return unseenReading(act, decided, context) ?? decided ?? usual;
}

function isInside({ inside, verdict }: Judgement, { sandbox }: PermissionContext): boolean {
  return sandbox && (inside === true || verdict === "allow");
}

/** By the mode and the sandbox, where no rule says anything. */
function byEffect(act: CommandAct, context: PermissionContext): Judgement {
  const { words, folders, answer } = act;
  if (answer.harmless) return ONLY_READS;
  const { mode } = context;
  if (mode === "yolo") return byMode(mode, `${answer.why}.`, "deny");
  const effect = effectOn(act, context);
  const gaps = gapInRules(act, context);
  if (context.sandbox) {
    const judged = effect === null ? IN_SANDBOX : judgeEffect(effect, folders, context);
    return ifAsked(judged, { reason: judged.reason + gaps });
  }
  const loss = effect === null ? "" : lossOf(lostBy(effect, folders, context));
  const judged = byMode(mode, `${answer.why}.${loss}${gaps}`, "deny");
  const stays =
    effect === null ? isTestOrBuild(words) : judgeEffect(effect, folders, context).reviewable === true;
  return stays && isOrdinaryCommand(act, context) ? ifAsked(judged, { reviewable: true }) : judged;
}

function effectOn({ words, folders }: CommandAct, context: PermissionContext): KnownEffect | null {
  const { disk } = context;
  const kinds = (path: string) => [...folders].map((folder) => disk.kindOf(absolute(path, folder)));
  const [folder = ""] = folders;
  return knownEffect(words, {
    exists: (path) => kinds(path).some((kind) => kind !== null),
    isFolder: (path) => kinds(path).every((kind) => kind === "folder"),
    names: () => (disk.listFolder(folder) ?? []).map(({ name }) => name),
    named: (paths, isNamed) => {
      const places = paths.flatMap((path) => [...folders].map((each) => absolute(path, each)));
      return namedBelow(places, isNamed, context);
    },
    isOutside: (path) =>
      [...folders]
        .flatMap((each) => realPaths(absolute(path, each), disk))
        .some((real) => real === null || isOutside(real, "write", context)),
  });
}

const SYSTEM_PROGRAM = /^\/(usr\/)?(local\/)?s?bin\/[^/]+$/;

function isOrdinaryCommand({ words, input, folders }: CommandAct, context: PermissionContext): boolean {
  const [name, ...rest] = words;
  return areOrdinary([...(SYSTEM_PROGRAM.test(name ?? "") ? rest : words), input], folders, context);
}

/** Says that a rule for the beginning of the command doesn't cover the rest. */
function gapInRules(act: CommandAct, context: PermissionContext): string {
  const isMeant = speaksOf(act, context);
  for (const rule of rulesInForce(context)) {
    const missed = rule.verdict === "allow" && isMeant(rule) ? gap(rule, act, context) : null;
    if (missed !== null) return ` The rule ${ruleWithSource(rule)} doesn't cover ${missed}.`;
  }
  return "";
}

/** What an allow rule for the beginning of a command leaves to a question, or null. */
function gap(
  { subject, verdict }: PermissionRule,
  act: CommandAct,
  context: PermissionContext,
): string | null {
  const { words, folders, plain } = act;
  if (verdict !== "allow" || subject.type !== "command" || subject.words.length === 0) return null;
  if (!plain) return "a variable that may hold a secret";
  if (!subject.open) return null;
  const odd = notCovered(subject.words[0] ?? "", words.slice(subject.words.length), folders, context);
  if (odd !== null || context.undo === undefined || context.mode === "yolo") return odd;
  const effect = effectOn(act, context);
  const lost = effect === null ? undefined : lostBy(effect, folders, context);
  return lost === undefined ? null : `${lost}, which undo would not bring back`;
}

/**
 * Unknown files may include those that a rule forbids to read. Inside the sandbox those that exist are hidden, but not
 * what git remembers of them.
 */
function unseenReading(
  act: CommandAct,
  decided: Judgement | null,
  context: PermissionContext,
): Judgement | null {
  const { answer } = act;
  if (answer.harmless) return null;
  const isHidden = context.sandbox && decided === null && context.mode !== "yolo";
  const { incomplete } = isHidden ? boundFiles(context) : { incomplete: null };
  if (incomplete !== null)
    return asking(
      `There is too much to look at to keep it from the files of the rule ${ruleWithSource(incomplete)}.`,
      { inside: true },
    );
  if (answer.readsUnknown === undefined || (isHidden && answer.readsUnknown === "files")) return null;
  const rule = rulesInForce(context).find(
    ({ verdict, subject }) => verdict !== "allow" && subject.type === "path" && subject.access === "read",
  );
  if (rule === undefined) return null;
  return asking(
    `What it reads isn't known before it runs. So nobody can tell whether the rule ${ruleWithSource(rule)} forbids it.`,
    { inside: true },
  );
}

/**
 * A doubt needs a question, unless the rules allow any command and forbid none, or it is a mild one and inside the
 * sandbox. After a yes it stays there.
 */
export function judgeDoubt(
  { why, tool, mild }: Omit<DoubtAct, "type">,
  context: PermissionContext,
): Judgement {
  const what = `What it does can't be told before it runs: ${why}.`;
  const rules = rulesInForce(context).filter(
    ({ subject, verdict }) => subject.type === "command" && (verdict !== "allow" || subject.tool === tool),
  );
  if (context.mode === "read-only") return byMode(context.mode, what, "deny");
  const strict = rules.find((rule) => rule.verdict !== "allow");
  const ruled = doubtByRule(what, strict) ?? byRule(rules, isAnyCommand);
  if (ruled === null && mild === true && context.sandbox && context.mode !== "yolo") return IN_SANDBOX;
  const judged = ruled ?? byMode(context.mode, what, "deny");
  return context.sandbox ? ifAsked(judged, { inside: true }) : judged;
}

function doubtByRule(what: string, strict: PermissionRule | undefined): Judgement | null {
  if (strict === undefined) return null;
  const question = `${what} So nobody can tell whether the rule ${ruleWithSource(strict)} forbids it.`;
  const any = strict.verdict === "deny" && isAnyCommand(strict);
  return { ...asking(question), verdict: any ? "deny" : "ask" };
}

function isAnyCommand(rule: PermissionRule): boolean {
  return rule.subject.type === "command" && rule.subject.words.length === 0;
}

/** What comparing a rule costs, and what a word adds. */
const STEPS_PER_RULE = 200;
const STEPS_PER_WORD = 10;

/** A wrapper's options may hide where its inner command begins, so a strict rule is tried at every word. */
function speaksOf(
  { tool, words }: CommandAct,
  { spend }: PermissionContext,
): (rule: PermissionRule) => boolean {
  const wraps = unwrap(words) !== null;
  return (rule) => {
    if (rule.subject.type !== "command") return false;
    spend?.(STEPS_PER_RULE + STEPS_PER_WORD * words.length * (1 + rule.subject.words.length));
    return matchesCommand(rule, tool, words, wraps && rule.verdict !== "allow");
  };
}

/** `--file=x`, `@x` and `if=x` name a file, too. */
function pathsIn(word: string): readonly string[] {
  const value = /^[^=]*=(.+)$/s.exec(word)?.[1] ?? word;
  return [word, value].map((path) => path.replace(/^@/, ""));
}
