// The parts of the app on the screen, connected: desk, editors, lists, pager and keys.
import { systemClock } from "../base/clock.ts";
import { errorMessage } from "../domain/error.ts";
import { createActions } from "./actions.ts";
import { Desk } from "./desk.ts";
import { createFrameSource } from "./frame-source.ts";
import { createAppKeys, type KeyOverrides } from "./input/app-keys.ts";
import { createCompletion } from "./input/completion.ts";
import { KeyRouter } from "./input/key-router.ts";
import { PromptEditor } from "./input/prompt-editor.ts";
import { PagerWindow } from "./pager-window.ts";
import { Pickers } from "./pickers.ts";
import type { TerminalPorts } from "./ports.ts";
import { attentionBytes, LONG_REQUEST_MS, type Notifications } from "./screen/attention.ts";
import { copyToClipboard } from "./screen/clipboard.ts";
import { InlineScreen, type ScreenTerminal } from "./screen/inline-screen.ts";
import { createStore } from "./store.ts";
import type { Look } from "./view/look.ts";

export interface Window {
  readonly desk: Desk;
  readonly screen: InlineScreen;
  readonly editor: PromptEditor;
  readonly pager: PagerWindow;
}

export interface WindowParts {
  readonly ports: TerminalPorts;
  readonly terminal: ScreenTerminal;
  readonly look: Look;
  readonly env: NodeJS.ProcessEnv;
  readonly keys: KeyOverrides;
  readonly notifications: Notifications;
  readonly leave: () => void;
}

export function createWindow(parts: WindowParts): Window {
  const { ports, terminal, look, env, leave } = parts;
  const store = createStore();
  const pickers = new Pickers(store);
  const call = (text: string) => terminal.write(attentionBytes(text, parts.notifications));
  const desk = new Desk(store, ports, {
    pick: (title, items, options) => pickers.pick(title, items, options),
    themeName: () => look.theme.name,
    setTheme: (name) => {
      look.setTheme(name);
      screen.requestRender();
    },
    clearScreen: () => screen.wipe(),
    copy: (text) => copyToClipboard(text, { env, write: (bytes) => terminal.write(bytes) }),
    leave,
    onAsked: () => call("a question waits for you"),
    onEnd: (tookMs) => {
      if (tookMs >= LONG_REQUEST_MS) call("the request is over");
    },
    onReturned: (text) => editor.putBefore(text),
  });

  const screen: InlineScreen = new InlineScreen(
    terminal,
    createFrameSource({
      store,
      look,
      editor: (width) => (router.isWritingWords ? wordsEditor : editor).render(width),
      isWritingWords: () => router.isWritingWords,
    }),
  );
  const editor = new PromptEditor(screen, {
    theme: () => look.theme,
    label: () => (store.get().planning ? "plan mode" : ""),
    placeholder: () => (store.get().request === null ? IDLE_HINT : RUNNING_HINT),
  });
  const wordsEditor = new PromptEditor(screen, {
    theme: () => look.theme,
    label: () => "what the model should do instead",
    placeholder: () => "Enter sends, Esc goes back",
  });
  const pager = new PagerWindow({ terminal, screen, desk, look });
  const router = new KeyRouter({
    store,
    keys: createAppKeys(parts.keys),
    pickers,
    editor,
    wordsEditor,
    answer: (answer, words) => desk.questions.answer(answer, words),
    pagerKey: (data) => pager.handleKey(data),
    act: createActions({ desk, editor, screen, pager, pickers, ports, env, leave }),
    onProblem: (error) => desk.say(errorMessage(error), "error"),
    now: systemClock.now,
  });

  editor.setAutocompleteProvider(createCompletion({ commands: () => desk.commands, files: ports.fileIndex }));
  editor.onSubmit = (text) => {
    editor.addToHistory(text);
    desk.submit(text);
  };
  store.subscribe(({ request }) => {
    if (request !== null) look.load();
    screen.requestRender();
  });
  screen.setFocus(router);
  return { desk, screen, editor, pager };
}

const IDLE_HINT = "Ask anything · / commands · @ files · ! shell";
const RUNNING_HINT = "Enter steers · Alt-Enter queues · Esc stops";
