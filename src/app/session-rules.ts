// The rules in force in one agent: those it was opened with, and those that the person adds and takes back while it runs.
import { TunacodeError } from "../domain/error.ts";
import type { Offer, RuleInForce, RuleSource, Verdict } from "../domain/permission.ts";
import { type PermissionContext, rulesInForce } from "../permission/context.ts";
import { type PermissionRule, parseRules } from "../permission/rules.ts";
import type { AgentSettings } from "./settings.ts";

export interface SessionRules {
  /** Those that a project that isn't trusted would like to have are not in force. */
  readonly list: () => readonly RuleInForce[];
  readonly all: () => readonly PermissionRule[];
  /** Throws if the rule is wrong: the message says why. */
  readonly add: (rule: NewRule) => void;
  /** Adds the rules of an offer that the person took. */
  readonly remember: (offer: Offer) => void;
  /** False if it stands in a configuration file or a flag, where only the person can remove it. */
  readonly remove: (rule: RuleInForce) => boolean;
}

interface NewRule {
  readonly verdict: Verdict;
  readonly text: string;
  readonly lasts: Offer["lasts"];
}

type Start = Pick<PermissionContext, "rules" | "vocabulary" | "workspace" | "trusted">;

export function createSessionRules(
  { rules: first, vocabulary, trusted, workspace: { root } }: Start,
  { remembered, notify }: Pick<AgentSettings, "remembered" | "notify">,
): SessionRules {
  let rules = first;

  const store = (rule: RuleInForce): RuleSource => {
    try {
      remembered?.keep(root, rule);
      return remembered === undefined ? "session" : "remembered";
    } catch (error) {
      if (!(error instanceof TunacodeError)) throw error;
      notify(`${rule.text} holds in this session, but can't be kept: ${error.message}`);
      return "session";
    }
  };
  const add = ({ verdict, text, lasts }: NewRule): void => {
    const parsed = parseRules([text], verdict, "session", vocabulary);
    if (parsed.problems.length > 0) throw new TunacodeError("usage", parsed.problems.join("\n"));
    for (const rule of parsed.rules) {
      const source = lasts === "always" ? store(rule) : "session";
      if (!rules.some((other) => isSame(other, { ...rule, source }))) rules = [...rules, { ...rule, source }];
    }
  };
  return {
    list: () =>
      rulesInForce({ rules, trusted }).map(({ verdict, text, source }) => ({ verdict, text, source })),
    all: () => rules,
    add,
    remember: ({ rules: texts, lasts }) => {
      // What is allowed once goes with the call and leaves no rule.
      if (lasts !== "once") for (const text of texts) add({ verdict: "allow", text, lasts });
    },
    remove: (rule) => {
      if (rule.source !== "session" && rule.source !== "remembered") return false;
      if (rule.source === "remembered") remembered?.forget(root, rule);
      rules = rules.filter((other) => !isSame(other, rule));
      return true;
    },
  };
}

function isSame(one: RuleInForce, other: RuleInForce): boolean {
  return one.verdict === other.verdict && one.text === other.text && one.source === other.source;
}
