// Commands the person runs with `!`: told like a tool call, and handed to the model with the next prompt.
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage } from "../domain/error.ts";
import { lastOf } from "./bounded-output.ts";
import type { Tell } from "./event-log.ts";
import type { FrontPorts } from "./ports.ts";
import { shellOutputText } from "./prepared-prompt.ts";
import type { ShellResult, ShellRun } from "./shell-command.ts";

export class ShellRuns {
  readonly #tell: Tell;
  readonly #runShell: FrontPorts["runShell"];
  #controller: AbortController | null = null;
  #outputs: readonly string[] = [];

  constructor(tell: Tell, runShell: FrontPorts["runShell"]) {
    this.#tell = tell;
    this.#runShell = runShell;
  }

  get isRunning(): boolean {
    return this.#controller !== null;
  }

  get waitingOutputs(): number {
    return this.#outputs.length;
  }

  stop(): void {
    this.#controller?.abort();
  }

  /** What goes with the prompt that is about to be sent. */
  takeOutputs(): readonly string[] {
    const taken = this.#outputs;
    if (taken.length > 0) this.#setOutputs([]);
    return taken;
  }

  /** shared: the model gets to see it. */
  async run(command: string, shared: boolean): Promise<void> {
    if (this.isRunning)
      return this.#tell({ type: "note", tone: "warning", text: "A command is still running." });
    const controller = new AbortController();
    this.#controller = controller;
    this.#tell({ type: "shell-started", command: stripTerminalControls(command), shared });
    const onOutput = (text: string) =>
      this.#tell({ type: "shell-output", text: stripTerminalControls(text) });
    const { output: whole, exitCode } = await this.#try(command, { signal: controller.signal, onOutput });
    this.#controller = null;
    const output = lastOf(stripTerminalControls(whole));
    this.#tell({ type: "shell-ended", output, exitCode });
    if (shared) this.#setOutputs([...this.#outputs, shellOutputText(command, output, exitCode)]);
  }

  #setOutputs(outputs: readonly string[]): void {
    this.#outputs = outputs;
    this.#tell({ type: "outputs-waiting", count: outputs.length });
  }

  async #try(command: string, run: ShellRun): Promise<ShellResult> {
    try {
      return await this.#runShell(command, run);
    } catch (error) {
      // A shell that can't be started is the result of the command, as in any shell.
      return { output: errorMessage(error), exitCode: null };
    }
  }
}
