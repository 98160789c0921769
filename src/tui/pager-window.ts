// The pager over the conversation: opened with Ctrl-O, closed with Escape; below it the request goes on.
import type { Terminal } from "@earendil-works/pi-tui";
import { plural } from "../base/numbers.ts";
import type { InlineScreen } from "./screen/inline-screen.ts";
import { Pager } from "./screen/pager.ts";
import { type EntryBody, hasGap, type TranscriptEntry } from "./state/entry.ts";
import { replay } from "./state/replay.ts";
import type { Store } from "./store.ts";
import { entryView } from "./view/entry.ts";
import type { Look } from "./view/look.ts";
import { questionView } from "./view/question.ts";

export interface PagerWindowParts {
  readonly terminal: Terminal;
  readonly screen: InlineScreen;
  readonly store: Store;
  readonly look: Look;
}

export class PagerWindow {
  readonly #parts: PagerWindowParts;
  #pager: Pager | null = null;
  #size = "";
  #drawnSize = "";

  constructor(parts: PagerWindowParts) {
    this.#parts = parts;
  }

  open(): void {
    const { terminal, screen, look } = this.#parts;
    const pieces = this.#pieces();
    screen.pause(() => this.#follow());
    this.#size = this.#terminalSize();
    this.#drawnSize = this.#size;
    this.#pager = new Pager(terminal, {
      count: pieces.length,
      draw: (index, width) => pieces[index]?.(width) ?? [],
      paintBar: (text) => look.theme.selected(text),
    });
    this.#pager.open();
  }

  close(): void {
    if (this.#pager === null) return;
    this.#pager.close();
    this.#pager = null;
    // A terminal that was resized meanwhile has re-wrapped the screen below.
    this.#parts.screen.unpause(this.#size !== this.#terminalSize());
  }

  handleKey(data: string): boolean {
    if (this.#pager === null) return false;
    if (this.#pager.handleKey(data)) this.close();
    return true;
  }

  /** The conversation goes on below; only a new size matters here. */
  #follow(): void {
    if (this.#drawnSize === this.#terminalSize()) return;
    this.#drawnSize = this.#terminalSize();
    this.#pager?.draw();
  }

  #terminalSize(): string {
    const { columns, rows } = this.#parts.terminal;
    return `${columns}x${rows}`;
  }

  #pieces(): ((width: number) => string[])[] {
    const { store, look } = this.#parts;
    const { transcript, questions, earlier, descriptions } = store.get();
    const replayed = replay(earlier, descriptions);
    const older = numbered([...replayed, ...forgotten(transcript.dropped)]);
    const [question] = questions;
    const draw = (entry: TranscriptEntry) => (width: number) => entryView(entry, look.canvas(width, true));
    return [
      ...older.map(draw),
      ...transcript.done.map(draw),
      ...transcript.live.map(draw),
      ...(question === undefined
        ? []
        : [(width: number) => questionView(question, look.canvas(width, true), Number.POSITIVE_INFINITY, 0)]),
    ];
  }
}

function forgotten(count: number): EntryBody[] {
  if (count === 0) return [];
  const text = `${plural(count, "older part")} of this conversation: in the scrollback, and in the session's files.`;
  return [{ kind: "notice", tone: "quiet", text }];
}

function numbered(bodies: readonly EntryBody[]): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (const body of bodies)
    entries.push({ ...body, id: -entries.length, gap: hasGap(entries.at(-1), body) });
  return entries;
}
