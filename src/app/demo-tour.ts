// The model `demo:tour`: a script that takes the sample project from a failing test to a passing one. It reads what
// the tools really returned, and stops when that is not what the script expects.
import { contentText } from "../domain/content.ts";
import { ConfigError } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";
import { hasUserPrompt, type Message } from "../domain/message.ts";
import type { Model } from "../domain/model.ts";
import type { ToolReturnPart } from "../domain/part.ts";
import { FREE } from "../domain/usage.ts";
import { type ScriptedStep, type ScriptedTurn, scriptedModel } from "../models/scripted.ts";
import { BROKEN_FILE, TEST_COMMAND } from "./demo-project.ts";

export const TOUR_MODEL: ModelName = "demo:tour";
export const TOUR_PROMPT = "10 sardines cost too much. Find out why, fix it, and run the tests.";

export function demoModel(name: ModelName): Model {
  if (name !== TOUR_MODEL)
    throw new ConfigError(`There is no model ${name}. The demo has one: ${TOUR_MODEL}.`);
  return scriptedModel({ name, price: FREE, turns: ({ messages }) => nextTurn(messages) });
}

interface TourStep {
  readonly says: string;
  readonly calls?: readonly ScriptedStep[];
  /** Whether the returns allow the next step. */
  readonly expects?: (returns: readonly ToolReturnPart[]) => boolean;
}

const STEPS: readonly TourStep[] = [
  {
    says: "I am demo:tour, a script that plays a model. The rest is real. A look around:",
    calls: [{ call: "list_dir" }, { call: "read_file", args: { filepath: "README.md" } }],
    expects: ([listed]) => textOf(listed).includes(BROKEN_FILE),
  },
  {
    says: "The README promises 20% off for 10 pieces or more. What do the tests say?",
    calls: [{ call: "bash", args: { command: TEST_COMMAND } }],
    expects: ([tested]) => textOf(tested).includes("FAIL  10 sardines"),
  },
  {
    says: "10 pieces cost too much, but 12 are right. Where is the limit set?",
    calls: [{ call: "grep", args: { pattern: "MANY" } }],
    expects: ([found]) => textOf(found).includes(BROKEN_FILE),
  },
  {
    says: '-gt means "more than" 10. Before changing the file, I read all of it.',
    calls: [{ call: "read_file", args: { filepath: BROKEN_FILE } }],
    expects: ([read]) => textOf(read).includes('-gt "$MANY"'),
  },
  {
    says: '"10 or more" is -ge.',
    calls: [
      {
        call: "update_file",
        args: { filepath: BROKEN_FILE, old_text: '-gt "$MANY"', new_text: '-ge "$MANY"' },
      },
    ],
    expects: ([edited]) => isCompleted(edited),
  },
  {
    says: "Now the tests again:",
    calls: [{ call: "bash", args: { command: TEST_COMMAND } }],
    expects: ([tested]) => isCompleted(tested),
  },
  {
    says: `Fixed. The discount started at 11 pieces, because ${BROKEN_FILE} used -gt instead of -ge. All tests pass now.`,
  },
];

const ONLY_A_SCRIPT =
  "I am demo:tour, a script and not a language model: all I know is the tour of `tunacode demo`. For real work, choose a model: `tunacode setup` helps, and `tunacode models` lists the ones you can use here.";

function nextTurn(messages: readonly Message[]): ScriptedTurn {
  const start = messages.findLastIndex(hasUserPrompt);
  if (promptOf(messages[start]) !== TOUR_PROMPT) return [{ text: ONLY_A_SCRIPT }];
  const done = messages.slice(start).filter(({ kind }) => kind === "response").length;
  const returns = returnsOf(messages.at(-1));
  const before = STEPS[done - 1];
  if (before?.expects?.(returns) === false) return [{ text: offScript(returns) }];
  const step = STEPS[done];
  if (step === undefined) return [{ text: ONLY_A_SCRIPT }];
  // Streamed word by word, like a model's answer.
  return [{ text: step.says, deltas: step.says.split(" ").length }, ...(step.calls ?? [])];
}

function offScript(returns: readonly ToolReturnPart[]): string {
  const seen = returns.map((part) => `${part.toolName}: ${contentText(part.content)}`).join("\n");
  return `This is not what my script expects, so I stop here.\n\n${seen}`;
}

function promptOf(message: Message | undefined): string {
  const prompts =
    message?.kind === "request" ? message.parts.filter((part) => part.kind === "user-prompt") : [];
  return prompts.map((part) => contentText(part.content)).join("\n");
}

function returnsOf(message: Message | undefined): ToolReturnPart[] {
  return message?.kind === "request" ? message.parts.filter((part) => part.kind === "tool-return") : [];
}

function textOf(part: ToolReturnPart | undefined): string {
  return part === undefined ? "" : contentText(part.content);
}

function isCompleted(part: ToolReturnPart | undefined): boolean {
  return part !== undefined && (part.status ?? "completed") === "completed";
}
