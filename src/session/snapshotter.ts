// When and how the whole session is written to one file. It may fail: everything is in the journal, and the next
// snapshot makes up for it. It is always a file, because it serves the old program, lists and a quick start.
import type { Mask } from "../base/secrets.ts";
import type { Disk } from "./disk.ts";
import { temporaryIn } from "./file-journal.ts";
import type { SessionPaths } from "./paths.ts";
import type { Recorder } from "./recorder.ts";
import { encodeSnapshot } from "./snapshot.ts";
import type { SessionState } from "./state.ts";
import { replaceFile } from "./whole-file.ts";

/** In characters. A snapshot pays once the journal has grown by as much again as the last one covers. */
const SMALLEST_GROWTH = 1_000_000;

export class Snapshotter {
  readonly #state: SessionState;
  readonly #recorder: Recorder;
  readonly #disk: Disk;
  readonly #mask: Mask;
  /** False: a file that we must not replace is in its place. */
  isAllowed = true;
  /** At the last snapshot: how much the recorder had written, and how long the journal was. */
  #taken = 0;
  #size = 0;
  #isWanted = false;

  constructor(state: SessionState, recorder: Recorder, { disk, mask }: { disk: Disk; mask: Mask }) {
    this.#state = state;
    this.#recorder = recorder;
    this.#disk = disk;
    this.#mask = mask;
  }

  /** Asks for one at the next good moment, however little has changed. */
  want(): void {
    this.#isWanted = true;
  }

  get isDue(): boolean {
    return this.#isWanted || this.#growth > Math.max(SMALLEST_GROWTH, this.#size);
  }

  /** The last one no longer holds everything. */
  get isOutdated(): boolean {
    return this.#isWanted || this.#growth > 0;
  }

  /** False: none could be taken now. */
  async take(paths: SessionPaths): Promise<boolean> {
    try {
      const position = await this.#recorder.position();
      if (position === undefined || !this.isAllowed) return false;
      const { messages, coverage } = position;
      this.#taken = this.#recorder.written;
      this.#isWanted = false;
      // Its folder is not synced: with the journal, an older snapshot is as good.
      await replaceFile(
        this.#disk,
        { path: paths.snapshot, temporary: temporaryIn(paths, "snapshot") },
        encodeSnapshot(this.#state, messages, coverage, this.#mask),
      );
      this.#size = coverage.offset;
      return true;
    } catch {
      return false;
    }
  }

  get #growth(): number {
    return this.#recorder.written - this.#taken;
  }
}
