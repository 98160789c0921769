// The terminal app without a screen: lines in, lines out, nothing is ever drawn over.
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Answer, ChoiceItem, Front, FrontCommand } from "../front/contract.ts";
import { lineSubmitter } from "./commands/local-commands.ts";
import { followFront } from "./front-follower.ts";
import { openingFailure } from "./opening-failure.ts";
import { choicesOf } from "./state/question.ts";
import type { ViewState } from "./state/view-state.ts";
import { createStore } from "./store.ts";
import { farewell } from "./view/farewell.ts";
import { plainEntry, plainQuestion } from "./view/plain.ts";

export interface PlainAppOptions {
  readonly session: Extract<FrontCommand, { type: "open" }>["session"];
  readonly prompt?: string;
  readonly saveTheme?: (name: string) => Promise<void>;
  readonly input?: Readable;
  readonly output?: Writable;
}

const LEFT = 0;

export async function runPlainApp(front: Front, options: PlainAppOptions): Promise<number> {
  const { input = process.stdin, output = process.stdout, saveTheme = async () => {} } = options;
  const print = (line: string) => output.write(`${line}\n`);
  const ended = Promise.withResolvers<number>();
  const leave = () => ended.resolve(LEFT);
  const store = createStore();
  /** What the next line is an answer to, if not a prompt. */
  let expected: ((line: string) => void) | null = null;
  /** Lines that came while a question was open, before it was ready for them. */
  const typedAhead: string[] = [];
  const nextLine = async (words: string) => {
    print(words);
    const ahead = typedAhead.shift();
    if (ahead !== undefined) return ahead;
    return new Promise<string>((resolve) => {
      expected = resolve;
    });
  };
  const pick = (title: string, items: readonly ChoiceItem[]) => pickByNumber(title, items, nextLine, print);
  const submit = lineSubmitter({
    front,
    store,
    pick,
    themeName: () => "plain",
    setTheme: () => {},
    saveTheme,
    clearScreen: () => {},
    copy: null,
    leave,
  });

  let asked = 0;
  const askFirst = async (): Promise<void> => {
    const [question] = store.get().questions;
    if (question === undefined || question.id === asked) return;
    asked = question.id;
    for (const line of plainQuestion(question)) print(line);
    const choices = choicesOf(question);
    const keys = choices.map(({ key }) => key).join(", ");
    const line = await nextLine(`Type ${keys}:`);
    const choice = choices.find(({ key }) => key === line.trim().toLowerCase());
    if (choice === undefined) asked = 0;
    else {
      const words = await wordsFor(choice.answer, nextLine);
      front.send({ type: "answer", question: question.id, answer: choice.answer, words });
    }
    await askFirst();
  };

  let isReady = false;
  const printer = new Printer(print);
  store.subscribe((state) => printer.show(state));
  followFront(front, {
    store,
    prepare: () => null,
    pick: ({ title, items, about }) => pickByNumber(title, items, nextLine, print, about),
    endPick: () => {
      expected = null;
    },
    onEvent: (event) => {
      if (event.type === "question-asked") void askFirst();
      if (event.type === "returned") print(`Not sent: ${event.text}`);
      if (event.type === "session-opened" && !isReady) print("tunacode is ready. Type a prompt, or /help.");
      isReady ||= event.type === "session-opened";
      if (event.type === "open-failed") ended.reject(openingFailure(event));
    },
  });
  const lines = createInterface({ input, terminal: false });
  lines.on("line", (line) => {
    const take = expected;
    expected = null;
    if (take !== null) take(line);
    else if (store.get().questions.length > 0) typedAhead.push(line);
    else submit(line);
  });
  lines.on("close", leave);
  const onInterrupt = () => {
    if (isBusy(store.get())) front.send({ type: "stop" });
    else leave();
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onInterrupt);
  try {
    if (options.prompt !== undefined) submit(options.prompt);
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

function isBusy({ request, transcript }: ViewState): boolean {
  return request !== null || transcript.live.some((entry) => entry.kind === "shell" && entry.open);
}

/** Prints each entry once, when it can't change any more. */
class Printer {
  readonly #print: (line: string) => void;
  #printed = 0;
  #activity = "";

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  show({ transcript, request }: ViewState): void {
    const { done, dropped } = transcript;
    const fresh = done.from(this.#printed - dropped);
    this.#printed = dropped + done.length;
    for (const entry of fresh) for (const line of plainEntry(entry)) this.#print(line);
    const activity = request?.activity ?? "";
    // Said once when it begins: a screen reader would read a counter aloud forever.
    if (activity !== this.#activity && activity.startsWith("Running")) this.#print(`${activity}.`);
    this.#activity = activity;
  }
}

async function wordsFor(answer: Answer, nextLine: (words: string) => Promise<string>): Promise<string> {
  if (!("words" in answer && answer.words)) return "";
  return nextLine("What should the model do instead? An empty line says nothing.");
}

async function pickByNumber(
  title: string,
  items: readonly ChoiceItem[],
  nextLine: (words: string) => Promise<string>,
  print: (line: string) => void,
  about?: string,
): Promise<string | null> {
  print(`${title}:`);
  for (const [index, { label, detail }] of items.entries()) print(`${index + 1}: ${label}. ${detail}`);
  if (about !== undefined) print(about);
  const line = await nextLine("Type a number, or nothing to go back:");
  return items[Number(line.trim()) - 1]?.value ?? null;
}
