// The program's three streams. A reader that went away is an error with a name, never a stack trace; what a person
// is told never fails anything.
import { fstatSync, statSync, write, writeSync } from "node:fs";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";

export interface Console {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: () => string;
  /** Null: there is nothing to read. */
  readonly stdin: () => AsyncIterable<Uint8Array> | null;
  /** Waits while the reader is slow. Rejects with a ClosedPipeError when it has gone, or why it can't be written. */
  readonly print: (text: string) => Promise<void>;
  /** A line for the person. Control sequences are stripped. */
  readonly tell: (text: string) => void;
  /** Raw: for a status line that draws itself. */
  readonly draw: (text: string) => void;
  /** Nothing more can be printed. */
  readonly onPrintFailure: (listener: (error: Error) => void) => void;
  readonly printsToTerminal: boolean;
  /** A person sits at both ends. */
  readonly isInteractive: boolean;
  /** Whether cursor movements make sense on stderr. */
  readonly drawsToTerminal: boolean;
  readonly columns: () => number;
}

export class ClosedPipeError extends Error {
  constructor() {
    super("Nobody reads the output any more.");
    this.name = "ClosedPipeError";
  }
}

const DEFAULT_COLUMNS = 80;
/** The reader ended, or its terminal did. */
const GONE = ["EPIPE", "EIO", "ECONNRESET", "ERR_STREAM_DESTROYED"];

/** The descriptors themselves: Node's streams around them take longer to load than a short answer to print. */
const STDOUT = 1;
const STDERR = 2;

export function openConsole(): Console {
  const { env } = process;
  const listeners: ((error: Error) => void)[] = [];
  let failure: Error | undefined;
  let printed = Promise.resolve();
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
  const printsToTerminal = isTerminal(STDOUT, () => process.stdout);
  return {
    env,
    cwd: () => process.cwd(),
    stdin: standardInput,
    print: (text) => {
      const print = printed.then(() => printNow(text));
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

/** Only what may be one is asked, because asking loads the stream: no pipe, no file, not /dev/null. */
function isTerminal(descriptor: number, stream: () => { isTTY?: boolean }): boolean {
  try {
    const kind = fstatSync(descriptor);
    const isNull = kind.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
    return kind.isCharacterDevice() && !isNull && stream().isTTY === true;
  } catch {
    return false; // Closed by whoever started us.
  }
}

function writeAll(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    write(STDOUT, bytes, (error, written) => {
      if (error === null && written === bytes.length) resolve();
      else if (error === null) resolve(writeAll(bytes.subarray(written)));
      // A pipe that doesn't wait for its reader; the stream does.
      else if (errorCodeOf(error) === "EAGAIN")
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
    // Where even this fails there is nobody left to tell.
    if (errorCodeOf(error) === "EAGAIN") process.stderr.on("error", () => {}).write(text);
  }
}

/** What can be read from: a pipe, a file or a socket, but no terminal and no /dev/null. */
function standardInput(): AsyncIterable<Uint8Array> | null {
  try {
    const kind = fstatSync(0);
    return kind.isFIFO() || kind.isFile() || kind.isSocket() ? process.stdin : null;
  } catch {
    return null; // Closed by whoever started us.
  }
}

function printFailure(error: unknown): Error {
  return GONE.includes(errorCodeOf(error))
    ? new ClosedPipeError()
    : new TunacodeError("internal", `The output can't be written: ${errorMessage(error)}`);
}

function errorCodeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
