// All commands after a slash: ours, those a front runs itself, and the person's own.
import { nearestName } from "../../base/nearest-name.ts";
import type { CommandHint } from "../contract.ts";
import type { CustomPrompt } from "../custom-prompts.ts";
import type { Tell } from "../event-log.ts";
import { addDirCommand } from "./add-dir.ts";
import { modelCommand, thinkingCommand } from "./choose-model.ts";
import type { CommandContext, SlashCommand } from "./command.ts";
import { costCommand, debugCommand, doctorCommand, exportCommand } from "./information.ts";
import { permissionsCommand, planCommand, yoloCommand } from "./permission-mode.ts";
import { rewindCommand } from "./rewind.ts";
import { compactCommand, forkCommand, newCommand, renameCommand, resumeCommand } from "./session.ts";
import { treeCommand } from "./tree.ts";
import { redoCommand, undoCommand } from "./undo.ts";

export class CommandList {
  readonly #tell: Tell;
  #offered: readonly CommandHint[] = [];
  #custom: readonly SlashCommand[] = [];

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** A custom command must not replace a built-in one that people rely on. */
  hints(): readonly CommandHint[] {
    const known = [...this.#own(), ...this.#offered, ...this.#custom];
    return known
      .filter((hint, index) => known.findIndex(({ name }) => name === hint.name) === index)
      .map(({ run: _run, typedOnly: _typedOnly, ...hint }: CommandHint & Partial<SlashCommand>) => hint);
  }

  offer(commands: readonly CommandHint[]): void {
    this.#offered = [...this.#offered, ...commands];
    this.#tellHints();
  }

  setCustom(custom: readonly CustomPrompt[]): void {
    this.#custom = custom.map(({ name, description, expand }) => ({
      name,
      description,
      run: (args, { queue }) => void queue.submit(expand(args)),
    }));
    this.#tellHints();
  }

  /** It loosens permission, so nothing but the person's own typing may run it. */
  isTypedOnly(line: string): boolean {
    const { name } = readLine(line);
    return BUILT_IN.some((command) => command.name === name && command.typedOnly === true);
  }

  async run(line: string, context: CommandContext): Promise<void> {
    const { name, args } = readLine(line);
    const isNamed = (command: CommandHint) => command.name === name;
    const own = this.#own().find(isNamed);
    const isElsewhere = own === undefined && this.#offered.some(isNamed);
    const command = own ?? (isElsewhere ? undefined : this.#custom.find(isNamed));
    if (command !== undefined) return command.run(args.trim(), context);
    const names = this.hints().map((known) => known.name);
    const near = names.find((known) => known.startsWith(name)) ?? nearestName(name, names);
    const hint = near === undefined ? "/help lists all." : `Did you mean /${near}?`;
    const text = isElsewhere
      ? `/${name} works only where it is offered.`
      : `There is no command /${name}. ${hint}`;
    context.say(text, "warning");
  }

  #own(): readonly SlashCommand[] {
    return [this.#help, ...BUILT_IN];
  }

  readonly #help: SlashCommand = {
    name: "help",
    description: "keys and commands",
    run: (_args, { show }) =>
      show({
        title: "Commands",
        rows: this.hints().map(({ name, description }) => [`/${name}`, description]),
      }),
  };

  #tellHints(): void {
    this.#tell({ type: "commands-changed", commands: this.hints() });
  }
}

const BUILT_IN: readonly SlashCommand[] = [
  modelCommand,
  thinkingCommand,
  resumeCommand,
  newCommand,
  forkCommand,
  renameCommand,
  compactCommand,
  undoCommand,
  redoCommand,
  rewindCommand,
  treeCommand,
  planCommand,
  permissionsCommand,
  yoloCommand,
  addDirCommand,
  costCommand,
  doctorCommand,
  exportCommand,
  debugCommand,
];

function readLine(line: string): { readonly name: string; readonly args: string } {
  const [, name = "", args = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  return { name, args };
}
