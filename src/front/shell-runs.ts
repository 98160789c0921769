// Commands the person runs with `!`. Nobody is asked about the person's own commands; their output is shown like that
// of a tool, and goes to the model with the next prompt.

import { outsideText } from "../base/outside-text.ts";
import { shellProgram } from "../base/shell-program.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage } from "../domain/error.ts";
import type { Tell } from "./event-log.ts";

interface ShellRun {
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

interface ShellResult {
  readonly output: string;
  /** null: it was stopped. */
  readonly exitCode: number | null;
}

export type RunShell = (command: string, run: ShellRun) => Promise<ShellResult>;

/** Stands for the beginning of long output, which was dropped. */
export const CUT = "…";
const MAX_OUTPUT = 30_000;

/** The end says most, and more would crowd out the conversation. */
export function lastOf(output: string): string {
  return output.length <= MAX_OUTPUT ? output : CUT + output.slice(-MAX_OUTPUT);
}

export class ShellRuns {
  readonly #tell: Tell;
  readonly #runShell: RunShell;
  #controller: AbortController | null = null;
  #outputs: readonly string[] = [];

  constructor(tell: Tell, runShell: RunShell) {
    this.#tell = tell;
    this.#runShell = runShell;
  }

  get waitingOutputs(): number {
    return this.#outputs.length;
  }

  stop(): void {
    this.#controller?.abort();
  }

  /** Takes the outputs that go with the prompt that is about to be sent. */
  takeOutputs(): readonly string[] {
    const taken = this.#outputs;
    if (taken.length > 0) this.#setOutputs([]);
    return taken;
  }

  /** shared: the model gets to see it. */
  async run(command: string, shared: boolean): Promise<void> {
    if (this.#controller !== null)
      return this.#tell({ type: "note", tone: "warning", text: "A command is still running." });
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#tell({ type: "shell-started", command: stripTerminalControls(command), shared });
    const onOutput = (text: string) =>
      this.#tell({ type: "shell-output", text: stripTerminalControls(text) });
    // As in any shell, a command that can't be started gives a message, not a failure of the program.
    const failed = (error: unknown): ShellResult => ({ output: errorMessage(error), exitCode: null });
    const { output: whole, exitCode } = await this.#runShell(command, { signal, onOutput }).catch(failed);
    this.#controller = null;
    const output = lastOf(stripTerminalControls(whole));
    this.#tell({ type: "shell-ended", output, exitCode });
    if (shared) this.#setOutputs([...this.#outputs, textForModel(command, output, exitCode)]);
  }

  #setOutputs(outputs: readonly string[]): void {
    this.#outputs = outputs;
    this.#tell({ type: "outputs-waiting", count: outputs.length });
  }
}

function textForModel(command: string, output: string, exitCode: number | null): string {
  const end = exitCode === null ? "it was stopped" : `exit code ${exitCode}`;
  return `[I ran this command myself, ${end}:] $ ${command}\n${outsideText(output.trimEnd(), "its output")}`;
}

export async function runShellCommand(command: string, cwd: string, run: ShellRun): Promise<ShellResult> {
  const { signal } = run;
  const decoder = new TextDecoder();
  let output = "";
  const onOutput = (piece: Uint8Array): undefined => {
    const text = decoder.decode(piece, { stream: true });
    run.onOutput(text);
    output = lastOf(output + text);
  };
  try {
    const argv = [shellProgram(), "-c", command];
    const { runProcess } = await import("../base/process.ts");
    const { exitCode } = await runProcess({ argv, cwd, signal, family: true, onOutput });
    return { output, exitCode };
  } catch (error) {
    if (signal.aborted) return { output, exitCode: null };
    throw error;
  }
}
