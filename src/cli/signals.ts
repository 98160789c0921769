// One Ctrl-C stops cleanly, a second exits at once. SIGTERM and a closed terminal window act like one Ctrl-C.
import { UserAbortError } from "../domain/error.ts";
import { EXIT_ABORTED } from "./exit-code.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Returns the exit code of `work`, or does not wait for it when the person presses Ctrl-C twice. */
export async function stoppable(
  work: (controller: AbortController) => Promise<number>,
  onStop: () => void,
): Promise<number> {
  const controller = new AbortController();
  const { promise: left, resolve: leave } = Promise.withResolvers<number>();
  const stop = (name: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      controller.abort(new UserAbortError());
      onStop();
    } else if (name === "SIGINT") leave(EXIT_ABORTED);
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await Promise.race([work(controller), left]);
  } finally {
    for (const name of SIGNALS) process.removeListener(name, stop);
  }
}
