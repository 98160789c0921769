// The index on disk for the time of a run, and a mark that a call is running: what is left of them when the program was
// killed tells the next one what that call changed.
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { folderNames } from "../base/folder-names.ts";
import { isJsonObject } from "../base/json.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import type { ToolCallId } from "../domain/ids.ts";
import { runningMark } from "./running-mark.ts";
import { decodeRow, encodeRow } from "./saved-row.ts";
import type { ProjectFiles, TrackedCall } from "./tracking.ts";
import type { SavedRow } from "./tree-index.ts";

/** How often a running call shows that the program is alive. */
export const SIGN_OF_LIFE_MS = 250;
const ENDED = "ended";
const CHUNK_CHARACTERS = 256 * 1024;

export class RunningIndex {
  readonly #run: string;
  readonly #index: string;
  readonly #mark: string;
  readonly #project: ProjectFiles;
  #isWritten = false;
  #hasMark = false;
  #alive: NodeJS.Timeout | undefined;

  /** `run`: a folder of its own. Whoever takes the session over removes it. */
  constructor(run: string, project: ProjectFiles) {
    this.#run = run;
    this.#index = indexPath(run);
    this.#mark = runningMark(run);
    this.#project = project;
    mkdirSync(run, { recursive: true, mode: 0o700 });
  }

  /** Whole or not at all. */
  async write(rows: Iterable<SavedRow>, signal: AbortSignal): Promise<void> {
    const slices = createTimeSlices(signal);
    const unfinished = `${this.#index}.new`;
    const file = await open(unfinished, "w", 0o600);
    try {
      let chunk = "";
      for (const row of rows) {
        chunk += encodeRow(row);
        if (chunk.length > CHUNK_CHARACTERS) {
          await file.write(chunk);
          chunk = "";
        }
        if (slices.due()) await slices.rest();
      }
      await file.write(chunk);
      await file.close();
      await rename(unfinished, this.#index);
      this.#isWritten = true;
    } catch (error) {
      await file.close().catch(() => {});
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  /** The journal has what happened to these rows, so a later process need not find it again. */
  add(rows: Iterable<SavedRow | string>): void {
    if (this.#isWritten && existsSync(this.#index))
      appendFileSync(this.#index, [...rows].map(encodeRow).join(""));
  }

  /** From here on, what changes is this call's. */
  callBegins({ toolCallId, writes }: TrackedCall): void {
    const { root, addedFolders } = this.#project;
    const mark: RunningCall = { toolCallId, writes, root, addedFolders: addedFolders() };
    writeFileSync(this.#mark, JSON.stringify(mark), { mode: 0o600 });
    this.#hasMark = true;
    this.#alive = setInterval(() => this.#showLife(), SIGN_OF_LIFE_MS);
    this.#alive.unref();
  }

  /**
   * Returns when it ended, by the clock of a file system: that of the project's files may differ from ours. Clocks of
   * file systems stand still for milliseconds, but where the kernel can, a file whose time somebody has read gets the
   * exact one with its next change, and no other file an earlier one from then on. So what changes after this is later.
   */
  callEnds(): number {
    clearInterval(this.#alive);
    if (!existsSync(this.#mark)) return Number.POSITIVE_INFINITY;
    lstatSync(this.#mark);
    appendFileSync(this.#mark, "\n");
    const endMs = lstatSync(this.#mark).ctimeMs;
    appendFileSync(this.#mark, ENDED);
    return endMs;
  }

  /** What the last call changed is in the journal. */
  callIsSaved(): void {
    if (this.#hasMark) rmSync(this.#mark, { force: true });
    this.#hasMark = false;
  }

  /** The end of the run: nothing is left to find. */
  remove(): void {
    clearInterval(this.#alive);
    this.#isWritten = false;
    rmSync(this.#run, { recursive: true, force: true });
    const runs = dirname(this.#run);
    for (const folder of [runs, dirname(runs)])
      if (existsSync(folder) && folderNames(folder).length === 0) rmdirSync(folder);
  }

  #showLife(): void {
    try {
      utimesSync(this.#mark, new Date(), new Date());
    } catch {
      // Somebody removed it. If the program is killed as well, what this call changed will not be known.
    }
  }
}

/** A call that ran when the program was killed, or whose changes were not saved yet. */
interface RunningCall {
  readonly toolCallId: ToolCallId;
  readonly writes: readonly string[] | null;
  readonly root: string;
  readonly addedFolders: readonly string[];
}

export interface InterruptedCall extends TrackedCall {
  readonly project: ProjectFiles;
  /** What changed later was somebody else. */
  readonly endMs: number;
  readonly rows: Iterable<SavedRow>;
}

/** null: no call was interrupted, or what was there before it is not known. */
export function readInterruptedCall(run: string): InterruptedCall | null {
  try {
    const text = readFileSync(runningMark(run), "utf8");
    const mark: unknown = JSON.parse(text.split("\n", 1)[0] ?? "");
    if (!isRunningCall(mark)) return null;
    const { toolCallId, writes, root, addedFolders } = mark;
    const lastSignMs = lstatSync(runningMark(run)).ctimeMs;
    const endMs = text.endsWith(ENDED) ? lastSignMs : lastSignMs + SIGN_OF_LIFE_MS;
    const rows = readRows(readFileSync(indexPath(run), "utf8"));
    return { toolCallId, writes, project: { root, addedFolders: () => addedFolders }, endMs, rows };
  } catch {
    return null;
  }
}

/** Later lines count. A line that was cut off by the end of the program is left out. */
function readRows(text: string): Iterable<SavedRow> {
  const rows = new Map<string, SavedRow>();
  for (const line of text.split("\n")) {
    const row = decodeRow(line);
    if (typeof row === "string") rows.delete(row);
    else if (row !== null) rows.set(row.path, row);
  }
  return rows.values();
}

function isRunningCall(value: unknown): value is RunningCall {
  if (!isJsonObject(value)) return false;
  const { toolCallId, writes, root, addedFolders } = value;
  return (
    typeof toolCallId === "string" &&
    typeof root === "string" &&
    (writes === null || Array.isArray(writes)) &&
    Array.isArray(addedFolders)
  );
}

function indexPath(run: string): string {
  return join(run, "index");
}
