// Restores the terminal however the process ends. Nothing here waits.
import { writeSync } from "node:fs";
import { EMERGENCY_RESTORE } from "./terminal-modes.ts";

const STDOUT = 1;
const ENDING_SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

interface Endings {
  /** A signal asks us to end. */
  readonly onSignal: () => void;
  /** An error was thrown where nothing could catch it. */
  readonly onBug: (error: unknown) => void;
}

/** Returns a function to call when the terminal was restored in the ordinary way. */
export function watchWayOut({ onSignal, onBug }: Endings): () => void {
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
  return () => {
    process.off("exit", restore);
    process.off("uncaughtException", onBug);
    process.off("unhandledRejection", onBug);
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
  };
}
