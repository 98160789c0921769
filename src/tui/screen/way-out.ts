// Restores the terminal however the process ends. Nothing here waits.
import { writeSync } from "node:fs";
import { EMERGENCY_RESTORE } from "./terminal-modes.ts";

export interface WayOut {
  /** The terminal was restored in the ordinary way. */
  readonly done: () => void;
}

const STDOUT = 1;
const ENDING_SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

export interface Endings {
  /** A signal asks us to end. */
  readonly onSignal: () => void;
  /** An error was thrown where nothing could catch it. */
  readonly onBug: (error: unknown) => void;
}

export function watchWayOut({ onSignal, onBug }: Endings): WayOut {
  const restore = () => {
    try {
      process.stdin.setRawMode?.(false);
      writeSync(STDOUT, EMERGENCY_RESTORE);
    } catch {
      // The terminal is gone, so there is nothing to restore.
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
