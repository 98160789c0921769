// Runs a command in this process, with its own streams. That is fast and isolated from the machine.
import { type CliCommand, commandLine } from "../../src/cli/command-line.ts";
import type { CommandName } from "../../src/cli/commands.ts";
import type { Console } from "../../src/cli/console.ts";
import { OTHER_COMMANDS } from "../../src/cli/other-commands.ts";
import { run } from "../../src/cli/run.ts";

export interface Surroundings {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** If absent, stdin is empty. */
  readonly stdin?: string | Uint8Array;
  readonly terminal?: boolean;
}

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const load = async (name: CommandName): Promise<CliCommand> =>
  name === "app" || name === "run" ? run : OTHER_COMMANDS[name];

export async function runCommand(args: readonly string[], given: Surroundings = {}): Promise<CommandEnd> {
  const written = { stdout: "", stderr: "" };
  const console: Console = {
    env: given.env ?? {},
    cwd: () => given.cwd ?? process.cwd(),
    stdin: () => (given.stdin === undefined ? null : inPieces(given.stdin)),
    print: async (text) => {
      written.stdout += text;
    },
    tell: (text) => {
      written.stderr += `${text}\n`;
    },
    draw: (text) => {
      written.stderr += text;
    },
    onPrintFailure: () => {},
    isInteractive: false,
    printsToTerminal: given.terminal ?? false,
    drawsToTerminal: given.terminal ?? false,
    columns: () => 80,
  };
  return { code: await commandLine(args, console, load), ...written };
}

/** Cuts characters in the middle, as a pipe may do. */
async function* inPieces(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const size = bytes.length > 10_000 ? 65_536 : 1;
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
