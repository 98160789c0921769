// What the app's keys do.
import { errorMessage } from "../domain/error.ts";
import { PERMISSION_MODES, type PermissionMode } from "../domain/permission.ts";
import type { Desk } from "./desk.ts";
import type { AppKey } from "./input/app-keys.ts";
import { saveClipboardImage } from "./input/clipboard-image.ts";
import { editExternally } from "./input/external-editor.ts";
import type { PromptEditor } from "./input/prompt-editor.ts";
import type { PagerWindow } from "./pager-window.ts";
import type { Pickers } from "./pickers.ts";
import type { TerminalPorts } from "./ports.ts";
import type { InlineScreen } from "./screen/inline-screen.ts";

export interface ActionParts {
  readonly desk: Desk;
  readonly editor: PromptEditor;
  readonly screen: InlineScreen;
  readonly pager: PagerWindow;
  readonly pickers: Pickers;
  readonly ports: TerminalPorts;
  readonly env: NodeJS.ProcessEnv;
  readonly leave: () => void;
}

const RESUMED_AFTER_MS = 50;
const AGAIN_WITHIN_MS = 2_000;

export function createActions(parts: ActionParts): Readonly<Record<AppKey, () => void>> {
  const { desk, editor, screen, pager, leave } = parts;
  let clearedAt = 0;
  const attempt = (work: Promise<void>) => {
    work.catch((error) => desk.say(errorMessage(error), "warning"));
  };
  return {
    stop: () => {
      if (!desk.stop()) desk.store.change({ hint: "" });
    },
    clear: () => {
      const now = Date.now();
      if (now - clearedAt < AGAIN_WITHIN_MS) return leave();
      clearedAt = now;
      if (editor.getText() !== "") editor.setText("");
      else desk.stop();
      desk.store.change({ hint: "Press Ctrl-C again to leave" });
      setTimeout(() => desk.store.change({ hint: "" }), AGAIN_WITHIN_MS).unref();
    },
    leave,
    queue: () => {
      const text = editor.getExpandedText();
      editor.setText("");
      editor.addToHistory(text);
      desk.submit(text, true);
    },
    takeBack: () => {
      const text = desk.queue.takeBack();
      if (text !== null) editor.putBefore(text);
    },
    unfold: () => pager.open(),
    searchHistory: () => attempt(searchHistory(parts)),
    externalEditor: () => editInOwnEditor(parts),
    pasteImage: () => attempt(pasteImage(parts)),
    nextMode: () => {
      const { mode } = desk.store.get();
      // Yolo is never reached by accident.
      const modes: readonly PermissionMode[] = PERMISSION_MODES.filter((known) => known !== "yolo");
      const next = modes[(modes.indexOf(mode) + 1) % modes.length] ?? "ask";
      desk.agent().setPermissionMode(next);
      desk.store.change({ mode: next, planning: false });
    },
    redraw: () => screen.redraw(),
    suspend: () => suspend(screen),
  };
}

async function searchHistory({ ports, pickers, editor }: ActionParts): Promise<void> {
  const prompts = await ports.promptHistory();
  const items = [...new Set(prompts)].map((text) => ({
    value: text,
    label: text.replaceAll("\n", " ⏎ "),
    detail: "",
  }));
  const text = await pickers.pick("Earlier prompts", items);
  if (text !== null) editor.setText(text);
}

function editInOwnEditor({ editor, screen, desk, env }: ActionParts): void {
  const takeBack = screen.lend();
  const edited = editExternally(editor.getExpandedText(), env);
  takeBack();
  if (edited.ok) editor.setText(edited.text);
  else desk.say(edited.problem, "warning");
}

async function pasteImage({ editor, desk }: ActionParts): Promise<void> {
  const path = await saveClipboardImage();
  if (path === null) desk.store.change({ hint: "There is no image in the clipboard that could be read" });
  else editor.insertTextAtCursor(`@${path} `);
}

/** As any program does on Ctrl-Z: the shell gets its terminal back as it was. */
function suspend(screen: InlineScreen): void {
  const takeBack = screen.lend();
  process.kill(process.pid, "SIGTSTP");
  // The process stands still from here until the shell lets it go on; the runtime doesn't report that it did.
  setTimeout(takeBack, RESUMED_AFTER_MS);
}
