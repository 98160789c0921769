// How much one response may still bring: far more than any model writes, but not so much that it fills the memory.

/** Characters of text, and as many of thoughts. */
const MOST_TEXT = 1_000_000;
/** Characters of all calls together. */
const MOST_OF_CALLS = 4_000_000;
/** What a call counts for besides its name and arguments, so that there are at most a thousand. */
const CALL_CHARACTERS = 4_000;

export class ResponseRoom {
  readonly #left = { text: MOST_TEXT, thinking: MOST_TEXT };
  #leftForCalls = MOST_OF_CALLS;
  #full: "text" | "calls" | undefined;

  /** What there was too much of. */
  get full(): "text" | "calls" | undefined {
    return this.#full;
  }

  /** The part of a text that still fits. */
  fit(kind: "text" | "thinking", text: string): string {
    const left = this.#left[kind];
    this.#left[kind] -= Math.min(left, text.length);
    if (text.length <= left) return text;
    this.#full ??= "text";
    // The cut may have split a character.
    return text.slice(0, left).toWellFormed();
  }

  takeCall(id: string, toolName: string): void {
    this.takeArguments(id.length + toolName.length + CALL_CHARACTERS);
  }

  takeArguments(characters: number): void {
    this.#leftForCalls -= characters;
    if (this.#leftForCalls < 0) this.#full ??= "calls";
  }
}
