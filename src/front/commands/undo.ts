// /undo and /redo: takes back the last turn, its files and its words, and brings them back.
import type { BackTarget } from "../../app/undo.ts";
import type { SlashCommand } from "./command.ts";
import { goBack, isRefused } from "./going-back.ts";

export const undoCommand = command("undo", "take back the last prompt and what it changed", { type: "last" });
export const redoCommand = command("redo", "bring back what was taken back last", { type: "redo" });

function command(name: string, description: string, target: BackTarget): SlashCommand {
  return {
    name,
    description,
    typedOnly: true,
    run: async (_args, context) => {
      if (isRefused(context)) return;
      await goBack({ target, scope: "both" }, await context.session.agent().undo(), context);
    },
  };
}
