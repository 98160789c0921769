// Offers every key in turn to the pager, a question, a list, the app and the editor.

import { type Component, type KeyId, matchesKey } from "@earendil-works/pi-tui";
import { systemClock } from "../../base/clock.ts";
import { errorMessage } from "../../domain/error.ts";
import type { Answer, Front } from "../../front/contract.ts";
import type { Pickers } from "../pickers.ts";
import { type Choice, choicesOf, type Question } from "../state/question.ts";
import type { Store } from "../store.ts";
import { ALL_KEYS, type AppKey, type AppKeys } from "./app-keys.ts";
import type { PromptEditor } from "./prompt-editor.ts";

interface KeyRouterParts {
  readonly front: Front;
  readonly store: Store;
  readonly keys: AppKeys;
  readonly pickers: Pickers;
  readonly editor: PromptEditor;
  /** For the words that go with an answer. */
  readonly wordsEditor: PromptEditor;
  /** True: the pager is open and took the key. */
  readonly pagerKey: (data: string) => boolean;
  readonly act: Readonly<Record<AppKey, () => void>>;
}

/** A key in the middle of typing is not meant for a question that just appeared. */
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
      // A failure costs only this key.
      this.#parts.store.note(errorMessage(error), "error");
    }
  }

  /** The router draws nothing: frames come from the state. */
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
    return this.#parts.keys.matches(data, key);
  }

  #isEscape(data: string): boolean {
    return this.#is(data, "stop") || this.#is(data, "clear");
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
      this.#lastTyped = systemClock.now();
      editor.handleInput(data);
    }
  }

  #questionKey(data: string, question: Question): void {
    const { act, editor, store } = this.#parts;
    const choices = choicesOf(question);
    const move = matchesKey(data, "up") ? -1 : matchesKey(data, "down") || matchesKey(data, "tab") ? 1 : 0;
    if (this.#isEscape(data)) this.#choose(question, choices.at(-1));
    else if (this.#is(data, "unfold")) act.unfold();
    else if (systemClock.now() - this.#lastTyped < TYPING_PAUSE_MS) {
      this.#lastTyped = systemClock.now();
      if (!matchesKey(data, "enter")) editor.handleInput(data);
    } else if (move !== 0) {
      const selected = (question.selected + move + choices.length) % choices.length;
      store.change({ questions: store.get().questions.with(0, { ...question, selected }) });
    } else {
      const named = choices.find(({ key }) => matchesKey(data, key as KeyId));
      this.#choose(question, matchesKey(data, "enter") ? choices[question.selected] : named);
    }
  }

  #choose({ id: question }: Question, choice: Choice | undefined): void {
    if (choice === undefined) return;
    const { answer } = choice;
    if ("words" in answer && answer.words) {
      this.#pending = { question, answer };
      this.#parts.wordsEditor.setText("");
    } else this.#parts.front.send({ type: "answer", question, answer });
  }

  /** The question was settled elsewhere, so its half-written words move to the editor. */
  #keepWords(): void {
    this.#pending = null;
    const { editor, wordsEditor } = this.#parts;
    editor.putBefore(wordsEditor.getExpandedText());
    wordsEditor.setText("");
  }

  #wordsKey(data: string): void {
    if (this.#isEscape(data)) this.#pending = null;
    else this.#parts.wordsEditor.handleInput(data);
  }

  #sendWords(words: string): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) this.#parts.front.send({ type: "answer", ...pending, words });
  }
}
