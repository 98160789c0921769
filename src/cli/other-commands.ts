// All commands except `run`, in one chunk of the build: with a chunk for each, their shared code would be split into
// chunks of its own, and `run` would load more slowly. The screen is a separate chunk.
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
import { runUndo } from "./undo.ts";

export { withScreen } from "./app.ts";

export const OTHER_COMMANDS: Readonly<Record<Exclude<CommandName, "app" | "run">, CliCommand>> = {
  completions: runCompletions,
  config: runConfig,
  demo: runDemo,
  doctor: runDoctor,
  help: runHelp,
  models: runModels,
  permit: runPermit,
  sessions: runSessions,
  setup: runSetup,
  undo: runUndo,
  // It runs git, and what that needs would delay the app's first paint.
  worktrees: async (...given) => (await import("./worktrees.ts")).runWorktrees(...given),
};
