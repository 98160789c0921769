// The program's three streams. A reader that went away is an error with a name, never a stack trace; what a person
// is told never fails anything.
import { fstatSync } from "node:fs";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { TunacodeError } from "../domain/error.ts";

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

export function openConsole(): Console {
  const { stdout, stderr, env } = process;
  const listeners: ((error: Error) => void)[] = [];
  let failure: Error | undefined;
  stdout.on("error", (error) => {
    failure = printFailure(error);
    for (const listener of listeners) listener(failure);
  });
  // Where even this fails there is nobody left to tell.
  stderr.on("error", () => {});
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      if (failure !== undefined) return reject(failure);
      stdout.write(text, (error) => (error ? reject(printFailure(error)) : resolve()));
    });
  return {
    env,
    cwd: () => process.cwd(),
    stdin: standardInput,
    print: write,
    tell: (text) => void stderr.write(`${stripTerminalControls(text)}\n`),
    draw: (text) => void stderr.write(text),
    onPrintFailure: (listener) => void listeners.push(listener),
    printsToTerminal: stdout.isTTY === true,
    isInteractive: stdout.isTTY === true && process.stdin.isTTY === true,
    drawsToTerminal: stderr.isTTY === true && env["TERM"] !== undefined && env["TERM"] !== "dumb",
    columns: () => stderr.columns || DEFAULT_COLUMNS,
  };
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

function printFailure(error: Error): Error {
  const code = "code" in error ? String(error.code) : "";
  return GONE.includes(code)
    ? new ClosedPipeError()
    : new TunacodeError("internal", `The output can't be written: ${error.message}`);
}
