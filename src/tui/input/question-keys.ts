// Which keys answer a question. Someone may be typing when it appears, or begin to, and their words must not answer it:
// a letter counts only after a pause, and only if no other key follows it at once. All other text goes to the editor.
import { isKeyRepeat, type KeyId, matchesKey } from "@earendil-works/pi-tui";
import type { Clock } from "../../base/clock.ts";
import { type Choice, choicesOf, type Question } from "../state/question.ts";
import type { Store } from "../store.ts";
import type { PromptEditor } from "./prompt-editor.ts";

interface QuestionKeysParts {
  readonly clock: Clock;
  readonly store: Store;
  readonly editor: PromptEditor;
  readonly choose: (question: Question, choice: Choice) => void;
}

interface HeldKey {
  readonly question: number;
  readonly choice: Choice;
  readonly data: string;
  /** What was selected before it was pressed. */
  readonly selected: number;
}

/** No letter counts for so long after a key that was text. */
const TYPING_PAUSE_MS = 600;
/** After a blank, the next word is still to come. */
const PAUSE_BETWEEN_WORDS_MS = 3_000;
/** A letter counts if no key follows it for so long, which is what slow typing takes from one to the next. */
const ALONE_MS = 480;
/** The same where more depends on it, or where it may well be the beginning of a word. */
const LONGER_ALONE_MS = 800;
const READ_MS = 20;
/** Nobody has read a question that appeared so shortly before. */
const UNREAD_MS = 300;
const RECENTLY_MS = 5_000;

export class QuestionKeys {
  readonly #parts: QuestionKeysParts;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** The question that is shown, and since when. */
  #shown = { question: 0, since: 0 };
  #held: HeldKey | null = null;
  /** Since the last text, the person has moved to a choice. */
  #hasMoved = false;
  #isWaiting = false;

  constructor(parts: QuestionKeysParts) {
    this.#parts = parts;
    parts.store.subscribe(({ questions: [first] }) => {
      if (first === undefined || first.id === this.#shown.question) return;
      this.#shown = { question: first.id, since: parts.clock.now() };
      this.#hasMoved = false;
      this.#tellTyping();
    });
  }

  /** The person has typed a key of text. */
  typed(): void {
    this.#typedAt = this.#parts.clock.now();
  }

  /** A letter that waited for a question which is gone is text again. */
  giveBackUnless(question: number | undefined): void {
    if (this.#held !== null && this.#held.question !== question) this.#takeHeldAsText();
  }

  /** The last choice at once. */
  escape(question: Question): void {
    this.#held = null;
    this.#choose(question, choicesOf(question).length - 1);
  }

  take(data: string, question: Question): void {
    const isEnter = matchesKey(data, "enter");
    if (this.#held !== null) {
      if (isEnter) this.#answerHeld(this.#held);
      else if (!isKeyRepeat(data)) {
        this.#takeHeldAsText();
        this.#takeAsText(data);
      }
      return;
    }
    const move = matchesKey(data, "up") ? -1 : matchesKey(data, "down") || matchesKey(data, "tab") ? 1 : 0;
    const turn = matchesKey(data, "pageUp") ? -1 : matchesKey(data, "pageDown") ? 1 : 0;
    const choices = choicesOf(question);
    const named = choices.findIndex(({ key }) => matchesKey(data, key as KeyId));
    const isSending = isEnter && this.#parts.editor.getText() !== "" && !this.#hasMoved;
    if (turn !== 0) this.#change(question, { page: question.page + turn });
    else if (this.#isTyping() || isSending) this.#takeAsText(data);
    else if (move !== 0) {
      this.#hasMoved = true;
      this.#change(question, { selected: (question.selected + move + choices.length) % choices.length });
    } else if (isEnter) this.#choose(question, question.selected);
    else if (named >= 0) this.#hold(data, question, named);
    else this.#takeAsText(data);
  }

  #isTyping(): boolean {
    return this.#parts.clock.now() < this.#typedAt + this.#pause();
  }

  #pause(): number {
    return /\s$/.test(this.#parts.editor.getText()) ? PAUSE_BETWEEN_WORDS_MS : TYPING_PAUSE_MS;
  }

  #takeAsText(data: string): void {
    const { editor } = this.#parts;
    this.typed();
    this.#hasMoved = false;
    // In an empty editor, Enter is part of what was typed before.
    if (editor.getText() !== "" || !matchesKey(data, "enter")) editor.handleInput(data);
    this.#tellTyping();
  }

  #hold(data: string, question: Question, index: number): void {
    const { clock } = this.#parts;
    const choice = choicesOf(question)[index];
    if (choice === undefined) return;
    const held = { question: question.id, choice, data, selected: question.selected };
    this.#held = held;
    // It is seen at once that the key was taken.
    this.#change(question, { selected: index });
    const isCalm = clock.now() - this.#shown.since >= UNREAD_MS && clock.now() - this.#typedAt >= RECENTLY_MS;
    const isPlain = choice.key === "y" || choice.key === "n";
    this.#answerLater(held, isCalm && isPlain ? ALONE_MS : LONGER_ALONE_MS);
  }

  async #answerLater(held: HeldKey, ms: number): Promise<void> {
    const { clock } = this.#parts;
    await clock.sleep(ms - READ_MS);
    // If the machine was busy, a key that came in time may not have been read yet.
    await clock.sleep(READ_MS);
    if (this.#held === held) this.#answerHeld(held);
  }

  #answerHeld({ question, choice }: HeldKey): void {
    this.#held = null;
    const [shown] = this.#parts.store.get().questions;
    if (shown?.id === question) this.#parts.choose(shown, choice);
  }

  #takeHeldAsText(): void {
    const held = this.#held;
    this.#held = null;
    if (held === null) return;
    const [shown] = this.#parts.store.get().questions;
    if (shown?.id === held.question) this.#change(shown, { selected: held.selected });
    this.#takeAsText(held.data);
  }

  #choose(question: Question, index: number): void {
    const choice = choicesOf(question)[index];
    if (choice !== undefined) this.#parts.choose(question, choice);
  }

  /** Says that letters are text now, until they are not. */
  #tellTyping(): void {
    const { store, clock } = this.#parts;
    const [shown] = store.get().questions;
    if (shown === undefined) return;
    const isTyping = this.#isTyping();
    if (shown.isTyping !== isTyping) this.#change(shown, { isTyping });
    if (!isTyping || this.#isWaiting) return;
    this.#isWaiting = true;
    clock.sleep(this.#typedAt + this.#pause() - clock.now() + 1).then(() => {
      this.#isWaiting = false;
      this.#tellTyping();
    });
  }

  #change(question: Question, changes: Partial<Pick<Question, "selected" | "page" | "isTyping">>): void {
    const { store } = this.#parts;
    const { questions } = store.get();
    if (questions[0]?.id === question.id)
      store.change({ questions: questions.with(0, { ...questions[0], ...changes }) });
  }
}
