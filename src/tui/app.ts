// The terminal app, from the first paint until the terminal is restored.
import { setCapabilityOverrides } from "@earendil-works/pi-tui";
import type { Front } from "../front/contract.ts";
import type { KeyOverrides } from "./input/key-names.ts";
import type { PlainAppOptions } from "./plain-app.ts";
import type { Notifications } from "./screen/attention.ts";
import type { InlineScreen, ScreenTerminal } from "./screen/inline-screen.ts";
import { RealTerminal } from "./screen/real-terminal.ts";
import { RESET_MODES, RESTORE_TITLE, SAVE_TITLE } from "./screen/terminal-modes.ts";
import { watchWayOut } from "./screen/way-out.ts";
import { isDarkColour } from "./theme/colour.ts";
import { FRAME_MS } from "./view/activity.ts";
import { Look } from "./view/look.ts";
import { windowTitle } from "./view/status-bar.ts";
import { createWindow, type Window } from "./window.ts";

export interface TerminalAppOptions extends Pick<PlainAppOptions, "session" | "prompt" | "saveTheme"> {
  /** By default it depends on the terminal's background. */
  readonly theme?: string;
  readonly keys?: KeyOverrides;
  readonly notifications?: Notifications;
  /** Prints lines and never draws over them, for screen readers. By default only on a dumb terminal. */
  readonly plain?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Tests pass a terminal that isn't the process's own. */
  readonly terminal?: ScreenTerminal;
}

const LEFT = 0;
const ENDED_BY_SIGNAL = 130;
const BACKGROUND_ANSWER_MS = 1_000;
const LATE_INPUT_MS = 300;
const QUIET_MS = 50;
const FIRST_KEYS_MS = 15;

/** Resolves with the exit code once the terminal is restored; rejects if no session can be opened. */
export async function runTerminalApp(front: Front, options: TerminalAppOptions): Promise<number> {
  const { env = process.env, terminal = new RealTerminal(), keys = {}, notifications = "auto" } = options;
  if (options.plain ?? env["TERM"] === "dumb") {
    const { runPlainApp } = await import("./plain-app.ts");
    return runPlainApp(front, options);
  }
  const ended = Promise.withResolvers<number>();
  const hurried = Promise.withResolvers<void>();
  let isLeaving = false;
  /** The first call leaves when everything is on disk, the second one at once. */
  const leave = (code: number) => {
    if (isLeaving) hurried.resolve();
    isLeaving = true;
    ended.resolve(code);
  };
  const look = new Look(options.theme ?? "", env);
  const window = createWindow({
    front,
    terminal,
    look,
    env,
    keys,
    notifications,
    saveTheme: options.saveTheme ?? (async () => {}),
    leave: () => leave(LEFT),
    onFailure: ended.reject,
  });
  const { store, screen, pager } = window;
  const unwatch =
    options.terminal === undefined
      ? watchWayOut({ onSignal: () => leave(ENDED_BY_SIGNAL), onBug: ended.reject })
      : null;

  // Links are shown with their address, because the text of a link may hide where it leads.
  setCapabilityOverrides({ hyperlinks: false, images: null });
  terminal.write(RESET_MODES + SAVE_TITLE);
  screen.start();
  screen.renderNow();
  const stopTicking = keepCurrent(window, terminal);
  if (options.theme === undefined) askBackground(screen, look);
  try {
    recallPrompts(window, front);
    begin(front, window, look, options);
    return await ended.promise;
  } finally {
    stopTicking();
    pager.close();
    await Promise.race([front.close(), hurried.promise]);
    store.change({ leaving: true });
    screen.drawAll();
    // Late answers of the terminal and key releases would be typed into the shell.
    await terminal.drainInput(LATE_INPUT_MS, QUIET_MS);
    screen.stop();
    terminal.write(RESTORE_TITLE);
    unwatch?.();
  }
}

/** A new conversation opens a moment later, so that the first keys are shown at once. */
function begin(front: Front, { submit }: Window, look: Look, { session, prompt }: TerminalAppOptions): void {
  const open = () => front.send({ type: "open", session });
  const isNew = session.type === "new" || session.type === "none";
  // The libraries that a replayed conversation is drawn with load while it opens.
  if (!isNew) void look.load();
  if (prompt !== undefined) submit(prompt, { given: true });
  if (isNew && prompt === undefined) setTimeout(open, FIRST_KEYS_MS);
  else open();
}

/** Updates the elapsed time on the screen and the terminal's title. */
function keepCurrent({ store, screen }: Window, terminal: ScreenTerminal): () => void {
  let shown = "";
  const update = () => {
    const title = windowTitle(store.get());
    if (title !== shown) terminal.setTitle(title);
    shown = title;
    if (store.get().request !== null) screen.requestRender();
  };
  update();
  const ticking = setInterval(update, FRAME_MS);
  return () => clearInterval(ticking);
}

function askBackground(screen: InlineScreen, look: Look): void {
  screen.queryTerminalBackgroundColor({ timeoutMs: BACKGROUND_ANSWER_MS }).then((colour) => {
    if (colour === undefined || isDarkColour(colour)) return;
    look.setBackground(false);
    screen.requestRender();
  });
}

function recallPrompts({ editor }: Window, { lookups }: Front): void {
  lookups.prompts().then(
    (prompts) => {
      for (const prompt of prompts.toReversed()) editor.addToHistory(prompt);
    },
    // The editor works without earlier prompts.
    () => {},
  );
}
