// However the process ends, the terminal is as it was. Nothing here waits.
import { writeSync } from "node:fs";
import { EMERGENCY_RESTORE, RESTORE_TITLE } from "./terminal-modes.ts";

export interface WayOut {
  /** The terminal was restored in the ordinary way. */
  readonly done: () => void;
}

const STDOUT = 1;
const ENDING_SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

/** onSignal: someone outside wants us to end. */
export function watchWayOut(onSignal: () => void): WayOut {
  const restore = () => {
    try {
      process.stdin.setRawMode?.(false);
      writeSync(STDOUT, EMERGENCY_RESTORE + RESTORE_TITLE);
    } catch {
      // The terminal is gone: there is nothing left to restore.
    }
  };
  const crash = (error: unknown) => {
    done();
    restore();
    throw error;
  };
  const done = () => {
    process.off("exit", restore);
    process.off("uncaughtException", crash);
    process.off("unhandledRejection", crash);
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
  };
  process.on("exit", restore);
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  return { done };
}
