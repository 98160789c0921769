// The text of a request on stdout as it comes. Texts of several responses are separated by a blank line. On a terminal
// control sequences are removed, and every other line for the person begins on a line of its own.
import { isBlank } from "../base/blank.ts";
import { TerminalTextStream } from "../base/terminal-text.ts";
import type { AgentEvent } from "../domain/event.ts";
import { INTERRUPTED, visibleText } from "../domain/message.ts";
import type { Console } from "./console.ts";

export interface Watcher {
  /** Text is about to be written. */
  readonly begins: () => void;
  /** The line is finished: something else may be shown. */
  readonly ends: () => void;
}

export class StreamedText {
  readonly #console: Console;
  readonly #watcher: Watcher;
  readonly #plain = new TerminalTextStream();
  /** What the current response has said so far is blank. */
  #isBlank = true;
  /** Blank text at its beginning, printed only if words follow. */
  #lead = "";
  #hasPrinted = false;
  /** The watcher was told that text is being written. */
  #isWriting = false;
  /** Line ends at the end of what was printed. */
  #lineEnds = 0;

  constructor(console: Console, watcher: Watcher) {
    this.#console = console;
    this.#watcher = watcher;
  }

  /** Rejects when the reader is gone. */
  async event(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case "text-delta":
        return this.#say(this.#safe(event.text));
      case "node-start":
        return this.#endResponse();
      case "message-end":
        if (event.message.kind === "request") return;
        await this.#unstreamed(visibleText(event.message));
        await this.#endResponse();
        if (this.#console.printsToTerminal) await this.#endLine();
        return;
      default:
    }
  }

  /** Before a line on stderr, which may be the same terminal. */
  interrupt(): void {
    const { printsToTerminal, drawsToTerminal, draw, print } = this.#console;
    if (!printsToTerminal) return;
    if (this.#isInLine) {
      this.#lineEnds = 1;
      if (drawsToTerminal) draw("\n");
      // A failure is reported by the next print.
      else print("\n").catch(() => {});
    }
    this.#pause();
  }

  async finish(): Promise<void> {
    await this.#endResponse();
    await this.#endLine();
    // Nothing may be left to print, but the caller has to know if printing has failed.
    await this.#console.print("");
  }

  get #isInLine(): boolean {
    return this.#hasPrinted && this.#lineEnds === 0;
  }

  /** An answer that came whole. The response that closes an aborted turn is no answer. */
  async #unstreamed(text: string): Promise<void> {
    if (this.#isBlank && !isBlank(text) && !text.startsWith(INTERRUPTED)) await this.#say(this.#safe(text));
  }

  async #endResponse(): Promise<void> {
    await this.#say(this.#plain.end());
    this.#isBlank = true;
    this.#lead = "";
  }

  async #endLine(): Promise<void> {
    if (this.#isInLine) await this.#print("\n");
    this.#pause();
  }

  #pause(): void {
    this.#isWriting = false;
    this.#watcher.ends();
  }

  #safe(text: string): string {
    return this.#console.printsToTerminal ? this.#plain.push(text) : text;
  }

  async #say(text: string): Promise<void> {
    if (!this.#isBlank) return this.#print(text);
    this.#lead += text;
    if (isBlank(this.#lead)) return;
    this.#isBlank = false;
    const words = this.#hasPrinted
      ? "\n".repeat(2 - this.#lineEnds) + this.#lead.replace(/^\s*\n/, "")
      : this.#lead;
    await this.#print(words);
  }

  async #print(text: string): Promise<void> {
    if (text === "") return;
    if (!this.#isWriting) this.#watcher.begins();
    this.#isWriting = true;
    this.#hasPrinted = true;
    const before = text === "\n" ? this.#lineEnds : 0;
    this.#lineEnds = text.endsWith("\n\n") ? 2 : Math.min(2, before + (text.endsWith("\n") ? 1 : 0));
    await this.#console.print(text);
  }
}
