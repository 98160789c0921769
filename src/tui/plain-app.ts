// The terminal app without a screen: lines in, lines out, nothing is ever drawn over.
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { Desk } from "./desk.ts";
import type { SessionChoice, TerminalPorts } from "./ports.ts";
import type { PickerItem } from "./state/picker.ts";
import { type Answer, choicesOf } from "./state/question.ts";
import type { ViewState } from "./state/view-state.ts";
import { createStore } from "./store.ts";
import { farewell } from "./view/farewell.ts";
import { plainEntry, plainQuestion } from "./view/plain.ts";

export interface PlainAppOptions {
  readonly session: SessionChoice;
  readonly prompt?: string;
  readonly input?: Readable;
  readonly output?: Writable;
}

const LEFT = 0;

export async function runPlainApp(ports: TerminalPorts, options: PlainAppOptions): Promise<number> {
  const { input = process.stdin, output = process.stdout } = options;
  const print = (line: string) => output.write(`${line}\n`);
  const ended = Promise.withResolvers<number>();
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
  const desk = new Desk(createStore(), ports, {
    pick: (title, items) => pickByNumber(title, items, nextLine, print),
    themeName: () => "plain",
    setTheme: () => {},
    clearScreen: () => {},
    copy: null,
    leave: () => ended.resolve(LEFT),
    onAsked: () => void askFirst(),
    onEnd: () => {},
    onReturned: (text) => print(`Not sent: ${text}`),
  });

  let asked = 0;
  const askFirst = async (): Promise<void> => {
    const [question] = desk.store.get().questions;
    if (question === undefined || question.id === asked) return;
    asked = question.id;
    for (const line of plainQuestion(question)) print(line);
    const choices = choicesOf(question);
    const keys = choices.map(({ key }) => key).join(", ");
    const line = await nextLine(`Type ${keys}:`);
    const choice = choices.find(({ key }) => key === line.trim().toLowerCase());
    if (choice === undefined) asked = 0;
    else desk.questions.answer(choice.answer, await wordsFor(choice.answer, nextLine));
    await askFirst();
  };

  const printer = new Printer(print);
  desk.store.subscribe((state) => printer.show(state));
  const lines = createInterface({ input, terminal: false });
  lines.on("line", (line) => {
    const take = expected;
    expected = null;
    if (take !== null) take(line);
    else if (desk.store.get().questions.length > 0) typedAhead.push(line);
    else desk.submit(line);
  });
  lines.on("close", () => ended.resolve(LEFT));
  const onInterrupt = () => {
    if (!desk.stop()) ended.resolve(LEFT);
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onInterrupt);
  try {
    desk.open(options.session).then(() => {
      print("tunacode is ready. Type a prompt, or /help.");
      if (options.prompt !== undefined) desk.submit(options.prompt);
    }, ended.reject);
    return await ended.promise;
  } finally {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
    lines.close();
    await desk.close();
    const words = farewell(desk.store.get());
    if (words !== null) print(words);
  }
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
  items: readonly PickerItem[],
  nextLine: (words: string) => Promise<string>,
  print: (line: string) => void,
): Promise<string | null> {
  print(`${title}:`);
  for (const [index, { label, detail }] of items.entries()) print(`${index + 1}: ${label}. ${detail}`);
  const line = await nextLine("Type a number, or nothing to go back:");
  return items[Number(line.trim()) - 1]?.value ?? null;
}
