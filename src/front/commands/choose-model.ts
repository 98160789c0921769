// /model and /thinking: who answers, and how long it thinks.
import type { ModelChoice } from "../../app/model-choices.ts";
import { formatCount } from "../../base/numbers.ts";
import { errorMessage } from "../../domain/error.ts";
import type { Price } from "../../domain/usage.ts";
import type { ThinkingLevel } from "../agent.ts";
import type { CommandContext, SlashCommand } from "./command.ts";

const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", "low", "medium", "high"];

export const modelCommand: SlashCommand = {
  name: "model",
  description: "choose the model (/model provider:name)",
  run: async (args, context) => {
    const name = args === "" ? await pickModel(context) : args;
    if (name === null) return;
    try {
      await context.session.agent().switchModel(name);
    } catch (error) {
      // The old model stays in use until the person corrects the name or adds the key.
      context.say(errorMessage(error), "error");
      return;
    }
    context.session.tellStatus();
    context.say(`The model is ${name} from the next request on.`);
  },
};

export const thinkingCommand: SlashCommand = {
  name: "thinking",
  description: "how long the model thinks before it answers",
  argument: THINKING_LEVELS,
  run: async (args, { session, choose, say }) => {
    const items = THINKING_LEVELS.map((level) => ({ value: level, label: level, detail: "" }));
    const level = args === "" ? await choose("Thinking", items) : args;
    if (level === null) return;
    if (!isThinkingLevel(level)) return say(`Thinking is one of ${THINKING_LEVELS.join(", ")}.`, "warning");
    await session.agent().setThinking(level);
    say(`Thinking: ${level}, from the next request on.`);
  },
};

async function pickModel({ ports, session, choose }: CommandContext): Promise<string | null> {
  const models = await ports.listModels();
  const inUse = session.agent().model().name;
  const known = models.find(({ name }) => name === inUse) ?? { name: inUse };
  const ordered = inUse === "" ? models : [known, ...models.filter((model) => model !== known)];
  const items = ordered.map((model) => ({
    value: model.name,
    label: model.name,
    detail: modelDetail(model, model.name === inUse),
  }));
  return choose("Model", items, { selected: inUse });
}

function modelDetail({ price, contextWindow, recent, problem }: ModelChoice, isInUse: boolean): string {
  if (problem !== undefined) return problem;
  const facts = [
    isInUse ? "in use" : "",
    contextWindow === undefined ? "" : `${formatCount(contextWindow)} tokens`,
    price === undefined ? "" : priceText(price),
    recent && !isInUse ? "recent" : "",
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

function priceText({ input, output }: Price): string {
  return input === 0 && output === 0 ? "free" : `$${input} in, $${output} out per million`;
}

function isThinkingLevel(text: string): text is ThinkingLevel {
  return THINKING_LEVELS.some((level) => level === text);
}
