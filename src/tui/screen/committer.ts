// Knows which entries of the transcript are in the scrollback already.
import type { Transcript } from "../state/transcript.ts";
import { entryView } from "../view/entry.ts";
import type { Canvas } from "../view/look.ts";

/** A long replay must not keep a key waiting. */
const FRAME_BUDGET_MS = 8;
/** A longer backlog is drawn at once, before the transcript drops its oldest entries. */
const MAX_BACKLOG = 3_000;
/** No screen has more rows than this, and each piece has at least one line. */
const MAX_RECENT = 300;

/** Lines that were handed out together. */
interface Piece {
  readonly index: number;
  readonly lines: number;
  readonly width: number;
}

export class Committer {
  /** Counted from the first entry ever. */
  #next = 0;
  /** What was handed out last, in the order it stands on the terminal. */
  #recent: Piece[] = [];

  /**
   * Lines of the entries that were finished since the last time, as far as a frame's time goes. erased: so many of the
   * last lines are gone, and the entries they belonged to come first again.
   */
  take(transcript: Transcript, canvas: Canvas, erased = 0): string[] {
    const { done, dropped } = transcript;
    const lines = erased === 0 ? [] : this.#drawAgain(transcript, canvas, erased);
    let index = Math.max(0, this.#next - dropped);
    const isFarBehind = done.length - index > MAX_BACKLOG;
    const deadline = isFarBehind ? Number.POSITIVE_INFINITY : performance.now() + FRAME_BUDGET_MS;
    for (; index < done.length && performance.now() < deadline; index++) {
      lines.push(...this.#draw(transcript, dropped + index, canvas));
    }
    this.#next = dropped + index;
    return lines;
  }

  hasMore({ done, dropped }: Transcript): boolean {
    return this.#next < dropped + done.length;
  }

  #drawAgain(transcript: Transcript, canvas: Canvas, erased: number): string[] {
    const { index, tail } = this.#takeBack(erased, canvas.width);
    const lines: string[] = [];
    for (let next = index; next < this.#next; next++)
      lines.push(...this.#draw(transcript, next, canvas, next === index ? tail : undefined));
    return lines;
  }

  /** The first entry with an erased line, and how many of its last lines to draw: at another width, all of them. */
  #takeBack(erased: number, width: number): { index: number; tail: number } {
    let index = this.#next;
    let tail = 0;
    let left = erased;
    while (left > 0) {
      const last = this.#recent.pop();
      if (last === undefined) break;
      const count = Math.min(left, last.lines);
      if (count < last.lines) this.#recent.push({ ...last, lines: last.lines - count });
      tail = (last.index === index ? tail : 0) + (last.width === width ? count : Number.POSITIVE_INFINITY);
      index = last.index;
      left -= count;
    }
    return { index, tail };
  }

  #draw(
    { done, dropped }: Transcript,
    index: number,
    canvas: Canvas,
    tail = Number.POSITIVE_INFINITY,
  ): string[] {
    const entry = done.at(index - dropped);
    if (entry === undefined) return [];
    const whole = entryView(entry, canvas);
    const lines = tail < whole.length ? whole.slice(-tail) : whole;
    if (lines.length > 0) this.#recent.push({ index, lines: lines.length, width: canvas.width });
    if (this.#recent.length > MAX_RECENT) this.#recent = this.#recent.slice(-MAX_RECENT);
    return lines;
  }
}
