// Every key, in the order of who may want it: the pager, a question, a list, the app, the editor.
import { type Component, type KeyId, matchesKey } from "@earendil-works/pi-tui";
import type { Answer } from "../../front/contract.ts";
import type { Pickers } from "../pickers.ts";
import { choicesOf, escapeAnswer, type Question } from "../state/question.ts";
import type { Store } from "../store.ts";
import { ALL_KEYS, type AppKey, type AppKeys } from "./app-keys.ts";
import type { PromptEditor } from "./prompt-editor.ts";

export interface KeyRouterParts {
  readonly store: Store;
  readonly keys: AppKeys;
  readonly pickers: Pickers;
  readonly editor: PromptEditor;
  /** For the words that go with an answer. */
  readonly wordsEditor: PromptEditor;
  readonly answer: (question: number, answer: Answer, words?: string) => void;
  /** True: the pager is open and took the key. */
  readonly pagerKey: (data: string) => boolean;
  readonly act: Readonly<Record<AppKey, () => void>>;
  readonly onProblem: (error: unknown) => void;
  readonly now: () => number;
}

/** Someone in the middle of a sentence doesn't mean the question that just appeared. */
const TYPING_PAUSE_MS = 600;

export class KeyRouter implements Component {
  readonly #parts: KeyRouterParts;
  /** The answer that waits for words, and the question it answers. */
  #pending: { readonly question: number; readonly answer: Answer } | null = null;
  #lastTyped = 0;

  constructor(parts: KeyRouterParts) {
    this.#parts = parts;
    parts.wordsEditor.onSubmit = (words) => this.#sendWords(words);
  }

  get isWritingWords(): boolean {
    return this.#pending !== null && this.#pending.question === this.#parts.store.get().questions[0]?.id;
  }

  handleInput(data: string): void {
    try {
      this.#route(data);
    } catch (error) {
      // A key that fails costs that key.
      this.#parts.onProblem(error);
    }
  }

  /** It only routes: what is drawn comes from the state. */
  render(): string[] {
    return [];
  }

  invalidate(): void {}

  #route(data: string): void {
    const { store, pickers, pagerKey } = this.#parts;
    if (pagerKey(data)) return;
    if (store.get().hint !== "" && !this.#is(data, "clear")) store.change({ hint: "" });
    const [question] = store.get().questions;
    if (this.#pending !== null && !this.isWritingWords) this.#keepWords();
    if (this.#pending !== null) this.#wordsKey(data);
    else if (question !== undefined) this.#questionKey(data, question);
    else if (!pickers.handleKey(data)) this.#editorKey(data);
  }

  #is(data: string, key: AppKey): boolean {
    return this.#parts.keys(data, key);
  }

  #editorKey(data: string): void {
    const { editor, act } = this.#parts;
    const isCompleting = editor.isShowingAutocomplete();
    const key = ALL_KEYS.find((name) => this.#is(data, name));
    // While completions are shown, Escape closes them; in a line of text, Ctrl-D deletes.
    const isEditors =
      key === undefined || (key === "stop" && isCompleting) || (key === "leave" && editor.getText() !== "");
    if (!isEditors) act[key]();
    else {
      this.#lastTyped = this.#parts.now();
      editor.handleInput(data);
    }
  }

  #questionKey(data: string, question: Question): void {
    const { act, now, editor } = this.#parts;
    const choices = choicesOf(question);
    const move = matchesKey(data, "up") ? -1 : matchesKey(data, "down") || matchesKey(data, "tab") ? 1 : 0;
    if (this.#is(data, "stop") || this.#is(data, "clear")) this.#choose(question, escapeAnswer(question));
    else if (this.#is(data, "unfold")) act.unfold();
    else if (now() - this.#lastTyped < TYPING_PAUSE_MS) {
      this.#lastTyped = now();
      if (!matchesKey(data, "enter")) editor.handleInput(data);
    } else if (move !== 0)
      this.#select(question, (question.selected + move + choices.length) % choices.length);
    else {
      const choice = matchesKey(data, "enter")
        ? choices[question.selected]
        : choices.find(({ key }) => matchesKey(data, key as KeyId));
      if (choice !== undefined) this.#choose(question, choice.answer);
    }
  }

  #select(question: Question, selected: number): void {
    const [, ...rest] = this.#parts.store.get().questions;
    this.#parts.store.change({ questions: [{ ...question, selected }, ...rest] });
  }

  #choose({ id }: Question, answer: Answer): void {
    if ("words" in answer && answer.words) {
      this.#pending = { question: id, answer };
      this.#parts.wordsEditor.setText("");
    } else this.#parts.answer(id, answer);
  }

  /** The question was settled elsewhere: what was written about it is not lost. */
  #keepWords(): void {
    this.#pending = null;
    const { editor, wordsEditor } = this.#parts;
    editor.putBefore(wordsEditor.getExpandedText());
    wordsEditor.setText("");
  }

  #wordsKey(data: string): void {
    if (this.#is(data, "stop") || this.#is(data, "clear")) this.#pending = null;
    else this.#parts.wordsEditor.handleInput(data);
  }

  #sendWords(words: string): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) this.#parts.answer(pending.question, pending.answer, words);
  }
}
