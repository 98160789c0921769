// From the state to the lines of the screen.
import { Committer } from "./screen/committer.ts";
import type { Frame, FrameSource } from "./screen/inline-screen.ts";
import type { Store } from "./store.ts";
import { EntryCache } from "./view/entry-cache.ts";
import { frameView } from "./view/frame.ts";
import type { Look } from "./view/look.ts";

export interface FrameSourceParts {
  readonly store: Store;
  readonly look: Look;
  /** The editor that has the keys, as lines. */
  readonly editor: (width: number) => string[];
  readonly isWritingWords: () => boolean;
}

export function createFrameSource({ store, look, editor, isWritingWords }: FrameSourceParts): FrameSource {
  const committer = new Committer();
  const cache = new EntryCache();
  const liveLines = (width: number, rows: number) =>
    frameView({
      state: store.get(),
      canvas: look.canvas(width),
      rows,
      cache,
      editor: () => editor(width),
      isWritingWords: isWritingWords(),
    });
  const frame = (finished: readonly string[], live: readonly string[]): Frame => ({
    finished,
    live,
    hasMore: committer.hasMore(store.get().transcript),
  });
  return {
    frame: (width, rows) => {
      const finished = committer.take(store.get().transcript, look.canvas(width));
      return frame(finished, liveLines(width, rows));
    },
    refill: (width, rows, erased) => {
      const finished = committer.refill(store.get().transcript, look.canvas(width), erased);
      return frame(finished, liveLines(width, rows));
    },
  };
}
