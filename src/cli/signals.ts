// One Ctrl-C stops cleanly, a second exits at once. SIGTERM and a closed terminal window act like one Ctrl-C.
import { UserAbortError } from "../domain/error.ts";

export interface StopSignals {
  readonly controller: AbortController;
  /** Resolves on the second Ctrl-C, when the person won't wait for a clean end. */
  readonly leave: Promise<void>;
  readonly release: () => void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function listenForStop(onStop: () => void): StopSignals {
  const controller = new AbortController();
  const { promise: leave, resolve } = Promise.withResolvers<void>();
  const stop = (name: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      controller.abort(new UserAbortError());
      onStop();
    } else if (name === "SIGINT") resolve();
  };
  for (const name of SIGNALS) process.on(name, stop);
  return {
    controller,
    leave,
    release: () => {
      for (const name of SIGNALS) process.removeListener(name, stop);
    },
  };
}
