// Cuts an answer, as it streams in, into blocks that can't change any more: paragraphs, list items, pieces of code.
// A closed block is drawn once and for all; only the open one is drawn again with each delta.

export type Block = { readonly type: "prose"; readonly text: string; readonly gap: boolean } | CodeBlock;

/** Long code comes in pieces: only the first has the opening line, only the last the closing one. */
export interface CodeBlock {
  readonly type: "code";
  readonly language: string;
  readonly text: string;
  readonly gap: boolean;
  readonly opens: boolean;
  readonly closes: boolean;
  readonly indent: number;
}

/** The text of the block that is still open. gap: a blank line comes before it. */
export interface OpenText {
  readonly text: string;
  readonly gap: boolean;
  readonly fence: Fence | null;
}

interface Fence {
  readonly marker: string;
  readonly language: string;
  readonly indent: number;
  /** The opening line belongs to a piece that is closed already. */
  readonly opened: boolean;
}

export const NO_TEXT: OpenText = { text: "", gap: false, fence: null };

const MAX_PROSE_LINES = 100;
const MAX_CODE_LINES = 50;
const FENCE = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const HALF_FENCE = /^\s*[`~]+[^\s`~]*$/;
const HEADING = /^#{1,6}\s/;
const BULLET = /^[-*+]\s/;
const NUMBERED = /^\d{1,9}[.)]\s/;

export function feedText(open: OpenText, delta: string): { closed: readonly Block[]; open: OpenText } {
  const text = open.text + delta;
  if (!delta.includes("\n") && !open.text.endsWith("\n")) return { closed: [], open: { ...open, text } };
  const lines = text.split("\n");
  const partial = lines.pop() ?? "";
  const scan = new Scan(open);
  for (const line of lines) scan.take(line);
  scan.foresee(partial);
  return { closed: scan.closed, open: scan.rest(partial) };
}

/** The answer is over: what is left becomes blocks too. */
export function finishText(open: OpenText): readonly Block[] {
  const { closed, open: rest } = feedText(open, "\n");
  const last = rest.fence === null ? proseBlock(rest) : { ...codeBlock(rest, rest.fence), closes: true };
  return last === null ? closed : [...closed, last];
}

export function blocksOf(text: string): readonly Block[] {
  return finishText({ ...NO_TEXT, text });
}

/** The open block as it can be drawn now, without a line that may still turn into a fence. */
export function shownBlock(open: OpenText): Block | null {
  const cut = open.text.lastIndexOf("\n") + 1;
  const last = open.text.slice(cut);
  const isHidden = open.fence === null ? HALF_FENCE.test(last) : isPartOfClosing(last, open.fence);
  const shown = isHidden ? { ...open, text: open.text.slice(0, Math.max(0, cut - 1)) } : open;
  return shown.fence === null ? proseBlock(shown) : codeBlock(shown, shown.fence);
}

class Scan {
  readonly closed: Block[] = [];
  #lines: string[] = [];
  #gap: boolean;
  #fence: Fence | null;

  constructor(open: OpenText) {
    this.#gap = open.gap;
    this.#fence = open.fence;
  }

  take(line: string): void {
    if (this.#fence !== null) this.#takeCode(line, this.#fence);
    else this.#takeProse(line);
  }

  /** After a blank line, the first character of the next line tells whether the block is over. */
  foresee(partial: string): void {
    if (this.#fence !== null || this.#lines.at(-1) !== "" || partial.trim() === "") return;
    if (this.#isNewBlock(partial)) this.#close();
  }

  rest(partial: string): OpenText {
    return { text: [...this.#lines, partial].join("\n"), gap: this.#gap, fence: this.#fence };
  }

  #takeCode(line: string, fence: Fence): void {
    if (isClosing(line, fence)) {
      this.closed.push({ ...codeBlock(this.rest(""), fence), closes: true });
      this.#start(null, true);
      return;
    }
    this.#lines.push(line);
    if (this.#lines.length < MAX_CODE_LINES) return;
    this.closed.push(codeBlock(this.rest(""), fence));
    this.#start({ ...fence, opened: true }, false);
  }

  #takeProse(line: string): void {
    const fence = FENCE.exec(line);
    if (fence !== null) {
      this.#close();
      const [, indent = "", marker = "", language = ""] = fence;
      this.#fence = { marker, language, indent: indent.length, opened: false };
      return;
    }
    if (line.trim() === "") {
      if (this.#lines.length === 0) this.#gap = true;
      else this.#lines.push("");
      return;
    }
    if (this.#lines.length > 0 && this.#isNewBlock(line)) this.#close();
    this.#lines.push(line);
    if (HEADING.test(line)) {
      this.#close();
      this.#gap = true;
    } else if (this.#lines.length >= MAX_PROSE_LINES) this.#close();
  }

  #isNewBlock(line: string): boolean {
    const first = this.#lines[0] ?? "";
    const isInList = BULLET.test(first) || NUMBERED.test(first);
    // After a blank line an indented one still belongs to its list item.
    if (this.#lines.at(-1) === "") return !(isInList && /^\s/.test(line));
    if (HEADING.test(line) || BULLET.test(line)) return true;
    return NUMBERED.test(line) && (isInList || /^1[.)]/.test(line));
  }

  #close(): void {
    const block = proseBlock(this.rest(""));
    const endsBlank = this.#lines.at(-1) === "";
    if (block !== null) this.closed.push(block);
    this.#start(null, block === null ? this.#gap : endsBlank);
  }

  #start(fence: Fence | null, gap: boolean): void {
    this.#lines = [];
    this.#fence = fence;
    this.#gap = gap;
  }
}

function proseBlock({ text, gap }: OpenText): Block | null {
  return text.trim() === "" ? null : { type: "prose", text: text.trimEnd(), gap };
}

function codeBlock({ text, gap }: OpenText, fence: Fence): CodeBlock {
  const { language, indent, opened } = fence;
  const code = indent === 0 ? text : text.split("\n").map(dedent(indent)).join("\n");
  return {
    type: "code",
    language,
    text: code.replace(/\n$/, ""),
    gap: gap && !opened,
    opens: !opened,
    closes: false,
    indent,
  };
}

function dedent(indent: number): (line: string) => string {
  return (line) => line.slice(Math.min(indent, line.length - line.trimStart().length));
}

function isClosing(line: string, { marker }: Fence): boolean {
  const text = line.trim();
  return text.length >= marker.length && text === (marker[0] ?? "").repeat(text.length);
}

function isPartOfClosing(line: string, { marker }: Fence): boolean {
  const text = line.trim();
  return text !== "" && text === (marker[0] ?? "").repeat(text.length);
}
