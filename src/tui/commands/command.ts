// A command that is typed after a slash, and what it may use.
import type { PickOptions } from "../pickers.ts";
import type { PlanMode } from "../plan-mode.ts";
import type { SessionChoice, TerminalAgent, TerminalPorts } from "../ports.ts";
import type { RequestQueue } from "../request-queue.ts";
import type { Tone } from "../state/entry.ts";
import type { PickerItem } from "../state/picker.ts";
import type { Store } from "../store.ts";

export interface Command {
  readonly name: string;
  readonly description: string;
  /** Values that can follow. */
  readonly argument?: readonly string[];
  readonly run: (args: string, context: CommandContext) => Promise<void> | void;
}

export interface CommandContext {
  readonly ports: TerminalPorts;
  readonly store: Store;
  readonly queue: RequestQueue;
  readonly agent: () => TerminalAgent;
  readonly planMode: PlanMode;
  readonly commands: () => readonly Command[];
  readonly say: (text: string, tone?: Tone) => void;
  readonly pick: (
    title: string,
    items: readonly PickerItem[],
    options?: PickOptions,
  ) => Promise<string | null>;
  readonly openSession: (choice: SessionChoice) => Promise<void>;
  readonly modelChanged: () => void;
  readonly themeName: () => string;
  readonly setTheme: (name: string) => void;
  readonly clearScreen: () => void;
  /** Into the clipboard; null: there is no screen to do it with. */
  readonly copy: ((text: string) => Promise<void>) | null;
  readonly leave: () => void;
}
