// The program's three streams. When the reader of stdout goes away, printing fails with a ClosedPipeError. A failing
// stderr never fails anything.

import { fstatSync, statSync, write, writeSync } from "node:fs";
import { failureCode } from "../base/failure-code.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";

export interface Console {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: () => string;
  /** Null when there is nothing to read. */
  readonly stdin: () => AsyncIterable<Uint8Array> | null;
  /**
   * On a terminal, control sequences are left out, unless the text is coloured and already stripped. Waits for a slow
   * reader. Rejects with a ClosedPipeError when the reader is gone, or with why writing failed.
   */
  readonly print: (text: string, colours?: "coloured") => Promise<void>;
  /** Writes a line for the person to stderr, stripped of control sequences. */
  readonly tell: (text: string) => void;
  /** Writes to stderr without stripping, for a status line that redraws itself. */
  readonly draw: (text: string) => void;
  /** Called once printing has failed: nothing more can be printed. */
  readonly onPrintFailure: (listener: (error: Error) => void) => void;
  readonly printsToTerminal: boolean;
  /** Both stdin and stdout are terminals. */
  readonly isInteractive: boolean;
  /** Whether stderr is a terminal with cursor control. */
  readonly drawsToTerminal: boolean;
  readonly columns: () => number;
}

export class ClosedPipeError extends Error {
  constructor() {
    super("The output has no reader any more.");
    this.name = "ClosedPipeError";
  }
}

const DEFAULT_COLUMNS = 80;
/** Error codes that mean that the reader, or its terminal, is gone. */
const GONE = ["EPIPE", "EIO", "ECONNRESET", "ERR_STREAM_DESTROYED"];

/** Used directly: loading Node's streams around them takes longer than printing a short answer. */
const STDOUT = 1;
const STDERR = 2;

export function openConsole(): Console {
  const { env } = process;
  const listeners: ((error: Error) => void)[] = [];
  let failure: Error | undefined;
  let printed = Promise.resolve();
  const printsToTerminal = isTerminal(STDOUT, () => process.stdout);
  const printNow = async (text: string) => {
    if (failure !== undefined) throw failure;
    try {
      await writeAll(Buffer.from(text));
    } catch (error) {
      failure = printFailure(error);
      for (const listener of listeners) listener(failure);
      throw failure;
    }
  };
  return {
    env,
    cwd: () => process.cwd(),
    stdin: standardInput,
    print: (text, colours) => {
      const isSafe = !printsToTerminal || colours === "coloured";
      const print = printed.then(() => printNow(isSafe ? text : stripTerminalControls(text)));
      printed = print.catch(() => {});
      return print;
    },
    tell: (text) => writeNow(`${stripTerminalControls(text)}\n`),
    draw: writeNow,
    onPrintFailure: (listener) => void listeners.push(listener),
    printsToTerminal,
    isInteractive: printsToTerminal && process.stdin.isTTY === true,
    drawsToTerminal:
      env["TERM"] !== undefined && env["TERM"] !== "dumb" && isTerminal(STDERR, () => process.stderr),
    columns: () => process.stderr.columns || DEFAULT_COLUMNS,
  };
}

/** Asking the stream loads it, so pipes, files and /dev/null are ruled out first. */
function isTerminal(descriptor: number, stream: () => { isTTY?: boolean }): boolean {
  try {
    const kind = fstatSync(descriptor);
    const isNull = kind.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
    return kind.isCharacterDevice() && !isNull && stream().isTTY === true;
  } catch {
    return false; // The parent process closed it.
  }
}

function writeAll(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    write(STDOUT, bytes, (error, written) => {
      if (error === null && written === bytes.length) resolve();
      else if (error === null) resolve(writeAll(bytes.subarray(written)));
      // The descriptor is non-blocking and its pipe is full; the stream waits for the reader.
      else if (failureCode(error) === "EAGAIN")
        process.stdout.write(bytes, (problem) => (problem ? reject(problem) : resolve()));
      else reject(error);
    });
  });
}

function writeNow(text: string): void {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(STDERR, bytes, at);
  } catch (error) {
    // Any other failure has nowhere left to be reported.
    if (failureCode(error) === "EAGAIN") process.stderr.on("error", () => {}).write(text);
  }
}

/** A pipe, a file or a socket is read; a terminal and /dev/null are not. */
function standardInput(): AsyncIterable<Uint8Array> | null {
  try {
    const kind = fstatSync(0);
    return kind.isFIFO() || kind.isFile() || kind.isSocket() ? process.stdin : null;
  } catch {
    return null; // The parent process closed it.
  }
}

function printFailure(error: unknown): Error {
  return GONE.includes(failureCode(error))
    ? new ClosedPipeError()
    : new TunacodeError("internal", `The output can't be written: ${errorMessage(error)}`);
}
