// Writes the text of a running stream to the journal a few times a second, so that a crash costs the last moments of an
// answer and not all of it.
import type { Mask } from "../base/secrets.ts";

const WINDOW_MS = 250;

export class PartialText {
  readonly #write: (offset: number, text: string) => void;
  readonly #mask: Mask;
  #unwritten = "";
  #offset = 0;
  #windowStart = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(mask: Mask, write: (offset: number, text: string) => void) {
    this.#mask = mask;
    this.#write = write;
  }

  add(text: string): void {
    this.#unwritten += text;
    if (this.#timer === undefined) {
      this.#windowStart = performance.now();
      // Nobody waits for it, so it must not keep the process alive.
      this.#timer = setTimeout(() => this.#flush(), WINDOW_MS).unref();
    } else if (performance.now() - this.#windowStart >= WINDOW_MS) this.#flush();
  }

  /** A message is about to supersede the text, or another stream begins. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unwritten = "";
    this.#offset = 0;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The text may end in the middle of a key, and half a key would not be recognised.
    const ready = this.#unwritten.length - this.#mask.openEnd(this.#unwritten);
    const text = this.#mask(this.#unwritten.slice(0, ready));
    if (text === "") return;
    this.#unwritten = this.#unwritten.slice(ready);
    this.#write(this.#offset, text);
    this.#offset += text.length;
  }
}
