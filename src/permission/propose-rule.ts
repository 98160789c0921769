// The rules that "always" would add: as narrow as they can be and still spare the next question of this kind.
import type { JsonObject } from "../base/json.ts";
import { never } from "../base/never.ts";
import type { PermissionContext } from "./context.ts";
import { decide, judge } from "./decide.ts";
import { type CommandDemand, type Demand, demandsOf } from "./demand.ts";
import { shown } from "./judge-path.ts";
import { isWithin, realPath } from "./real-path.ts";
import { parseRules } from "./rules.ts";

/** Programs whose second word says what they do; what follows varies from call to call. */
const WITH_SUBCOMMAND = new Set(
  "git npm pnpm yarn bun deno cargo go make docker kubectl gh pip pip3 uv poetry brew apt apt-get terraform dotnet mvn gradle".split(
    " ",
  ),
);
/** Second words after which anything at all can be run. */
const RUNS_ANYTHING = /^(exec|x|dlx|run|run-script|shell|eval|-c|-e|-m|config|alias|push|publish|login)$/;
const MAX_RULE_CHARACTERS = 200;

/** Empty: there is no rule that a person could accept with open eyes. */
export function proposeRules(
  call: { readonly toolName: string; readonly args: JsonObject },
  context: PermissionContext,
): readonly string[] {
  const { demands } = demandsOf(call.toolName, call.args, context);
  const asked = demands.filter((demand) => judge(demand, context).verdict === "ask");
  const proposed = new Set(asked.map((demand) => ruleFor(demand, context)));
  const texts = [...proposed].filter((text) => text !== null);
  if (texts.length < proposed.size || texts.some((text) => text.length > MAX_RULE_CHARACTERS)) return [];
  // An ask rule stays in force whatever else is allowed; then there is nothing to propose.
  const { rules } = parseRules(texts, "allow", "session");
  const enough = decide(call, { ...context, rules: [...context.rules, ...rules] }).decision === "allow";
  return enough ? texts : [];
}

function ruleFor(demand: Demand, context: PermissionContext): string | null {
  switch (demand.type) {
    case "command":
      return commandRule(demand);
    case "path": {
      const path = realPath(demand.path, context.disk);
      if (path === null) return null;
      return `${demand.access}(${isWithin(path, context.home) && !isWithin(path, context.workspace.root) ? `~${path.slice(context.home.length)}` : shown(path, context)})`;
    }
    case "fetch":
      return demand.host === "" ? null : `web_fetch(${demand.host})`;
    case "tool":
      return demand.name;
    case "doubt":
      return null;
    default:
      return never(demand);
  }
}

function commandRule({ words }: CommandDemand): string | null {
  const known = words.filter((word) => word !== null);
  const [name = "", verb = ""] = known;
  const open =
    WITH_SUBCOMMAND.has(name) && /^[a-z][\w-]*$/.test(verb) && !RUNS_ANYTHING.test(verb) && words.length > 2;
  if (open) return `bash(${name} ${verb}:*)`;
  if (known.length < words.length || known.length === 0) return null;
  const quoted = known.map(quote);
  return quoted.includes(null) ? null : `bash(${quoted.join(" ")})`;
}

function quote(word: string): string | null {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (/[\n']/.test(word)) return null;
  return `'${word}'`;
}
