// Long text with nothing folded, on the terminal's second screen: the whole conversation (Ctrl-O), or what changed.
// Below it the request goes on. Only what is visible is drawn, so its cost doesn't grow with the text.
import { type KeyId, matchesKey, type Terminal } from "@earendil-works/pi-tui";
import { plural } from "../base/numbers.ts";
import type { AppKeys } from "./input/app-keys.ts";
import type { InlineScreen } from "./screen/inline-screen.ts";
import { drawn } from "./screen/line-update.ts";
import {
  AUTO_WRAP_OFF,
  AUTO_WRAP_ON,
  BEGIN_UPDATE,
  END_UPDATE,
  ENTER_PAGER,
  HIDE_CURSOR,
  LEAVE_PAGER,
} from "./screen/terminal-modes.ts";
import { type EntryBody, withGaps } from "./state/entry.ts";
import { replay } from "./state/replay.ts";
import type { Store } from "./store.ts";
import { entryView } from "./view/entry.ts";
import type { Canvas, Look } from "./view/look.ts";
import { questionView } from "./view/question.ts";
import { fit, pad } from "./view/text.ts";

interface PagerParts {
  readonly terminal: Terminal;
  readonly screen: InlineScreen;
  readonly store: Store;
  readonly look: Look;
}

/** Drawn when it comes into sight. */
type Piece = (canvas: Canvas) => readonly string[];

interface Place {
  readonly piece: number;
  readonly line: number;
}

const BEGINNING: Place = { piece: 0, line: 0 };
const HELP = "↑↓ PgUp PgDn Home End · Esc closes";

export class Pager {
  readonly #parts: PagerParts;
  #isOpen = false;
  #pieces: readonly Piece[] = [];
  #drawn = new Map<number, readonly string[]>();
  /** The last visible line. */
  #bottom: Place = BEGINNING;
  #sizeBefore = "";
  #drawnSize = "";

  constructor(parts: PagerParts) {
    this.#parts = parts;
  }

  /** The newest comes last and is seen first. */
  openConversation(): void {
    this.open(this.#conversation(), "end");
  }

  open(pieces: readonly Piece[], from: "beginning" | "end" = "beginning"): void {
    const { terminal, screen } = this.#parts;
    this.#isOpen = true;
    this.#pieces = pieces;
    this.#sizeBefore = this.#size();
    this.#drawnSize = "";
    this.#bottom = from === "end" ? this.#end() : BEGINNING;
    // The conversation goes on below; here only a new size matters.
    screen.pause(() => {
      if (this.#drawnSize !== this.#size()) this.#draw();
    });
    terminal.write(ENTER_PAGER);
    this.#draw();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#parts.terminal.write(LEAVE_PAGER);
    // A terminal that was resized meanwhile has re-wrapped the screen below.
    this.#parts.screen.unpause(this.#sizeBefore !== this.#size());
  }

  /** True: the pager is open and took the key. */
  handleKey(data: string, { matches }: AppKeys): boolean {
    if (!this.#isOpen) return false;
    const isOneOf = (...keys: readonly KeyId[]) => keys.some((key) => matchesKey(data, key));
    const page = Math.max(1, this.#rows() - 2);
    if (matches(data, "unfold") || isOneOf("escape", "q", "ctrl+c")) {
      this.close();
      return true;
    }
    if (isOneOf("up", "k")) this.#move(-1);
    else if (isOneOf("down", "j")) this.#move(1);
    else if (isOneOf("pageUp", "ctrl+b")) this.#move(-page);
    else if (isOneOf("pageDown", "space")) this.#move(page);
    else if (isOneOf("home", "g")) this.#bottom = BEGINNING;
    else if (isOneOf("end", "shift+g")) this.#bottom = this.#end();
    this.#draw();
    return true;
  }

  #draw(): void {
    const { terminal, look } = this.#parts;
    const { columns: width } = terminal;
    if (this.#drawnSize !== this.#size()) this.#drawn = new Map();
    this.#drawnSize = this.#size();
    const rows = this.#rows();
    this.#bottom = this.#clamp(this.#bottom);
    const lines = this.#linesUpTo(this.#bottom);
    const share = Math.round(((this.#bottom.piece + 1) / Math.max(1, this.#pieces.length)) * 100);
    const bar = look.theme.selected(pad(fit(` ${HELP} · ${share}%`, width), width));
    const screen = [...lines, ...new Array<string>(rows - lines.length).fill(""), bar];
    const body = screen.map((line) => drawn(fit(line, width), width)).join("\r\n");
    terminal.write(
      `${BEGIN_UPDATE}${HIDE_CURSOR}\u001b[H${AUTO_WRAP_OFF}${body}${AUTO_WRAP_ON}${END_UPDATE}`,
    );
  }

  #size(): string {
    const { columns, rows } = this.#parts.terminal;
    return `${columns}x${rows}`;
  }

  #rows(): number {
    return Math.max(1, this.#parts.terminal.rows - 1);
  }

  #end(): Place {
    return { piece: this.#pieces.length - 1, line: Number.POSITIVE_INFINITY };
  }

  #piece(index: number): readonly string[] {
    const known = this.#drawn.get(index);
    if (known !== undefined) return known;
    const { terminal, look, store } = this.#parts;
    const lines = this.#pieces[index]?.(look.canvas(terminal.columns, store.get().keys, true)) ?? [];
    this.#drawn.set(index, lines);
    return lines;
  }

  #linesUpTo({ piece, line }: Place): string[] {
    const rows = this.#rows();
    const lines: string[] = [];
    for (let index = piece; index >= 0 && lines.length < rows; index--) {
      const whole = this.#piece(index);
      lines.unshift(...(index === piece ? whole.slice(0, line + 1) : whole));
    }
    return lines.slice(-rows);
  }

  #move(count: number): void {
    let { piece, line } = this.#clamp(this.#bottom);
    line += count;
    while (line < 0 && piece > 0) line += this.#piece(--piece).length;
    while (line >= this.#piece(piece).length && piece < this.#pieces.length - 1) {
      line -= this.#piece(piece).length;
      piece++;
    }
    this.#bottom = { piece, line };
  }

  /** Moves down until the screen is full, if there is enough text. */
  #clamp({ piece, line }: Place): Place {
    let place: Place = {
      piece: Math.max(0, piece),
      line: Math.max(0, Math.min(line, this.#piece(piece).length - 1)),
    };
    let missing = this.#rows() - this.#linesUpTo(place).length;
    while (missing > 0) {
      const left = this.#piece(place.piece).length - 1 - place.line;
      if (left >= missing) return { ...place, line: place.line + missing };
      if (place.piece >= this.#pieces.length - 1) return { ...place, line: place.line + left };
      missing -= left;
      place = { piece: place.piece + 1, line: -1 };
    }
    return place;
  }

  #conversation(): readonly Piece[] {
    const { transcript, questions, earlier, descriptions, entriesLeft } = this.#parts.store.get();
    const { done, live, dropped } = transcript;
    const older = withGaps([...replay(earlier, descriptions), ...forgotten(dropped - entriesLeft)]);
    const newer = done.slice(Math.max(0, entriesLeft - dropped));
    const entries = [...older, ...newer, ...live].map(
      (entry): Piece =>
        (canvas) =>
          entryView(entry, canvas),
    );
    const asked = questions.slice(0, 1).map(
      (question): Piece =>
        (canvas) =>
          questionView(question, canvas, { rows: Number.POSITIVE_INFINITY, of: 1 }),
    );
    return [...entries, ...asked];
  }
}

function forgotten(count: number): EntryBody[] {
  if (count <= 0) return [];
  const text = `${plural(count, "older part")} of this conversation: in the scrollback, and in the session's files.`;
  return [{ kind: "notice", tone: "quiet", text }];
}
