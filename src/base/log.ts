// The debug log: JSON lines in the person's state folder, rotated so that they can't fill a disk. Writes are
// synchronous, because the lines right before a crash matter most.
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface Log {
  readonly path: string;
  readonly write: (entry: Readonly<Record<string, unknown>>) => void;
  readonly close: () => void;
}

const MOST_BYTES = 10_000_000;

interface LogOptions {
  /** Hides keys before a line is written. */
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

/** JSON.stringify would turn an error into {}, and errors are what the log is read for. */
function errorsAsText(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
