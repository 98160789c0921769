// All commands but `run`, in one piece of code: what a piece shares with others is cut out into pieces of its own, so
// that one for each of them would make `run` slower to load. The screen itself is another piece.
import type { CliCommand } from "./command-line.ts";
import type { CommandName } from "./commands.ts";
import { runCompletions } from "./completions.ts";
import { runConfig } from "./config.ts";
import { runDemo } from "./demo.ts";
import { runDoctor } from "./doctor.ts";
import { runHelp } from "./help.ts";
import { runModels } from "./models.ts";
import { runPermit } from "./permit.ts";
import { runSessions } from "./sessions.ts";
import { runSetup } from "./setup.ts";

export { withScreen } from "./app.ts";

export const OTHER_COMMANDS: Readonly<Record<Exclude<CommandName, "app" | "run">, CliCommand>> = {
  completions: { run: runCompletions },
  config: { run: runConfig },
  demo: { run: runDemo },
  doctor: { run: runDoctor },
  help: { run: runHelp },
  models: { run: runModels },
  permit: { run: runPermit },
  sessions: { run: runSessions },
  setup: { run: runSetup },
};
