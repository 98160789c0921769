// One pipe for what a process writes to both its outputs, so that their order is kept. A real pipe: the sockets
// that spawn makes can't be opened again by name, and `echo x > /dev/stderr` fails on them.

import { spawn } from "node:child_process";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runtime } from "./runtime.ts";

export interface OutputPipe {
  /** For the child. */
  readonly writeEnd: number;
  /** Once the child has it. */
  readonly closeWriteEnd: () => void;
  readonly output: ReadableStream<Uint8Array>;
  /** After the output was read to its end or cancelled. */
  readonly closeReadEnd: () => void;
}

/** null where a named pipe can't be made. */
export async function openOutputPipe(): Promise<OutputPipe | null> {
  const path = join(tmpdir(), `tunacode-${crypto.randomUUID()}`);
  try {
    if (!(await makeNamedPipe(path))) return null;
    // Without blocking, because there is no writer yet.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = openSync(path, constants.O_WRONLY);
    return {
      writeEnd,
      closeWriteEnd: () => closeSync(writeEnd),
      output: runtime.file(readEnd).stream(),
      closeReadEnd: () => closeSync(readEnd),
    };
  } finally {
    rmSync(path, { force: true });
  }
}

async function makeNamedPipe(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const child = spawn("mkfifo", ["-m", "600", path], { stdio: "ignore" });
    child.once("error", () => resolve(false)).once("exit", (code) => resolve(code === 0));
  });
}
