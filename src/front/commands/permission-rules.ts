// /permissions rules, add and remove: the rules in force, changed by the person alone.
import {
  RULE_SOURCES,
  type RuleInForce,
  type RuleSource,
  ruleWithSource,
  type Verdict,
} from "../../domain/permission.ts";
import type { FrontAgent } from "../agent.ts";
import type { CommandContext } from "./command.ts";

type Rules = FrontAgent["rules"];

interface WrittenRule {
  /** null: none was written. */
  readonly verdict: Verdict | null;
  readonly always: boolean;
  readonly text: string;
}

export const RULES_USAGE =
  "/permissions rules, /permissions add allow bash(npm test), /permissions remove RULE.";
export const RULES_ITEM = { value: "rules", label: "rules", detail: "choose a rule to remove it" };
export const RULE_ARGUMENTS: readonly string[] = [
  "rules",
  ...["allow", "ask", "deny"].flatMap((verdict) => [`add ${verdict}`, `add always ${verdict}`]),
  "remove",
];

const HOW_TO_REMOVE: Readonly<Record<RuleSource, string>> = {
  person: "It is in your configuration. Remove it there: tunacode config path names the file.",
  project: "It is in this project's configuration. Remove it there: tunacode config path names the file.",
  "command line": "It was given as a flag, so it applies until you exit.",
  session: "",
  remembered: "",
};

const HOW_TO_ADD =
  "A rule needs allow, ask or deny before it: /permissions add allow bash(npm test). With always before that, it is kept for this project.";

export function speaksOfRules(args: string): boolean {
  return /^(rules|add|remove)(\s|$)/.test(args);
}

export function ruleInWords(rule: RuleInForce): string {
  return `${rule.verdict} ${ruleWithSource(rule)}`;
}

/** Throws if a rule is wrong: the message says why. */
export async function changeRules(
  args: string,
  { session, say, choose }: Pick<CommandContext, "session" | "say" | "choose">,
): Promise<void> {
  const { rules } = session.agent();
  const [, action = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
  const written = readWritten(rest.trim());
  if (action === "add") return void say(...add(written, rules));
  const wanted = action === "remove" && written.text !== "";
  const chosen = wanted ? named(written, rules) : await chooseRule(rules, choose);
  for (const rule of chosen) say(remove(rule, rules));
  if (wanted && chosen.length === 0)
    say(`There is no rule ${written.text}. /permissions rules lists them.`, "warning");
  if (!wanted && rules.list().length === 0 && chosen.length === 0)
    say("There are no rules. This adds one: /permissions add allow bash(npm test)");
}

/** `always` and the verdict come before the rule, in any order. */
function readWritten(words: string): WrittenRule {
  let verdict: Verdict | null = null;
  let always = false;
  let text = words;
  while (true) {
    const [whole = "", word] = /^(allow|ask|deny|always)(?:\s+|$)/.exec(text) ?? [];
    // A tool may have such a name, too.
    if (word === undefined || (word !== "always" && verdict !== null)) return { verdict, always, text };
    if (word === "allow" || word === "ask" || word === "deny") verdict = word;
    else always = true;
    text = text.slice(whole.length);
  }
}

function add({ verdict, always, text }: WrittenRule, rules: Rules): Parameters<CommandContext["say"]> {
  if (verdict === null || text === "") return [HOW_TO_ADD, "warning"];
  rules.add({ verdict, text, lasts: always ? "always" : "session" });
  const added = rules.list().findLast((rule) => rule.verdict === verdict && rule.text === text);
  const lasts = added?.source === "remembered" ? "always, in this project" : "in this session";
  return [`Added: ${verdict} ${text}, ${lasts}.`];
}

function named({ verdict, text }: WrittenRule, rules: Rules): readonly RuleInForce[] {
  return rules.list().filter((rule) => rule.text === text && (verdict ?? rule.verdict) === rule.verdict);
}

async function chooseRule(rules: Rules, choose: CommandContext["choose"]): Promise<readonly RuleInForce[]> {
  const listed = rules.list();
  if (listed.length === 0) return [];
  const items = listed.map(({ verdict, text, source }, index) => ({
    value: String(index),
    label: `${verdict} ${text}`,
    detail: RULE_SOURCES[source],
  }));
  const chosen = await choose("Choose a rule to remove it", items);
  return chosen === null ? [] : listed.slice(Number(chosen), Number(chosen) + 1);
}

function remove(rule: RuleInForce, rules: Rules): string {
  const { verdict, text, source } = rule;
  if (!rules.remove(rule)) return `${verdict} ${text} stays. ${HOW_TO_REMOVE[source]}`;
  const again = `/permissions add ${source === "remembered" ? "always " : ""}${verdict} ${text}`;
  return `Removed: ${verdict} ${text}. To have it back: ${again}`;
}
