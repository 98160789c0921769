// A person's own shell command from the editor: theirs to run, so nobody is asked; bounded in what is kept of it.
import { runProcess } from "../base/process.ts";
import { shellProgram } from "../base/shell-program.ts";
import { lastOf } from "./bounded-output.ts";

export interface ShellRun {
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

export interface ShellResult {
  readonly output: string;
  /** null: it was stopped. */
  readonly exitCode: number | null;
}

export async function runShellCommand(command: string, cwd: string, run: ShellRun): Promise<ShellResult> {
  const decoder = new TextDecoder();
  let output = "";
  const add = (piece: Uint8Array): undefined => {
    const text = decoder.decode(piece, { stream: true });
    run.onOutput(text);
    output = lastOf(output + text);
  };
  try {
    const { exitCode } = await runProcess({
      argv: [shellProgram(), "-c", command],
      cwd,
      signal: run.signal,
      family: true,
      onOutput: add,
    });
    return { output, exitCode };
  } catch (error) {
    if (run.signal.aborted) return { output, exitCode: null };
    throw error;
  }
}
