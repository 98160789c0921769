// A command that the terminal runs itself because it needs the screen, and what the command may use.
import type { CommandHint, Front, TurnChanges } from "../../front/contract.ts";
import type { Pickers } from "../pickers.ts";
import type { Store } from "../store.ts";

export interface LocalCommand extends CommandHint {
  readonly run: (args: string, context: LocalContext) => Promise<void> | void;
}

export interface LocalContext {
  readonly front: Front;
  readonly store: Store;
  readonly pick: Pickers["pick"];
  readonly themeName: () => string;
  readonly setTheme: (name: string) => void;
  /** Keeps it for the next start. */
  readonly saveTheme: (name: string) => Promise<void>;
  /** Clears the screen as soon as another session is open. */
  readonly clearScreen: () => void;
  /** Copies into the clipboard; null: there is no screen to do it with. */
  readonly copy: ((text: string) => Promise<void>) | null;
  readonly showChanges: (turns: readonly TurnChanges[]) => Promise<void>;
  readonly leave: () => void;
}
