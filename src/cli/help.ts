// `tunacode help`, generated from the tables of commands and flags so that it can't disagree with them.

import { version } from "../../package.json";
import { TunacodeError } from "../domain/error.ts";
import { COMMAND_NAMES, COMMANDS, type CommandFacts, type CommandName } from "./commands.ts";
import type { Console } from "./console.ts";
import { type Flag, flagsOf } from "./flags.ts";
import { type Invocation, shownValue } from "./parse-flags.ts";

const EXIT_CODES = `Exit codes:
  0 done   1 other failure   2 usage   3 configuration, key or model   4 provider   5 limit
  6 permission   124 timeout   130 stopped   141 closed pipe`;

export async function runHelp({ operands: [name] }: Invocation, console: Console): Promise<number> {
  await console.print(helpText(name === undefined ? "app" : knownCommand(name)));
  return 0;
}

export function helpText(command: CommandName): string {
  const blocks = command === "app" ? overview() : commandHelp(command);
  return `${blocks.join("\n\n")}\n`;
}

function overview(): string[] {
  const rows = [
    row(`tunacode ${COMMANDS.app.operands}`, COMMANDS.app.summary),
    ...COMMAND_NAMES.map((name) => row(`tunacode ${usage(name)}`, COMMANDS[name].summary)),
  ];
  return [
    `tunacode ${version}, a coding agent for the terminal`,
    `Usage:\n${rows.join("\n")}`,
    `Flags of tunacode and tunacode run:\n${flagRows("app")}`,
    EXIT_CODES,
    "More about a command: tunacode help COMMAND",
  ];
}

function commandHelp(command: Exclude<CommandName, "app">): string[] {
  const { summary, details }: CommandFacts = COMMANDS[command];
  return [
    `tunacode ${usage(command)}\n  ${summary}`,
    ...(details === "" ? [] : [details]),
    `Flags:\n${flagRows(command)}`,
    ...(command === "run" ? [EXIT_CODES] : []),
  ];
}

function usage(command: Exclude<CommandName, "app">): string {
  return `${command} ${COMMANDS[command].operands}`.trim();
}

function flagRows(command: CommandName): string {
  return flagsOf(command)
    .map(([name, flag]) => row(flagUsage(name, flag), flag.help))
    .join("\n");
}

function flagUsage(name: string, flag: Flag): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  return `${short}--${name} ${shownValue(flag)}`.trimEnd();
}

const LEFT_COLUMN = 38;

function row(left: string, right: string): string {
  const gap =
    left.length < LEFT_COLUMN ? left.padEnd(LEFT_COLUMN) : `${left}\n${" ".repeat(LEFT_COLUMN + 2)}`;
  return `  ${gap}${right}`;
}

function knownCommand(name: string): CommandName {
  const command = COMMAND_NAMES.find((each) => each === name);
  if (command === undefined)
    throw new TunacodeError("usage", `There is no command ${JSON.stringify(name)}. Try: tunacode --help`);
  return command;
}
