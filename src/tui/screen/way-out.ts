// However the process ends, the terminal is as it was. Nothing here waits.
import { writeSync } from "node:fs";
import { EMERGENCY_RESTORE } from "./terminal-modes.ts";

export interface WayOut {
  /** The terminal was restored in the ordinary way. */
  readonly done: () => void;
}

const STDOUT = 1;
const ENDING_SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

export interface Endings {
  /** Someone outside wants us to end. */
  readonly onSignal: () => void;
  /** Something threw where nobody could catch it. */
  readonly onBug: (error: unknown) => void;
}

export function watchWayOut({ onSignal, onBug }: Endings): WayOut {
  const restore = () => {
    try {
      process.stdin.setRawMode?.(false);
      writeSync(STDOUT, EMERGENCY_RESTORE);
    } catch {
      // The terminal is gone: there is nothing left to restore.
    }
  };
  process.on("exit", restore);
  process.on("uncaughtException", onBug);
  process.on("unhandledRejection", onBug);
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  return {
    done: () => {
      process.off("exit", restore);
      process.off("uncaughtException", onBug);
      process.off("unhandledRejection", onBug);
      for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
    },
  };
}
