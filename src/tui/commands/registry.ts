// All commands by name, and the nearest one to a name that doesn't exist.
import type { CustomCommand } from "../ports.ts";
import { modelCommand, thinkingCommand } from "./choose-model.ts";
import type { Command, CommandContext } from "./command.ts";
import { copyCommand } from "./copy.ts";
import { costCommand, debugCommand, doctorCommand, exportCommand, helpCommand } from "./information.ts";
import { permissionsCommand, planCommand, yoloCommand } from "./permission-mode.ts";
import {
  clearCommand,
  compactCommand,
  exitCommand,
  forkCommand,
  newCommand,
  renameCommand,
  resumeCommand,
} from "./session.ts";
import { themeCommand } from "./theme.ts";

export const BUILT_IN: readonly Command[] = [
  helpCommand,
  modelCommand,
  thinkingCommand,
  resumeCommand,
  newCommand,
  forkCommand,
  renameCommand,
  clearCommand,
  compactCommand,
  planCommand,
  permissionsCommand,
  yoloCommand,
  themeCommand,
  costCommand,
  doctorCommand,
  copyCommand,
  exportCommand,
  debugCommand,
  exitCommand,
];

/** A custom command may not take the name of a built-in one: people rely on those. */
export function withCustomCommands(custom: readonly CustomCommand[]): readonly Command[] {
  const taken = new Set(BUILT_IN.map(({ name }) => name));
  const added = custom.filter(({ name }) => !taken.has(name));
  return [...BUILT_IN, ...added.map(fromCustom)];
}

export async function runCommand(line: string, context: CommandContext): Promise<void> {
  const [, name = "", args = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  const command = context.commands().find((known) => known.name === name);
  if (command !== undefined) {
    await command.run(args.trim(), context);
    return;
  }
  const near = nearestName(
    name,
    context.commands().map((known) => known.name),
  );
  const hint = near === null ? "/help lists all." : `Did you mean /${near}?`;
  context.say(`There is no command /${name}. ${hint}`, "warning");
}

function fromCustom({ name, description, expand }: CustomCommand): Command {
  return { name, description, run: (args, { queue }) => void queue.submit(expand(args)) };
}

/** null: none is near enough to be meant. */
export function nearestName(name: string, names: readonly string[]): string | null {
  const ranked = names
    .map((known) => ({ known, distance: known.startsWith(name) ? 0 : editDistance(name, known) }))
    .toSorted((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && name !== "" && best.distance <= Math.max(1, Math.floor(name.length / 2))
    ? best.known
    : null;
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, against] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (character === against ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
