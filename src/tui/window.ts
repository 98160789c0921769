// Connects the parts of the app on the screen: the front, editors, lists, pager and keys.
import type { Clock } from "../base/clock.ts";
import { defined } from "../base/defined.ts";
import type { Front, FrontEvent } from "../front/contract.ts";
import { type ActionParts, createActions } from "./actions.ts";
import { lineSubmitter } from "./commands/local-commands.ts";
import { followFront } from "./front-follower.ts";
import { createAppKeys, type KeyLabels } from "./input/app-keys.ts";
import { createCompletion } from "./input/completion.ts";
import type { KeyOverrides } from "./input/key-names.ts";
import { KeyRouter } from "./input/key-router.ts";
import { PromptEditor } from "./input/prompt-editor.ts";
import { Pager } from "./pager.ts";
import { Pickers } from "./pickers.ts";
import { attentionBytes, LONG_REQUEST_MS, type Notifications } from "./screen/attention.ts";
import { copyToClipboard } from "./screen/clipboard.ts";
import { Committer } from "./screen/committer.ts";
import { InlineScreen, type ScreenTerminal } from "./screen/inline-screen.ts";
import { NO_PREVIEW } from "./state/picker.ts";
import type { RunningRequest } from "./state/running-request.ts";
import { createStore } from "./store.ts";
import { changesPieces } from "./view/changes.ts";
import { frameView } from "./view/frame.ts";
import { keyHint, type Look } from "./view/look.ts";
import { previewView } from "./view/picker.ts";

export type Window = Omit<ActionParts, "front" | "pickers" | "env" | "leave">;

interface WindowParts {
  readonly front: Front;
  readonly terminal: ScreenTerminal;
  readonly look: Look;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  readonly keys: KeyOverrides;
  readonly notifications: Notifications;
  readonly saveTheme: (name: string) => Promise<void>;
  readonly leave: () => void;
  /** No session can be opened. */
  readonly onFailure: (error: Error) => void;
}

export function createWindow(parts: WindowParts): Window {
  const { front, terminal, look, env, leave } = parts;
  const store = createStore();
  const keys = createAppKeys(parts.keys);
  store.change({ keys: keys.labels });
  for (const problem of keys.problems) store.note(problem, "warning");
  const pickers = new Pickers(store);
  const call = (text: string) => terminal.write(attentionBytes(text, parts.notifications));
  let isClearing = false;
  const committer = new Committer();
  const screen: InlineScreen = new InlineScreen(terminal, (width, rows, erased) => {
    const state = store.get();
    const canvas = look.canvas(width, state.keys);
    const { isWritingWords } = router;
    const hasText = isWritingWords || (editor.getText() !== "" && rows >= ROWS_FOR_DRAFT);
    const drawEditor = (room: number) => (isWritingWords ? wordsEditor : editor).render(room);
    return {
      finished: committer.take(state.transcript, canvas, erased),
      live: frameView({ state, canvas, rows, editor: drawEditor, hasText }),
      hasMore: committer.hasMore(state.transcript),
    };
  });
  const editor = new PromptEditor(screen, {
    theme: () => look.theme,
    label: () => (store.get().planning ? "plan mode" : ""),
    placeholder: () => hintFor(store.get().request, keys.labels),
  });
  const wordsEditor = new PromptEditor(screen, {
    theme: () => look.theme,
    label: () => "what the model should do instead",
    placeholder: () => hints(keyHint(keys.labels.send, "sends"), keyHint(keys.labels.stop, "goes back")),
  });
  const pager = new Pager({ terminal, screen, store, look });
  const submit = lineSubmitter({
    front,
    store,
    pick: (title, items, options) => pickers.pick(title, items, options),
    themeName: () => look.theme.name,
    setTheme: (name) => {
      look.setTheme(name);
      screen.requestRender();
    },
    saveTheme: parts.saveTheme,
    clearScreen: () => {
      isClearing = true;
    },
    showChanges: async (turns) => {
      await look.load();
      pager.open(changesPieces(turns));
    },
    copy: (text) => copyToClipboard(text, { env, write: (bytes) => terminal.write(bytes) }),
    leave,
  });
  const router = new KeyRouter({
    clock: parts.clock,
    front,
    store,
    keys,
    pickers,
    editor,
    wordsEditor,
    pagerKey: (data) => pager.handleKey(data, keys),
    showWhole: (preview) => pager.open([(canvas) => previewView(preview, canvas)]),
    act: createActions({ front, store, submit, editor, screen, pager, pickers, env, leave }),
  });
  const onEvent = (event: FrontEvent) => {
    switch (event.type) {
      case "question-asked":
        return call("a question waits for you");
      case "work-ended":
        return event.tookMs >= LONG_REQUEST_MS ? call("the request is over") : undefined;
      case "returned":
        return event.unanswered === true ? editor.returnUnanswered(event.text) : editor.putBefore(event.text);
      case "session-opened":
        if (isClearing) screen.wipe();
        isClearing = false;
        return;
    }
  };
  followFront(front, {
    store,
    // A replayed conversation needs the libraries for code and diffs; a new one can wait for them.
    prepare: (event) => (event.type === "session-opened" && event.resumed ? look.load() : null),
    onEvent,
    onFailure: parts.onFailure,
    pick: ({ id, title, items, selected, about, hasPreviews }) => {
      const preview = hasPreviews
        ? (value: string) => front.lookups.preview(id, value)
        : async () => about ?? NO_PREVIEW;
      return pickers.pick(title, items, { preview, ...defined({ selected }) });
    },
    endPick: () => pickers.close(null),
  });

  const completion = { commands: () => store.get().commands, files: front.lookups.files };
  editor.setAutocompleteProvider(createCompletion(completion));
  editor.onSubmit = (text) => {
    editor.addToHistory(text);
    submit(text, { replacesUnanswered: editor.takeUnanswered() });
  };
  store.subscribe(({ request }) => {
    if (request !== null) look.load();
    screen.requestRender();
  });
  screen.setFocus(router);
  return { store, submit, screen, editor, pager };
}

/** With fewer, a question needs them all. */
const ROWS_FOR_DRAFT = 16;
const IDLE_HINT = "Ask anything · / commands · @ files · ! shell";

function hintFor(request: RunningRequest | null, { send, queue, stop }: KeyLabels): string {
  if (request === null) return IDLE_HINT;
  if (!request.canStop) return keyHint(send, "queues");
  return hints(keyHint(send, "steers"), keyHint(queue, "queues"), keyHint(stop, "stops"));
}

function hints(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" · ");
}
