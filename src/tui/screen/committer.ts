// Which entries of the transcript are in the scrollback already.
import type { Transcript } from "../state/transcript.ts";
import type { Canvas } from "../view/canvas.ts";
import { entryView } from "../view/entry.ts";

/** A long replay must not keep a key waiting. */
const FRAME_BUDGET_MS = 8;
/** Whoever is further behind catches up at once: the transcript lets go of its oldest entries some day. */
const MAX_BACKLOG = 3_000;

export class Committer {
  /** Counted from the first entry ever. */
  #next = 0;

  /** Lines of the entries that were finished since the last time, as far as a frame's time goes. */
  take({ done, dropped }: Transcript, canvas: Canvas): string[] {
    const lines: string[] = [];
    let index = Math.max(0, this.#next - dropped);
    const isFarBehind = done.length - index > MAX_BACKLOG;
    const deadline = isFarBehind ? Number.POSITIVE_INFINITY : performance.now() + FRAME_BUDGET_MS;
    for (; index < done.length && performance.now() < deadline; index++) {
      const entry = done.at(index);
      if (entry !== undefined) lines.push(...entryView(entry, canvas));
    }
    this.#next = dropped + index;
    return lines;
  }

  /** There are entries to be taken still. */
  hasMore({ done, dropped }: Transcript): boolean {
    return this.#next < dropped + done.length;
  }

  /** What was in sight and is to be drawn again, so many rows of it; and after it what was never taken. */
  refill(transcript: Transcript, canvas: Canvas, rows: number): string[] {
    const { done, dropped } = transcript;
    const taken = Math.max(0, this.#next - dropped);
    const lines: string[] = [];
    for (let index = taken - 1; index >= 0 && lines.length < rows; index--) {
      const entry = done.at(index);
      if (entry !== undefined) lines.unshift(...entryView(entry, canvas));
    }
    return [...(rows > 0 ? lines.slice(-rows) : []), ...this.take(transcript, canvas)];
  }
}
