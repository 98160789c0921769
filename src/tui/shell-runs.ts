// Commands the person runs with `!`: shown like a tool call, and handed to the model with the next prompt.
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage } from "../domain/error.ts";
import { shellOutputText } from "./input/prepared-prompt.ts";
import type { ShellResult, TerminalPorts } from "./ports.ts";
import { CUT, type ShellEntry } from "./state/entry.ts";
import type { Store } from "./store.ts";

/** More would crowd out the conversation; the end of an output says most. */
const MAX_OUTPUT = 30_000;

export class ShellRuns {
  readonly #store: Store;
  readonly #runShell: TerminalPorts["runShell"];
  #controller: AbortController | null = null;

  constructor(store: Store, runShell: TerminalPorts["runShell"]) {
    this.#store = store;
    this.#runShell = runShell;
  }

  get isRunning(): boolean {
    return this.#controller !== null;
  }

  stop(): void {
    this.#controller?.abort();
  }

  /** shared: the model gets to see it. */
  async run(command: string, shared: boolean): Promise<void> {
    if (this.isRunning)
      return this.#store.dispatch({ type: "note", tone: "warning", text: "A command is still running." });
    const controller = new AbortController();
    this.#controller = controller;
    const { nextId } = this.#store.get().transcript;
    const entry: ShellEntry = {
      kind: "shell",
      command: stripTerminalControls(command),
      output: "",
      shared,
      open: true,
      startedAt: Date.now(),
      exitCode: null,
    };
    this.#store.dispatch({ type: "entries-added", entries: [entry] });
    const onOutput = (text: string) =>
      this.#change(nextId, (shown) => ({ output: bounded(shown.output + stripTerminalControls(text)) }));
    const result = await this.#try(command, { signal: controller.signal, onOutput });
    this.#controller = null;
    const output = bounded(stripTerminalControls(result.output));
    this.#change(nextId, () => ({ output, exitCode: result.exitCode, open: false }));
    if (!shared) return;
    const text = shellOutputText(command, output, result.exitCode);
    this.#store.change({ shellOutputs: [...this.#store.get().shellOutputs, text] });
  }

  async #try(command: string, run: Parameters<TerminalPorts["runShell"]>[1]): Promise<ShellResult> {
    try {
      return await this.#runShell(command, run);
    } catch (error) {
      // A shell that can't be started is the result of the command, as in any shell.
      return { output: errorMessage(error), exitCode: null };
    }
  }

  #change(id: number, change: (entry: ShellEntry) => Partial<ShellEntry>): void {
    this.#store.dispatch({
      type: "entries-changed",
      change: (entry) => (entry.id === id && entry.kind === "shell" ? { ...entry, ...change(entry) } : entry),
    });
  }
}

function bounded(output: string): string {
  return output.length <= MAX_OUTPUT ? output : CUT + output.slice(-MAX_OUTPUT);
}
