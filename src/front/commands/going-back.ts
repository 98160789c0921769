// How going back goes, whichever command asked for it: first the conflicts, which the person decides about, then the
// change itself, then what became of it.
import type { BackRequest, Undo, WentBack } from "../../app/undo.ts";
import { typedText } from "../../domain/content.ts";
import { titleOf } from "../../session/title.ts";
import { describeLeft, describeRestored } from "../change-words.ts";
import type { CommandContext } from "./command.ts";
import { chooseOverwritten } from "./conflicts.ts";

/** While a request runs, nothing can be taken back, and the person is told. */
export function isRefused({ queue, say }: CommandContext): boolean {
  if (queue.isRunning) say("A request is running. Stop it first.", "warning");
  return queue.isRunning;
}

/** Throws if there is nothing to go back to. `title`: the prompt, where the person has chosen it. */
export async function goBack(
  request: BackRequest,
  undo: Undo,
  context: CommandContext,
  title = "",
): Promise<void> {
  const { conflicts } = await undo.plan(request);
  const overwritten = await chooseOverwritten(conflicts, undo, context);
  // A request may have begun while the person was choosing.
  if (overwritten === null || isRefused(context)) return;
  await changeConversation(context, async () => {
    const back = await undo.goBack(request, overwritten);
    context.session.tellConversation({ isOnScreen: true });
    context.say(describeBack(request, back, title));
    if (back.prompt !== null && request.scope !== "files") context.returnPrompt(typedText(back.prompt));
  });
}

/** Prompts that are sent meanwhile wait. */
export function changeConversation({ queue }: CommandContext, work: () => Promise<void>): Promise<void> {
  return queue.occupy("Going back", work);
}

function describeBack({ target, scope }: BackRequest, back: WentBack, chosen: string): string {
  const { changes, conflicts, prompt, remarks } = back;
  const title = prompt === null ? chosen : titleOf(prompt);
  const isRedo = target.type === "redo";
  const again = isRedo ? "/rewind goes back again." : "/redo brings it back.";
  const files = scope === "conversation" ? ["Files stay as they are."] : describeRestored(changes);
  const left = describeLeft(conflicts, ASKS_AGAIN[target.type]);
  return [headline(target, scope, title), ...files, ...left, ...remarks, again].join("\n");
}

/** What the person left can be decided on again. */
const ASKS_AGAIN: Readonly<Record<BackRequest["target"]["type"], string>> = {
  last: "/redo, then /undo",
  prompt: "/redo, then /rewind",
  turn: "/redo, then /rewind",
  call: "/redo, then /rewind",
  redo: "/rewind, then /redo",
};

function headline(target: BackRequest["target"], scope: BackRequest["scope"], title: string): string {
  if (target.type === "redo") return "What was taken back is there again.";
  return scope === "files" ? `Files are as they were before: ${title}` : `Went back to before: ${title}`;
}
