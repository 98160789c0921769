// A command that the terminal runs itself, because it needs the screen; and what it may use.
import type { CommandHint, Front } from "../../front/contract.ts";
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
  /** For the next time, too. */
  readonly saveTheme: (name: string) => Promise<void>;
  /** As soon as another session is open. */
  readonly clearScreen: () => void;
  /** Into the clipboard; null: there is no screen to do it with. */
  readonly copy: ((text: string) => Promise<void>) | null;
  readonly leave: () => void;
}
