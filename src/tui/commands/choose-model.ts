// /model and /thinking: who answers, and how long it thinks.
import { errorMessage } from "../../domain/error.ts";
import type { Price } from "../../domain/usage.ts";
import { type ModelChoice, THINKING_LEVELS, type ThinkingLevel } from "../ports.ts";
import { formatCount } from "../view/numbers.ts";
import type { Command, CommandContext } from "./command.ts";

export const modelCommand: Command = {
  name: "model",
  description: "choose the model (/model provider:name)",
  run: async (args, context) => {
    const name = args === "" ? await pickModel(context) : args;
    if (name === null) return;
    try {
      await context.agent().switchModel(name);
    } catch (error) {
      // The old model stays: a wrong name or a missing key is the person's to correct.
      context.say(errorMessage(error), "error");
      return;
    }
    context.modelChanged();
    context.say(`The model is ${name} from the next request on.`);
  },
};

export const thinkingCommand: Command = {
  name: "thinking",
  description: "how long the model thinks before it answers",
  argument: THINKING_LEVELS,
  run: async (args, { agent, pick, say }) => {
    const items = THINKING_LEVELS.map((level) => ({ value: level, label: level, detail: "" }));
    const level = args === "" ? await pick("Thinking", items) : args;
    if (level === null) return;
    if (!isThinkingLevel(level)) return say(`Thinking is one of ${THINKING_LEVELS.join(", ")}.`, "warning");
    await agent().setThinking(level);
    say(`Thinking: ${level}, from the next request on.`);
  },
};

async function pickModel({ ports, store, pick }: CommandContext): Promise<string | null> {
  const models = await ports.listModels();
  const items = models.map((model) => ({
    value: model.name,
    label: model.name,
    detail: modelDetail(model),
  }));
  const { name } = store.get().model;
  const isListed = name === "" || models.some((model) => model.name === name);
  const inUse = isListed ? [] : [{ value: name, label: name, detail: "in use" }];
  return pick("Model", [...inUse, ...items], { selected: name });
}

function modelDetail({ price, contextWindow, recent, problem }: ModelChoice): string {
  if (problem !== undefined) return problem;
  const facts = [
    contextWindow === undefined ? "" : `${formatCount(contextWindow)} tokens`,
    price === undefined ? "" : priceText(price),
    recent ? "recent" : "",
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

function priceText({ input, output }: Price): string {
  return input === 0 && output === 0 ? "free" : `$${input} in, $${output} out per million`;
}

function isThinkingLevel(text: string): text is ThinkingLevel {
  return THINKING_LEVELS.some((level) => level === text);
}
