// A person's own shell command from the editor: theirs to run, so nobody is asked; bounded in what is kept of it.
import { runProcess } from "../base/process.ts";
import { shellProgram } from "../base/shell-program.ts";

export interface ShellCommandResult {
  readonly output: string;
  /** null: it was stopped. */
  readonly exitCode: number | null;
}

const MAX_CHARACTERS = 30_000;

export async function runShellCommand(
  command: string,
  cwd: string,
  run: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void },
): Promise<ShellCommandResult> {
  const decoder = new TextDecoder();
  let output = "";
  let cut = false;
  const add = (piece: Uint8Array): undefined => {
    const text = decoder.decode(piece, { stream: true });
    run.onOutput(text);
    output += text;
    if (output.length <= MAX_CHARACTERS) return;
    cut = true;
    output = output.slice(-MAX_CHARACTERS);
  };
  try {
    const result = await runProcess({
      argv: [shellProgram(), "-c", command],
      cwd,
      signal: run.signal,
      family: true,
      onOutput: add,
    });
    return { output: cut ? `[beginning left out]\n${output}` : output, exitCode: result.exitCode };
  } catch (error) {
    if (run.signal.aborted) return { output, exitCode: null };
    throw error;
  }
}
