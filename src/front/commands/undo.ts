// /undo and /redo: takes back the last turn, its files and its words, and brings them back.
import type { SlashCommand } from "./command.ts";
import { goBack, isRefused } from "./going-back.ts";

export const undoCommand: SlashCommand = {
  name: "undo",
  description: "take back the last prompt and what it changed",
  typedOnly: true,
  run: async (_args, context) => {
    if (isRefused(context)) return;
    const undo = await context.session.agent().undo();
    await goBack({ target: { type: "last" }, scope: "both" }, undo, context);
  },
};

export const redoCommand: SlashCommand = {
  name: "redo",
  description: "bring back what was taken back last",
  typedOnly: true,
  run: async (_args, context) => {
    if (isRefused(context)) return;
    const undo = await context.session.agent().undo();
    await goBack({ target: { type: "redo" }, scope: "both" }, undo, context);
  },
};
