// argv in, exit code out. Imports nothing at the top but what --version needs: a command loads when it is asked for.
import { version } from "../package.json";

const USAGE_ERROR = 2;
const INTERNAL_ERROR = 1;

/** What a file in cli/ exports: arguments in, exit code out. */
interface Command {
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** Name -> `() => import("./cli/name.ts")`: the commands that are not asked for cost nothing. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([]);

const HELP = `tunacode ${version}, a coding agent for the terminal

Usage:
  tunacode --version    print the version
  tunacode --help       print this help
`;

async function main([first, ...rest]: readonly string[]): Promise<number> {
  switch (first) {
    case "--version":
    case "-v":
      console.log(version);
      return 0;
    case "--help":
    case "-h":
      console.log(HELP.trimEnd());
      return 0;
    case undefined:
      console.error(HELP.trimEnd());
      return USAGE_ERROR;
  }
  const load = COMMANDS.get(first);
  if (load !== undefined) return (await load()).run(rest);
  const what = first.startsWith("-") ? "option" : "command";
  console.error(`tunacode: unknown ${what} ${JSON.stringify(first)}\nTry: tunacode --help`);
  return USAGE_ERROR;
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  // A bug: the stack is what helps.
  console.error(error);
  process.exit(INTERNAL_ERROR);
}
