// Entries that may still be on the screen for a while are drawn once per state, not once per frame.
import type { TranscriptEntry } from "../state/entry.ts";
import type { Canvas } from "./canvas.ts";
import { entryView } from "./entry.ts";

export class EntryCache {
  readonly #drawn = new WeakMap<
    TranscriptEntry,
    { readonly key: string; readonly lines: readonly string[] }
  >();

  view(entry: TranscriptEntry, canvas: Canvas): readonly string[] {
    // A running tool shows how long it has been running.
    if (entry.kind === "tool" && entry.status === "running") return entryView(entry, canvas);
    const loaded = `${canvas.highlighter !== null}${canvas.wordDiff !== null}`;
    const key = `${canvas.width}/${canvas.theme.key}/${canvas.unfolded}/${loaded}`;
    const known = this.#drawn.get(entry);
    if (known?.key === key) return known.lines;
    const lines = entryView(entry, canvas);
    this.#drawn.set(entry, { key, lines });
    return lines;
  }
}
