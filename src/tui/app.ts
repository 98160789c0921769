// The terminal app: wires the desk, the screen and the keys together, and nothing else.
import { setCapabilityOverrides } from "@earendil-works/pi-tui";
import { systemClock } from "../base/clock.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { createActions } from "./actions.ts";
import { Desk } from "./desk.ts";
import { createFrameSource } from "./frame-source.ts";
import { createAppKeys, type KeyOverrides } from "./input/app-keys.ts";
import { createCompletion } from "./input/completion.ts";
import { KeyRouter } from "./input/key-router.ts";
import { PromptEditor } from "./input/prompt-editor.ts";
import { PagerWindow } from "./pager-window.ts";
import { Pickers } from "./pickers.ts";
import type { SessionChoice, TerminalPorts } from "./ports.ts";
import { attentionBytes, LONG_REQUEST_MS, type Notifications } from "./screen/attention.ts";
import { InlineScreen, type ScreenTerminal } from "./screen/inline-screen.ts";
import { RealTerminal } from "./screen/real-terminal.ts";
import { RESET_MODES, RESTORE_TITLE, SAVE_TITLE, setTitle } from "./screen/terminal-modes.ts";
import { watchWayOut } from "./screen/way-out.ts";
import { isDarkColour } from "./theme/colour.ts";
import { FRAME_MS } from "./view/activity.ts";
import { Look } from "./view/look.ts";

export interface TerminalAppOptions {
  readonly session: SessionChoice;
  /** Sent as soon as the session is open. */
  readonly prompt?: string;
  /** Absent: by the terminal's background. */
  readonly theme?: string;
  readonly keys?: KeyOverrides;
  readonly notifications?: Notifications;
  /** Lines only, nothing drawn over: for screen readers. Absent: when the terminal can do no better. */
  readonly plain?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** In tests: a terminal that isn't the process's own. */
  readonly terminal?: ScreenTerminal;
}

const LEFT = 0;
const ENDED_BY_SIGNAL = 130;
const BACKGROUND_ANSWER_MS = 1_000;

/** Resolves with the exit code once the terminal is restored; rejects where no session can be opened. */
export async function runTerminalApp(ports: TerminalPorts, options: TerminalAppOptions): Promise<number> {
  const { env = process.env, notifications = "auto" } = options;
  if (options.plain ?? env["TERM"] === "dumb") {
    const { runPlainApp } = await import("./plain-app.ts");
    return runPlainApp(ports, options);
  }
  const terminal = options.terminal ?? new RealTerminal();
  const look = new Look({ theme: options.theme ?? "", env, now: systemClock.now });
  const ended = Promise.withResolvers<number>();
  const hurried = Promise.withResolvers<void>();
  let isLeaving = false;
  /** Once: leave when everything is on disk. Twice: leave now. */
  const leave = (code: number) => {
    if (isLeaving) hurried.resolve();
    isLeaving = true;
    ended.resolve(code);
  };
  const call = (text: string) => terminal.write(attentionBytes(text, notifications));
  /** What code and diffs are drawn with: before a conversation is replayed, else with the first prompt. */
  const load = () => look.load().then(() => screen.requestRender());
  const pickers: { current: Pickers | null } = { current: null };

  const openAgent: TerminalPorts["openAgent"] = async (choice, person) => {
    const [agent] = await Promise.all([
      ports.openAgent(choice, person),
      choice.type === "new" ? null : load(),
    ]);
    return agent;
  };
  const desk = new Desk(
    { ...ports, openAgent },
    {
      pick: async (title, items, pickOptions) =>
        (await pickers.current?.pick(title, items, pickOptions)) ?? null,
      themeName: () => look.theme.name,
      setTheme: (name) => {
        look.setTheme(name);
        screen.requestRender();
      },
      clearScreen: () => screen.wipe(),
      leave: () => leave(LEFT),
      onAsked: () => call("a question waits for you"),
      onEnd: (tookMs) => {
        if (tookMs >= LONG_REQUEST_MS) call("the request is over");
      },
      onReturned: (text) => editor.setText([text, editor.getText()].filter((part) => part !== "").join("\n")),
    },
  );
  const { store } = desk;
  pickers.current = new Pickers(store);

  const source = createFrameSource({
    store,
    look,
    editor: (width) => (router.isWritingWords ? wordsEditor : editor).render(width),
    isWritingWords: () => router.isWritingWords,
  });
  const screen: InlineScreen = new InlineScreen(terminal, source);
  const editor = new PromptEditor(screen, {
    theme: () => look.theme,
    sign: "❯",
    label: () => (store.get().planning ? "plan mode" : ""),
    placeholder: () => placeholder(store.get().request !== null),
  });
  const wordsEditor = new PromptEditor(screen, {
    theme: () => look.theme,
    sign: "❯",
    label: () => "what the model should do instead",
    placeholder: () => "Enter sends, Esc goes back",
  });
  const pager = new PagerWindow({ terminal, screen, desk, look });
  const router = new KeyRouter({
    store,
    keys: createAppKeys(options.keys),
    pickers: pickers.current,
    editor,
    wordsEditor,
    answer: (answer, words) => desk.questions.answer(answer, words),
    pagerKey: (data) => pager.handleKey(data),
    act: createActions({
      desk,
      editor,
      screen,
      pager,
      ports,
      env,
      pickers: pickers.current,
      leave: () => leave(LEFT),
    }),
    now: systemClock.now,
  });

  // Links are shown with their address: what a model calls a link may lead anywhere.
  setCapabilityOverrides({ hyperlinks: false, images: null });
  editor.setAutocompleteProvider(createCompletion({ commands: () => desk.commands, files: ports.fileIndex }));
  editor.onSubmit = (text) => {
    editor.addToHistory(text);
    ports.rememberPrompt(text).catch(() => {});
    load();
    desk.submit(text);
  };
  store.subscribe(() => screen.requestRender());

  const wayOut =
    options.terminal === undefined
      ? watchWayOut({ onSignal: () => leave(ENDED_BY_SIGNAL), onBug: ended.reject })
      : null;
  terminal.write(RESET_MODES + SAVE_TITLE);
  screen.setFocus(router);
  screen.start();
  screen.renderNow();
  const stopTitle = keepTitle(desk, (title) => terminal.write(setTitle(title)));
  const ticking = setInterval(() => {
    if (store.get().request !== null) screen.requestRender();
  }, FRAME_MS);
  if (options.theme === undefined) askBackground(screen, look);

  try {
    ports.promptHistory().then(
      (prompts) => {
        for (const prompt of prompts.toReversed()) editor.addToHistory(prompt);
      },
      // Without earlier prompts the editor is as good as new.
      () => {},
    );
    const opened = desk.open(options.session).then(() => {
      if (options.prompt !== undefined) desk.submit(options.prompt);
    });
    opened.catch(ended.reject);
    return await ended.promise;
  } finally {
    clearInterval(ticking);
    stopTitle();
    pager.close();
    await Promise.race([desk.close(), hurried.promise]);
    store.change({ leaving: true });
    screen.drawAll();
    screen.stop();
    terminal.write(RESTORE_TITLE);
    wayOut?.done();
  }
}

function placeholder(isRunning: boolean): string {
  return isRunning
    ? "Enter steers · Alt-Enter queues · Esc stops"
    : "Ask anything · / commands · @ files · ! shell";
}

function askBackground(screen: InlineScreen, look: Look): void {
  screen.queryTerminalBackgroundColor({ timeoutMs: BACKGROUND_ANSWER_MS }).then((colour) => {
    if (colour === undefined || isDarkColour(colour)) return;
    look.setBackground(false);
    screen.requestRender();
  });
}

function keepTitle({ store }: Desk, set: (title: string) => void): () => void {
  let shown = "";
  let isOn = true;
  const update = () => {
    const { session, request } = store.get();
    const state = request === null ? "" : "● ";
    const title = `${state}tunacode${session.title === "" ? "" : `: ${stripTerminalControls(session.title)}`}`;
    if (isOn && title !== shown) set(title.replaceAll("\n", " "));
    shown = title;
  };
  store.subscribe(update);
  update();
  return () => {
    isOn = false;
  };
}
