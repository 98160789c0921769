// All commands but `run`, in one piece of code: what a piece shares with others is cut out into pieces of its own, so
// that one for each of them would make `run` slower to load. The screen itself is another piece.
import type { Command } from "./command-line.ts";
import type { CommandName } from "./commands.ts";
import * as completions from "./completions.ts";
import * as config from "./config.ts";
import * as demo from "./demo.ts";
import * as doctor from "./doctor.ts";
import * as help from "./help.ts";
import * as models from "./models.ts";
import * as permit from "./permit.ts";
import * as sessions from "./sessions.ts";
import * as setup from "./setup.ts";

export { withScreen } from "./app.ts";

export const OTHER_COMMANDS: Readonly<Record<Exclude<CommandName, "app" | "run">, Command>> = {
  completions,
  config,
  demo,
  doctor,
  help,
  models,
  permit,
  sessions,
  setup,
};
