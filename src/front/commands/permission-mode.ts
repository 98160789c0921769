// /permissions, /yolo and /plan: what may run without asking.
import { PERMISSION_MODES, type PermissionMode } from "../../domain/permission.ts";
import type { CommandContext, SlashCommand } from "./command.ts";
import { REVIEWS, reviewsItem, reviewsPanel } from "./permission-reviews.ts";
import {
  changeRules,
  RULE_ARGUMENTS,
  RULES_ITEM,
  RULES_USAGE,
  ruleInWords,
  speaksOfRules,
} from "./permission-rules.ts";

const MEANINGS: Readonly<Record<PermissionMode, string>> = {
  ask: "asks before edits and commands; tests run free in the sandbox",
  "auto-edit": "edits files in the project without asking",
  auto: "lets a model allow what you plainly want, asks about the rest",
  "read-only": "reads and answers, changes nothing",
  yolo: "asks nothing; deny rules still apply",
};

export const permissionsCommand: SlashCommand = {
  name: "permissions",
  description: "what may run without asking",
  argument: [...PERMISSION_MODES, ...RULE_ARGUMENTS, REVIEWS],
  typedOnly: true,
  run: async (args, context) => {
    const { session, choose, say, show } = context;
    const agent = session.agent();
    const modes = PERMISSION_MODES.filter((mode) => mode !== "auto" || agent.isAutoOn());
    const items = modes.map((mode) => ({ value: mode, label: mode, detail: MEANINGS[mode] }));
    const rules = agent.rules.list().map(ruleInWords);
    const about = { text: rules.length === 0 ? "No rules." : rules.join("\n") };
    const options = { selected: agent.permissionMode(), about };
    const reviews = agent.permissionReviews();
    const listed = [...items, RULES_ITEM, ...reviewsItem(reviews)];
    const mode = args === "" ? await choose("Permissions", listed, options) : args;
    if (mode === null) return;
    if (mode === REVIEWS) return show(reviewsPanel(reviews));
    if (speaksOfRules(mode)) return changeRules(mode, context);
    if (!isMode(mode))
      return say(`The mode is one of ${PERMISSION_MODES.join(", ")}. For rules: ${RULES_USAGE}`, "warning");
    setMode(mode, context);
  },
};

export const yoloCommand: SlashCommand = {
  name: "yolo",
  description: "ask nothing any more; again: ask as before",
  typedOnly: true,
  run: (_args, context) =>
    setMode(context.session.agent().permissionMode() === "yolo" ? "ask" : "yolo", context),
};

export const planCommand: SlashCommand = {
  name: "plan",
  description: "plan first, change nothing; again: leave plan mode",
  run: async (args, { session, queue, say }) => {
    const planning = args !== "" || !session.isPlanning;
    session.setPlanning(planning);
    say(planning ? "Plan mode: nothing is changed until you approve a plan." : "Plan mode is off.");
    if (args !== "") await queue.submit(args);
  },
};

function setMode(mode: PermissionMode, { session, say }: CommandContext): void {
  const end = session.isPlanning ? " Plan mode is off." : "";
  session.setMode(mode);
  say(`Permissions: ${mode}. It ${MEANINGS[mode]}.${end}`, mode === "yolo" ? "warning" : "info");
}

function isMode(text: string): text is PermissionMode {
  return PERMISSION_MODES.some((mode) => mode === text);
}
