// /diff shows what this session changed, by turn and file.
import type { LocalCommand } from "./local-command.ts";

export const diffCommand: LocalCommand = {
  name: "diff",
  description: "what this session changed, by prompt and file",
  run: async (_args, { front, store, showChanges }) => {
    store.change({ hint: "Comparing what changed" });
    const turns = await front.lookups.changes().finally(() => store.change({ hint: "" }));
    if (turns.length === 0) return store.note("This session has changed no files.");
    await showChanges(turns);
  },
};
