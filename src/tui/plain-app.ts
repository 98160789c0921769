// The terminal app without a screen: it reads and prints lines, and never draws over one.
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { stripTerminalControls } from "../base/terminal-text.ts";
import type { Answer, ChoiceItem, Front, FrontCommand, FrontEvent, Preview } from "../front/contract.ts";
import { lineSubmitter } from "./commands/local-commands.ts";
import { followFront } from "./front-follower.ts";
import { choicesOf } from "./state/question.ts";
import { isBusy, type ViewState } from "./state/view-state.ts";
import { createStore } from "./store.ts";
import { plainEntry, plainQuestion } from "./view/plain.ts";
import { plainChanges, plainPreview } from "./view/plain-changes.ts";
import { farewell } from "./view/status-bar.ts";

export interface PlainAppOptions {
  readonly session: Extract<FrontCommand, { type: "open" }>["session"];
  /** Sent as soon as the session is open. */
  readonly prompt?: string;
  /** Writes it to the person's configuration. */
  readonly saveTheme?: (name: string) => Promise<void>;
  readonly input?: Readable;
  readonly output?: Writable;
}

interface NumberedList {
  readonly title: string;
  readonly items: readonly ChoiceItem[];
  readonly about?: Preview;
}

const LEFT = 0;
const WORDS_WANTED = "What should the model do instead? An empty line says nothing.";

export async function runPlainApp(front: Front, options: PlainAppOptions): Promise<number> {
  const { input = process.stdin, output = process.stdout, saveTheme = async () => {} } = options;
  // Whatever is printed, nothing in it controls the terminal.
  const print = (line: string) => output.write(`${stripTerminalControls(line)}\n`);
  const ended = Promise.withResolvers<number>();
  const leave = () => ended.resolve(LEFT);
  const store = createStore();
  /** Takes the next line and says whether it did; if not, the line is a prompt. */
  let expected: ((line: string) => boolean) | null = null;
  const nextLine = (words: string) => {
    print(words);
    return new Promise<string>((resolve) => {
      expected = (line) => {
        expected = null;
        resolve(line);
        return true;
      };
    });
  };
  /** The question that was printed last. */
  let asked = 0;
  const pick = async ({ title, items, about }: NumberedList) => {
    print(`${title}:`);
    for (const [index, { label, detail }] of items.entries()) print(`${index + 1}: ${label}. ${detail}`);
    if (about !== undefined) plainPreview(about).forEach(print);
    const line = await nextLine("Type a number, or press Enter to cancel:");
    // A question that was open before is open still.
    asked = 0;
    askFirst();
    return items[Number(line.trim()) - 1]?.value ?? null;
  };
  const submit = lineSubmitter({
    front,
    store,
    pick: (title, items) => pick({ title, items }),
    themeName: () => "plain",
    setTheme: () => {},
    saveTheme,
    clearScreen: () => {},
    copy: null,
    showChanges: async (turns) => plainChanges(turns).forEach(print),
    leave,
  });

  const askFirst = () => {
    const [question] = store.get().questions;
    if (question === undefined || question.id === asked) return;
    asked = question.id;
    const choices = choicesOf(question);
    const keys = `Type ${choices.map(({ key }) => key).join(", ")}:`;
    const send = (answer: Answer, words: string) =>
      front.send({ type: "answer", question: question.id, answer, words });
    for (const line of plainQuestion(question)) print(line);
    print(keys);
    expected = (line) => {
      const answer = choices.find(({ key }) => key === line.trim().toLowerCase())?.answer;
      if (answer === undefined) {
        print(line.trim() === "" ? keys : `That is no answer, so it is taken as a prompt. ${keys}`);
        return false;
      }
      expected = null;
      if (!("words" in answer && answer.words)) send(answer, "");
      else void nextLine(WORDS_WANTED).then((words) => send(answer, words));
      return true;
    };
  };

  let isReady = false;
  store.subscribe(printer(print));
  followFront(front, {
    store,
    pick,
    endPick: () => {
      expected = null;
    },
    onFailure: ended.reject,
    onEvent: (event) => {
      if (event.type === "question-settled" && event.question === asked) expected = null;
      if (event.type === "question-asked" || event.type === "question-settled") askFirst();
      if (event.type === "returned") print(`${returnedWords(event)}: ${event.text}`);
      if (event.type === "session-opened" && !isReady) print("tunacode is ready. Type a prompt, or /help.");
      isReady ||= event.type === "session-opened";
    },
  });
  const lines = createInterface({ input, terminal: false });
  lines.on("line", (line) => {
    if (expected?.(line) !== true) submit(line);
  });
  lines.on("close", leave);
  const onInterrupt = () => {
    if (isBusy(store.get())) front.send({ type: "stop" });
    else leave();
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onInterrupt);
  try {
    if (options.prompt !== undefined) submit(options.prompt, { given: true });
    front.send({ type: "open", session: options.session });
    return await ended.promise;
  } finally {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
    lines.close();
    await front.close();
    const words = farewell(store.get());
    if (words !== null) print(words);
  }
}

function returnedWords({ unanswered, takenBack }: Extract<FrontEvent, { type: "returned" }>): string {
  if (takenBack === true) return "Your prompt was";
  return unanswered === true ? "Not answered" : "Not sent";
}

/** Prints each entry once, when it can't change any more. */
function printer(print: (line: string) => void): (state: ViewState) => void {
  let printed = 0;
  let before = "";
  return ({ transcript: { done, dropped }, request }) => {
    const fresh = done.slice(Math.max(0, printed - dropped));
    printed = dropped + done.length;
    fresh.flatMap(plainEntry).forEach(print);
    const activity = request?.activity ?? "";
    // Said once, when it begins: a screen reader would read a counter aloud forever.
    if (activity !== before && activity.startsWith("Running")) print(`${activity}.`);
    before = activity;
  };
}
