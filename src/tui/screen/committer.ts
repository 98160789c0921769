// Which entries of the transcript are in the scrollback already.
import type { Transcript } from "../state/transcript.ts";
import type { Canvas } from "../view/canvas.ts";
import { entryView } from "../view/entry.ts";

export class Committer {
  /** Counted from the first entry ever. */
  #next = 0;

  /** Lines of the entries that were finished since the last time. */
  take({ done, dropped }: Transcript, canvas: Canvas): string[] {
    const fresh = done.from(this.#next - dropped);
    this.#next = dropped + done.length;
    return fresh.flatMap((entry) => entryView(entry, canvas));
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
