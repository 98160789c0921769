// /tree: the conversations that were left by going back; one of them can be the current one again.
import type { Undo } from "../../app/undo.ts";
import { formatAge, plural } from "../../base/numbers.ts";
import type { SlashCommand } from "./command.ts";
import { changeConversation, isRefused } from "./going-back.ts";

export const treeCommand: SlashCommand = {
  name: "tree",
  description: "the conversations that you left by going back",
  typedOnly: true,
  run: async (_args, context) => {
    if (isRefused(context)) return;
    const { session, choose, say } = context;
    const undo = await session.agent().undo();
    const branches = await undo.branches();
    if (branches.length === 0)
      return say("No conversation was left. /rewind goes back to an earlier prompt.");
    const now = Date.now();
    const items = branches.map(({ id, title, prompts, leftAt }) => ({
      value: id,
      label: title || "(no words)",
      detail: `${plural(prompts, "prompt")} · left ${formatAge(now - Date.parse(leftAt))}`,
    }));
    const value = await choose("Conversations that were left", items);
    const chosen = branches.find(({ id }) => id === value);
    if (chosen === undefined || isRefused(context)) return;
    await changeConversation(context, async () => {
      await undo.switchTo(chosen.id);
      session.tellConversation({ isOnScreen: false });
      say(`This is the conversation now. ${await describeFiles(undo)} /tree lists the one that you left.`);
    });
  },
};

/** Its files were taken back when it was left, or they are as they were anyway. */
async function describeFiles(undo: Undo): Promise<string> {
  const redo = undo.plan({ target: { type: "redo" }, scope: "both" });
  const canRedo = await redo.then(
    ({ changes, conflicts }) => changes.length + conflicts.length > 0,
    () => false,
  );
  return canRedo
    ? "Files stay as they are; /redo brings back what it had changed."
    : "Files stay as they are.";
}
