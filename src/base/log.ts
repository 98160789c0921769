// A log for debugging: JSON lines in a folder of the person's, rotated so that it can't fill a disk. Written at once,
// because what matters most is what came right before a crash.
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface Log {
  readonly path: string;
  readonly write: (entry: Readonly<Record<string, unknown>>) => void;
  readonly close: () => void;
}

const MOST_BYTES = 10_000_000;

export interface LogOptions {
  /** Keys never reach the file. */
  readonly mask: (text: string) => string;
  readonly now?: () => Date;
  readonly mostBytes?: number;
}

export function openLog(
  folder: string,
  { mask, now = () => new Date(), mostBytes = MOST_BYTES }: LogOptions,
): Log {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "tunacode.jsonl");
  let file = openSync(path, "a", 0o600);
  let size = fstatSync(file).size;
  const rotate = () => {
    closeSync(file);
    renameSync(path, join(folder, "tunacode.1.jsonl"));
    file = openSync(path, "a", 0o600);
    size = 0;
  };
  return {
    path,
    write: (entry) => {
      const line = Buffer.from(
        `${mask(JSON.stringify({ at: now().toISOString(), ...entry }, errorsAsText))}\n`,
      );
      if (size > 0 && size + line.length > mostBytes) rotate();
      size += line.length;
      writeSync(file, line);
    },
    close: () => closeSync(file),
  };
}

/** An error is {} in JSON, and it is what one looks for. */
function errorsAsText(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
