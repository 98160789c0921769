// A terminal emulator in memory, which shows what a person would see.
import { Terminal } from "@xterm/headless";
import type { ScreenTerminal } from "../../src/tui/screen/inline-screen.ts";

/** The only replies of the emulator that the app relies on. */
const CURSOR_POSITION = /\[\d+;\d+R$/;

export class VirtualTerminal implements ScreenTerminal {
  readonly emulator: Terminal;
  /** Everything that was written, for checks of the bytes themselves. */
  written = "";
  /** The number of characters written. */
  count = 0;
  isStarted = false;
  #onInput: (data: string) => void = () => {};
  #onResize: () => void = () => {};

  readonly #isSilent: boolean;
  #awaited: { readonly text: string; readonly resolve: (at: number) => void } | null = null;

  /** `isSilent` keeps and shows nothing, for measurements. */
  constructor(columns = 80, rows = 24, isSilent = false) {
    this.#isSilent = isSilent;
    this.emulator = new Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true });
    this.emulator.onData((data) => {
      if (CURSOR_POSITION.test(data)) this.#onInput(data);
    });
  }

  get columns(): number {
    return this.emulator.cols;
  }

  get rows(): number {
    return this.emulator.rows;
  }

  get kittyProtocolActive(): boolean {
    return false;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.isStarted = true;
    this.#onInput = onInput;
    this.#onResize = onResize;
  }

  stop(): void {
    this.isStarted = false;
    this.#onInput = () => {};
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.count += data.length;
    if (this.#awaited !== null && data.includes(this.#awaited.text)) {
      this.#awaited.resolve(performance.now());
      this.#awaited = null;
    }
    if (this.#isSilent) return;
    this.written += data;
    this.emulator.write(data);
  }

  /** Resolves when this text is written next. */
  nextWrite(text: string): Promise<number> {
    return new Promise((resolve) => {
      this.#awaited = { text, resolve };
    });
  }

  /** One key, or a whole paste, as the terminal would send it. */
  input(data: string): void {
    this.#onInput(data);
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows);
    this.#onResize();
  }

  /** The visible rows, without trailing spaces. */
  async screen(): Promise<string[]> {
    await this.settled();
    return this.#lines(this.emulator.buffer.active.baseY, this.rows);
  }

  /** Scrollback and screen. */
  async everything(): Promise<string[]> {
    await this.settled();
    const { baseY } = this.emulator.buffer.active;
    return this.#lines(0, baseY + this.rows);
  }

  /** Waits until the emulator, which works in slices, has parsed everything. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.emulator.write("", resolve));
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\u001b[${lines}B` : `\u001b[${-lines}A`);
  }

  hideCursor(): void {
    this.write("\u001b[?25l");
  }

  showCursor(): void {
    this.write("\u001b[?25h");
  }

  clearLine(): void {
    this.write("\u001b[K");
  }

  clearFromCursor(): void {
    this.write("\u001b[J");
  }

  clearScreen(): void {
    this.write("\u001b[2J\u001b[H");
  }

  setTitle(title: string): void {
    this.write(`\u001b]0;${title}\u0007`);
  }

  setProgress(): void {}

  #lines(from: number, count: number): string[] {
    const buffer = this.emulator.buffer.active;
    return Array.from(
      { length: count },
      (_, row) => buffer.getLine(from + row)?.translateToString(true) ?? "",
    );
  }
}
