// argv in, exit code out. Imports nothing at the top but what --version needs: a command loads when it is asked for.
import { version } from "../package.json";
import type { Commands } from "./cli/command-line.ts";

const COMMANDS: Commands = {
  app: async () => {
    const { withScreen } = await import("./cli/app.ts");
    return withScreen(async () => (await import("./tui/app.ts")).runTerminalApp);
  },
  run: () => import("./cli/run.ts"),
  sessions: () => import("./cli/sessions.ts"),
  doctor: () => import("./cli/doctor.ts"),
  models: () => import("./cli/models.ts"),
  config: () => import("./cli/config.ts"),
  permit: () => import("./cli/permit.ts"),
  setup: () => import("./cli/setup.ts"),
  demo: () => import("./cli/demo.ts"),
  completions: () => import("./cli/completions.ts"),
  help: () => import("./cli/help.ts"),
};

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === "--version" || args[0] === "-v") {
    console.log(version);
    return 0;
  }
  const { openConsole } = await import("./cli/console.ts");
  const { commandLine } = await import("./cli/command-line.ts");
  return commandLine(args, openConsole(), COMMANDS);
}

process.exit(await main(process.argv.slice(2)));
