// The screen: finished lines go into the terminal's own scrollback once and for all; only the last few lines,
// which may still change, are ever written again. So the cost of a key or a delta doesn't grow with the conversation.
import { CURSOR_MARKER, type Terminal, TuiMainScreen, type TuiStopOptions } from "@earendil-works/pi-tui";
import { columns } from "../view/columns.ts";
import { askRowsAbove } from "./cursor-row.ts";
import {
  ERASE_BELOW,
  moveRows,
  moveToColumn,
  NOTHING_SHOWN,
  type ShownLines,
  updateLines,
} from "./line-update.ts";
import { AUTO_WRAP_OFF, AUTO_WRAP_ON, BEGIN_UPDATE, END_UPDATE, HIDE_CURSOR } from "./terminal-modes.ts";

interface Frame {
  /** Lines that are final and have not been handed out before. */
  readonly finished: readonly string[];
  /** Lines that may change; no more than the terminal has rows. */
  readonly live: readonly string[];
  /** There are more finished lines than one frame should have, so the next frame follows at once. */
  readonly hasMore: boolean;
}

/** erased: the number of finished lines to draw again, at the new width. */
type FrameSource = (width: number, rows: number, erased?: number) => Frame;

/** While a window is dragged its size changes many times: drawing is debounced. */
const RESIZE_REST_MS = 40;
/** Some terminals report their new size with this delay. */
const TOLD_LATE_MS = 500;
/** More rows than any screen has. */
const MAX_RECENT = 300;
/** A terminal that can't keep up gets fewer frames, not a growing backlog. */
const BEHIND_RETRY_MS = 25;

export interface ScreenTerminal extends Terminal {
  /** The terminal has not taken all that was written. */
  readonly isBehind?: () => boolean;
}

export class InlineScreen extends TuiMainScreen {
  readonly #source: FrameSource;
  readonly #isBehind: () => boolean;
  #shown: ShownLines = NOTHING_SHOWN;
  /** Finished lines that may still be visible. */
  #recent: readonly string[] = [];
  #size = { width: 0, rows: 0 };
  #resizeTimer: ReturnType<typeof setTimeout> | null = null;
  /** Draws instead of us while something else has the screen. */
  #paused: (() => void) | null = null;
  #hasMore = false;
  /** Nothing may be drawn before the terminal has said where the cursor is. */
  #isAsking = false;
  #drawnAt = 0;

  constructor(terminal: ScreenTerminal, source: FrameSource) {
    super(terminal);
    this.#source = source;
    this.#isBehind = () => terminal.isBehind?.() ?? false;
  }

  /** Something else has the terminal; `draw` is called whenever the screen would be drawn. */
  pause(draw: () => void): void {
    this.#paused = draw;
  }

  /** isCleared: what was on the screen is gone. */
  unpause(isCleared: boolean): void {
    this.#paused = null;
    if (isCleared) this.redraw();
    else this.requestRender();
  }

  /** Another program gets the terminal; what it leaves behind stays above. */
  lend(): () => void {
    this.stop({ preserveScreen: true });
    return () => {
      this.start();
      // requestRender would do nothing if a request from before the stop is still pending.
      this.renderNow();
    };
  }

  /** Draws everything that is left, before the end. */
  drawAll(): void {
    if (this.stopped || this.#paused !== null) return;
    const { columns: width, rows } = this.terminal;
    do this.#draw(this.#source(width, rows), width, "");
    while (this.#hasMore);
  }

  /** Draws everything visible again. */
  redraw(): void {
    if (this.#isAsking) return;
    const { columns: width, rows } = this.terminal;
    this.#isAsking = true;
    askRowsAbove(this).then((above) => {
      this.#isAsking = false;
      if (this.terminal.columns === width && this.terminal.rows === rows)
        this.#drawAnew(width, rows, above, true);
      else this.doRender();
    });
  }

  /** Clears the screen and draws only the live lines again. */
  wipe(): void {
    this.#drawAnew(this.terminal.columns, this.terminal.rows, null, false);
  }

  protected override doRender(): void {
    if (this.stopped || this.#resizeTimer !== null || this.#isAsking) return;
    if (this.#paused !== null) {
      this.#paused();
      return;
    }
    const { columns: width, rows } = this.terminal;
    if (this.#size.width === 0) this.#size = { width, rows };
    if (this.#size.width !== width || this.#size.rows !== rows) this.#awaitRest(width, rows);
    else if (this.#isBehind()) setTimeout(() => this.requestRender(), BEHIND_RETRY_MS);
    else this.#draw(this.#source(width, rows), width, "");
  }

  /** At the end the cursor is left below everything; for another program the live lines are erased. */
  protected override beforeTerminalStop({ preserveScreen = false }: TuiStopOptions): void {
    if (this.#resizeTimer !== null) clearTimeout(this.#resizeTimer);
    this.#resizeTimer = null;
    const { lines, cursorRow } = this.#shown;
    if (lines.length > 0 && this.#paused === null) {
      const leave = `${moveRows(lines.length - 1 - cursorRow)}\r\n`;
      this.terminal.write(preserveScreen ? `${moveRows(-cursorRow)}\r${ERASE_BELOW}` : leave);
    }
    this.resetRenderState();
  }

  protected override resetRenderState(): void {
    this.#shown = NOTHING_SHOWN;
    this.#recent = [];
  }

  #awaitRest(width: number, rows: number): void {
    this.#resizeTimer = setTimeout(() => {
      this.#resizeTimer = null;
      if (this.terminal.columns === width && this.terminal.rows === rows) this.redraw();
      else this.doRender();
    }, RESIZE_REST_MS);
  }

  /**
   * Writes everything visible again, from our first visible line. A narrower terminal has wrapped longer lines into
   * several rows; the cursor can't move above the top of the screen. Earlier output and the scrollback stay. A terminal
   * with fewer rows may have cut off what was below the cursor; lines drawn before we knew of that are too high by as
   * many rows, over finished lines.
   */
  #drawAnew(width: number, rows: number, above: number | null, isRefilled: boolean): void {
    if (this.stopped || this.#paused !== null) return;
    const { lines, cursorRow } = this.#shown;
    const liveAbove = rowsOf(lines.slice(0, cursorRow), width);
    const below = lines.length - 1 - cursorRow;
    const isLower = rows < this.#size.rows;
    const isLate = isLower && performance.now() - this.#drawnAt < TOLD_LATE_MS;
    const rowsAbove = above === null ? rows - 1 - (isLower ? 0 : below) : above + (isLate ? below : 0);
    const erased = lastLines(this.#recent, width, rowsAbove - liveAbove);
    this.#size = { width, rows };
    this.#shown = NOTHING_SHOWN;
    this.#recent = this.#recent.slice(0, this.#recent.length - erased.length);
    const up = rowsOf(erased, width) + liveAbove;
    const frame = this.#source(width, rows, isRefilled ? erased.length : 0);
    this.#draw(frame, width, `${moveRows(-up)}\r${ERASE_BELOW}`);
  }

  #draw({ finished, live, hasMore }: Frame, width: number, start: string): void {
    this.#hasMore = hasMore;
    if (hasMore) this.requestRender();
    const { lines, cursor } = takeCursor(live);
    const update = updateLines(this.#shown, [...finished, ...lines], width);
    const cursorRow = finished.length + (cursor?.row ?? Math.max(0, lines.length - 1));
    const place = moveRows(cursorRow - update.cursorRow) + moveToColumn(cursor?.column ?? 0);
    this.#shown = { lines, cursorRow: cursorRow - finished.length };
    if (finished.length > 0) this.#recent = [...this.#recent, ...finished].slice(-MAX_RECENT);
    if (start + update.bytes === "") this.terminal.write(place);
    else {
      this.#drawnAt = performance.now();
      const body = `${start}${AUTO_WRAP_OFF}${update.bytes}${AUTO_WRAP_ON}${place}`;
      this.terminal.write(`${BEGIN_UPDATE}${HIDE_CURSOR}${body}${END_UPDATE}`);
    }
  }
}

function rowsOf(lines: readonly string[], width: number): number {
  const rows = lines.map((line) => Math.max(1, Math.ceil(columns(line) / Math.max(1, width))));
  return rows.reduce((sum, count) => sum + count, 0);
}

/** The last lines that have at least one row within that many rows. */
function lastLines(lines: readonly string[], width: number, rows: number): readonly string[] {
  let first = lines.length;
  for (let room = rows; room > 0 && first > 0; first--) room -= rowsOf(lines.slice(first - 1, first), width);
  return lines.slice(first);
}

interface Cursor {
  readonly row: number;
  readonly column: number;
}

/** The editor marks the cursor position, where input methods show their candidates. */
function takeCursor(lines: readonly string[]): { lines: readonly string[]; cursor: Cursor | null } {
  const row = lines.findLastIndex((line) => line.includes(CURSOR_MARKER));
  const line = lines[row];
  if (line === undefined) return { lines, cursor: null };
  const column = columns(line.slice(0, line.indexOf(CURSOR_MARKER)));
  return { lines: lines.with(row, line.replaceAll(CURSOR_MARKER, "")), cursor: { row, column } };
}
