// Which entries of the transcript are in the scrollback already.
import type { Transcript } from "../state/transcript.ts";
import type { Canvas } from "../view/canvas.ts";
import { entryView } from "../view/entry.ts";

export class Committer {
  /** Counted from the first entry ever. */
  #next = 0;

  /** Lines of the entries that were finished since the last time. */
  take({ done, dropped }: Transcript, canvas: Canvas): string[] {
    const fresh = done.slice(Math.max(0, this.#next - dropped));
    this.#next = dropped + done.length;
    return fresh.flatMap((entry) => entryView(entry, canvas));
  }

  /** The newest lines that are done, as many as fit. */
  refill({ done, dropped }: Transcript, canvas: Canvas, rows: number): string[] {
    this.#next = dropped + done.length;
    const lines: string[] = [];
    for (let index = done.length - 1; index >= 0 && lines.length < rows; index--) {
      const entry = done[index];
      if (entry !== undefined) lines.unshift(...entryView(entry, canvas));
    }
    return rows <= 0 ? [] : lines.slice(-rows);
  }
}
