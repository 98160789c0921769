// The program's three streams. A reader that went away is an error with a name, never a stack trace; what a person
// is told never fails anything.
import { stripTerminalControls } from "../base/terminal-text.ts";

export interface Console {
  readonly env: NodeJS.ProcessEnv;
  /** Waits while the reader is slow. Rejects with a ClosedPipeError when it has gone. */
  readonly print: (text: string) => Promise<void>;
  /** A line for the person. Control sequences are stripped. */
  readonly tell: (text: string) => void;
  /** Raw: for a status line that draws itself. */
  readonly draw: (text: string) => void;
  readonly onClosedPipe: (listener: () => void) => void;
  readonly printsToTerminal: boolean;
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

export function openConsole(): Console {
  const { stdout, stderr, env } = process;
  const listeners: (() => void)[] = [];
  let closed = false;
  stdout.on("error", () => {
    closed = true;
    for (const listener of listeners) listener();
  });
  // Where even this fails there is nobody left to tell.
  stderr.on("error", () => {});
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      if (closed) return reject(new ClosedPipeError());
      stdout.write(text, (error) => (error ? reject(new ClosedPipeError()) : resolve()));
    });
  return {
    env,
    print: write,
    tell: (text) => void stderr.write(`${stripTerminalControls(text)}\n`),
    draw: (text) => void stderr.write(text),
    onClosedPipe: (listener) => void listeners.push(listener),
    printsToTerminal: stdout.isTTY === true,
    drawsToTerminal: stderr.isTTY === true && env["TERM"] !== undefined && env["TERM"] !== "dumb",
    columns: () => stderr.columns || DEFAULT_COLUMNS,
  };
}
