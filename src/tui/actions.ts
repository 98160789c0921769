// What the app's keys do.
import { errorMessage } from "../domain/error.ts";
import { PERMISSION_MODES, type PermissionMode } from "../domain/permission.ts";
import type { Front } from "../front/contract.ts";
import type { Submit } from "./commands/local-commands.ts";
import type { AppKey } from "./input/app-keys.ts";
import { saveClipboardImage } from "./input/clipboard-image.ts";
import { editExternally } from "./input/external-editor.ts";
import type { PromptEditor } from "./input/prompt-editor.ts";
import { stopOrRewind } from "./input/rewind-key.ts";
import type { Pager } from "./pager.ts";
import type { Pickers } from "./pickers.ts";
import type { InlineScreen } from "./screen/inline-screen.ts";
import type { Store } from "./store.ts";

export interface ActionParts {
  readonly front: Front;
  readonly store: Store;
  readonly submit: Submit;
  readonly editor: PromptEditor;
  readonly screen: InlineScreen;
  readonly pager: Pager;
  readonly pickers: Pickers;
  readonly env: NodeJS.ProcessEnv;
  readonly leave: () => void;
}

const RESUMED_AFTER_MS = 50;
const AGAIN_WITHIN_MS = 2_000;

export function createActions(parts: ActionParts): Readonly<Record<AppKey, () => void>> {
  const { front, store, submit, editor, screen, pager, leave } = parts;
  let clearedAt = 0;
  const attempt = (work: Promise<void>) => {
    work.catch((error) => store.note(errorMessage(error), "warning"));
  };
  return {
    stop: stopOrRewind(parts),
    clear: () => {
      const now = Date.now();
      // What was written or came back since the last one is cleared first.
      if (now - clearedAt < AGAIN_WITHIN_MS && editor.getText() === "") return leave();
      clearedAt = now;
      if (editor.getText() !== "") editor.setText("");
      else front.send({ type: "stop" });
      store.change({ hint: `Press ${store.get().keys.clear[0]} again to leave` });
      setTimeout(() => store.change({ hint: "" }), AGAIN_WITHIN_MS).unref();
    },
    leave,
    queue: () => {
      const text = editor.getExpandedText();
      editor.setText("");
      editor.addToHistory(text);
      submit(text, { later: true, replacesUnanswered: editor.takeUnanswered() });
    },
    takeBack: () => front.send({ type: "take-back" }),
    unfold: () => pager.openConversation(),
    searchHistory: () => attempt(searchHistory(parts)),
    externalEditor: () => editInOwnEditor(parts),
    pasteImage: () => attempt(pasteImage(parts)),
    nextMode: () => {
      const { mode, autoOn } = store.get();
      // Nobody should get into yolo by accident, nor into auto before they have switched it on.
      const modes: readonly PermissionMode[] = PERMISSION_MODES.filter(
        (known) => known !== "yolo" && (autoOn || known !== "auto"),
      );
      const next = modes[(modes.indexOf(mode) + 1) % modes.length] ?? "ask";
      front.send({ type: "set-mode", mode: next });
    },
    redraw: () => screen.redraw(),
    suspend: () => suspend(screen),
  };
}

async function searchHistory({ front, pickers, editor }: ActionParts): Promise<void> {
  const prompts = await front.lookups.prompts();
  const items = [...new Set(prompts)].map((text) => ({
    value: text,
    label: text.replaceAll("\n", " ⏎ "),
    detail: "",
  }));
  const text = await pickers.pick("Earlier prompts", items);
  if (text !== null) editor.setText(text);
}

function editInOwnEditor({ editor, screen, store, env }: ActionParts): void {
  const takeBack = screen.lend();
  const edited = editExternally(editor.getExpandedText(), env);
  takeBack();
  if (edited.ok) editor.setText(edited.text);
  else store.note(edited.problem, "warning");
}

async function pasteImage({ editor, store }: ActionParts): Promise<void> {
  const path = await saveClipboardImage();
  if (path === null) store.change({ hint: "There is no image in the clipboard that could be read" });
  else editor.insertTextAtCursor(`@${path} `);
}

/** As any program does on Ctrl-Z, it gives the restored terminal back to the shell. */
function suspend(screen: InlineScreen): void {
  const takeBack = screen.lend();
  process.kill(process.pid, "SIGTSTP");
  // The process stops here until the shell continues it, which the runtime doesn't report.
  setTimeout(takeBack, RESUMED_AFTER_MS);
}
