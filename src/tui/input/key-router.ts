// Offers every key in turn to the pager, a question, a list, the app and the editor.

import { type Component, isKeyRepeat } from "@earendil-works/pi-tui";
import type { Clock } from "../../base/clock.ts";
import { errorMessage } from "../../domain/error.ts";
import type { Answer, Front, Preview } from "../../front/contract.ts";
import type { Pickers } from "../pickers.ts";
import type { Choice, Question } from "../state/question.ts";
import type { Store } from "../store.ts";
import { ALL_KEYS, type AppKey, type AppKeys } from "./app-keys.ts";
import type { PromptEditor } from "./prompt-editor.ts";
import { QuestionKeys } from "./question-keys.ts";

interface KeyRouterParts {
  readonly clock: Clock;
  readonly front: Front;
  readonly store: Store;
  readonly keys: AppKeys;
  readonly pickers: Pickers;
  readonly editor: PromptEditor;
  /** For the words that go with an answer. */
  readonly wordsEditor: PromptEditor;
  /** True: the pager is open and took the key. */
  readonly pagerKey: (data: string) => boolean;
  readonly showWhole: (preview: Preview) => void;
  readonly act: Readonly<Record<AppKey, () => void>>;
}

const ESCAPE_TWICE = "\u001b\u001b";
/** What these keys do beside a question. */
const BESIDE_A_QUESTION: readonly AppKey[] = ["unfold", "nextMode", "queue", "redraw", "suspend"];

export class KeyRouter implements Component {
  readonly #parts: KeyRouterParts;
  /** The answer that waits for words, and the question it answers. */
  #pending: { readonly question: number; readonly answer: Answer } | null = null;
  readonly #questionKeys: QuestionKeys;

  constructor(parts: KeyRouterParts) {
    this.#parts = parts;
    const { clock, store, editor } = parts;
    const choose = (question: Question, choice: Choice) => this.#choose(question, choice);
    this.#questionKeys = new QuestionKeys({ clock, store, editor, choose });
    parts.wordsEditor.onSubmit = (words) => this.#sendWords(words);
  }

  get isWritingWords(): boolean {
    return this.#pending !== null && this.#pending.question === this.#parts.store.get().questions[0]?.id;
  }

  handleInput(data: string): void {
    try {
      // Two that arrive together are read as one key.
      for (const key of data === ESCAPE_TWICE ? data : [data]) this.#route(key);
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
    this.#questionKeys.giveBackUnless(question?.id);
    if (this.#pending !== null && !this.isWritingWords) this.#keepWords();
    if (this.#pending !== null) this.#wordsKey(data);
    else if (question !== undefined) this.#questionKey(data, question);
    else if (this.#unfoldsPreview(data)) return;
    else if (pickers.handleKey(data)) this.#questionKeys.typed();
    else this.#editorKey(data);
  }

  #is(data: string, key: AppKey): boolean {
    return this.#parts.keys.matches(data, key);
  }

  #isEscape(data: string): boolean {
    return this.#is(data, "stop") || this.#is(data, "clear");
  }

  /** Only a part of a long diff fits below a list. */
  #unfoldsPreview(data: string): boolean {
    const { store, showWhole } = this.#parts;
    const preview = store.get().picker?.preview;
    if (preview?.diff === undefined || !this.#is(data, "unfold")) return false;
    showWhole(preview);
    return true;
  }

  #editorKey(data: string): void {
    const { editor, act } = this.#parts;
    const isCompleting = editor.isShowingAutocomplete();
    const key = ALL_KEYS.find((name) => this.#is(data, name));
    // While completions are shown, Escape closes them; in a line of text, Ctrl-D deletes.
    const isEditors =
      key === undefined || (key === "stop" && isCompleting) || (key === "leave" && editor.getText() !== "");
    // One that is held down is not pressed twice.
    if (key === "stop" && isKeyRepeat(data)) return;
    if (!isEditors) act[key]();
    else {
      this.#questionKeys.typed();
      editor.handleInput(data);
    }
  }

  #questionKey(data: string, question: Question): void {
    const { act, editor } = this.#parts;
    const beside = BESIDE_A_QUESTION.find((key) => this.#is(data, key));
    if (this.#isEscape(data)) this.#questionKeys.escape(question);
    else if (beside === undefined) this.#questionKeys.take(data, question);
    else {
      this.#questionKeys.giveBackUnless(undefined);
      if (beside !== "queue" || editor.getText() !== "") act[beside]();
    }
  }

  #choose({ id: question }: Question, { answer }: Choice): void {
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
    else {
      this.#questionKeys.typed();
      this.#parts.wordsEditor.handleInput(data);
    }
  }

  #sendWords(words: string): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) this.#parts.front.send({ type: "answer", ...pending, words });
  }
}
