// The whole conversation with nothing folded, on the terminal's second screen. Only what is visible is drawn, so
// its cost doesn't grow with the conversation.
import { matchesKey, type Terminal } from "@earendil-works/pi-tui";
import { fit, pad } from "../view/text.ts";
import { drawn } from "./line-update.ts";
import {
  AUTO_WRAP_OFF,
  AUTO_WRAP_ON,
  BEGIN_UPDATE,
  END_UPDATE,
  ENTER_PAGER,
  HIDE_CURSOR,
  LEAVE_PAGER,
} from "./terminal-modes.ts";

/** Pieces of text by number, the newest last; each is drawn when it comes into sight. */
export interface PagerContent {
  readonly count: number;
  readonly draw: (index: number, width: number) => readonly string[];
  readonly paintBar: (text: string) => string;
}

const HELP = "↑↓ PgUp PgDn Home End · Esc closes";

export class Pager {
  readonly #terminal: Terminal;
  readonly #content: PagerContent;
  /** The last visible line: a piece, and a line in it. */
  #bottom: Place;
  #drawn = new Map<number, readonly string[]>();
  #width = 0;

  constructor(terminal: Terminal, content: PagerContent) {
    this.#terminal = terminal;
    this.#content = content;
    this.#bottom = { piece: content.count - 1, line: Number.POSITIVE_INFINITY };
  }

  open(): void {
    this.#terminal.write(ENTER_PAGER);
    this.draw();
  }

  close(): void {
    this.#terminal.write(LEAVE_PAGER);
  }

  /** True: it wants to be closed. */
  handleKey(data: string): boolean {
    const page = Math.max(1, this.#rows() - 2);
    if (["escape", "q", "ctrl+c", "ctrl+o"].some((key) => matchesKey(data, key as "q"))) return true;
    if (matchesKey(data, "up") || matchesKey(data, "k")) this.#move(-1);
    else if (matchesKey(data, "down") || matchesKey(data, "j")) this.#move(1);
    else if (matchesKey(data, "pageUp") || matchesKey(data, "ctrl+b")) this.#move(-page);
    else if (matchesKey(data, "pageDown") || matchesKey(data, "space")) this.#move(page);
    else if (matchesKey(data, "home") || matchesKey(data, "g")) this.#moveToTop();
    else if (matchesKey(data, "end") || matchesKey(data, "shift+g"))
      this.#bottom = { piece: this.#content.count - 1, line: Number.POSITIVE_INFINITY };
    this.draw();
    return false;
  }

  draw(): void {
    const { columns: width } = this.#terminal;
    if (width !== this.#width) this.#drawn = new Map();
    this.#width = width;
    const rows = this.#rows();
    this.#bottom = this.#clamp(this.#bottom, rows);
    const lines = this.#linesUpTo(this.#bottom, rows);
    const share = Math.round(((this.#bottom.piece + 1) / Math.max(1, this.#content.count)) * 100);
    const bar = this.#content.paintBar(pad(fit(` ${HELP} · ${share}%`, width), width));
    const screen = [...lines, ...new Array<string>(rows - lines.length).fill(""), bar];
    const body = screen.map((line) => drawn(fit(line, width), width)).join("\r\n");
    this.#terminal.write(
      `${BEGIN_UPDATE}${HIDE_CURSOR}\u001b[H${AUTO_WRAP_OFF}${body}${AUTO_WRAP_ON}${END_UPDATE}`,
    );
  }

  #rows(): number {
    return Math.max(1, this.#terminal.rows - 1);
  }

  #piece(index: number): readonly string[] {
    const known = this.#drawn.get(index);
    if (known !== undefined) return known;
    const lines = this.#content.draw(index, this.#width || this.#terminal.columns);
    this.#drawn.set(index, lines);
    return lines;
  }

  #linesUpTo({ piece, line }: Place, rows: number): string[] {
    const lines: string[] = [];
    for (let index = piece; index >= 0 && lines.length < rows; index--) {
      const drawn = this.#piece(index);
      lines.unshift(...(index === piece ? drawn.slice(0, line + 1) : drawn));
    }
    return lines.slice(-rows);
  }

  #move(count: number): void {
    let { piece, line } = this.#clamp(this.#bottom, this.#rows());
    line += count;
    while (line < 0 && piece > 0) line += this.#piece(--piece).length;
    while (line >= this.#piece(piece).length && piece < this.#content.count - 1) {
      line -= this.#piece(piece).length;
      piece++;
    }
    this.#bottom = { piece, line };
  }

  #moveToTop(): void {
    this.#bottom = { piece: 0, line: 0 };
  }

  /** A full screen, as long as there is that much. */
  #clamp({ piece, line }: Place, rows: number): Place {
    let place: Place = {
      piece: Math.max(0, piece),
      line: Math.max(0, Math.min(line, this.#piece(piece).length - 1)),
    };
    let missing = rows - this.#linesUpTo(place, rows).length;
    while (missing > 0) {
      const left = this.#piece(place.piece).length - 1 - place.line;
      if (left >= missing) return { ...place, line: place.line + missing };
      if (place.piece >= this.#content.count - 1) return { ...place, line: place.line + left };
      missing -= left;
      place = { piece: place.piece + 1, line: -1 };
    }
    return place;
  }
}

interface Place {
  readonly piece: number;
  readonly line: number;
}
