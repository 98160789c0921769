// argv in, exit code out. Imports nothing at the top but what --version needs: a command loads when it is asked for.
import { version } from "../package.json";
import type { LoadCommand } from "./cli/command-line.ts";

/** A run that lasts longer is worth compiling its code for: until then it is interpreted (scripts/build.ts). */
const SHORT_RUN_MS = 2_000;

const loadCommand: LoadCommand = async (name) => {
  const { OTHER_COMMANDS, withScreen } = await import("./cli/other-commands.ts");
  if (name !== "app") return OTHER_COMMANDS[name];
  return withScreen(async () => (await import("./tui/app.ts")).runTerminalApp);
};

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === "--version" || args[0] === "-v") {
    console.log(version);
    return 0;
  }
  setTimeout(() => Bun.unsafe.setJITPolicy(1), SHORT_RUN_MS).unref();
  const { start } = await import("./cli/start.ts");
  return start(args, loadCommand);
}

process.exit(await main(process.argv.slice(2)));
