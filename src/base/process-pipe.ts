// One pipe for both stdout and stderr of a process, which keeps their order. It is a named pipe, because the sockets
// that spawn creates can't be reopened by name, so `echo x > /dev/stderr` would fail.
import { spawn } from "node:child_process";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runtime } from "./runtime.ts";
import { SYSTEM_PATH } from "./system-path.ts";

export interface OutputPipe {
  /** The child's stdout and stderr. */
  readonly writeEnd: number;
  /** To be called once the child has inherited it. */
  readonly closeWriteEnd: () => void;
  readonly output: ReadableStream<Uint8Array>;
  /** To be called after the output was read to its end or cancelled. */
  readonly closeReadEnd: () => void;
}

/** Returns null if a named pipe can't be created. */
export async function openOutputPipe(): Promise<OutputPipe | null> {
  const path = join(tmpdir(), `tunacode-${crypto.randomUUID()}`);
  try {
    if (!(await makeNamedPipe(path))) return null;
    // A blocking open would wait for a writer.
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
    const child = spawn("mkfifo", ["-m", "600", path], { stdio: "ignore", env: { PATH: SYSTEM_PATH } });
    child.once("error", () => resolve(false)).once("exit", (code) => resolve(code === 0));
  });
}
