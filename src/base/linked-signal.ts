// An abort signal that follows its parent and has a deadline as well, for work within a request.
import { abortReason, NO_LONGER_NEEDED } from "./abort.ts";
import type { Clock } from "./clock.ts";

interface LinkedSignal {
  readonly signal: AbortSignal;
  /** True if the deadline aborted it, not the parent. */
  readonly expired: () => boolean;
  /** Removes the listener on the parent and the timer. */
  readonly release: () => void;
}

export function signalWithDeadline(parent: AbortSignal, ms: number, clock: Clock): LinkedSignal {
  const controller = new AbortController();
  const timer = new AbortController();
  let expired = false;
  const follow = () => controller.abort(abortReason(parent));
  if (parent.aborted) follow();
  else parent.addEventListener("abort", follow, { once: true });
  if (ms === Number.POSITIVE_INFINITY) timer.abort(NO_LONGER_NEEDED);
  clock.sleep(ms, timer.signal).then(
    () => {
      expired = !controller.signal.aborted;
      controller.abort(new Error(`Not finished within ${ms / 1000} s.`));
    },
    // It was released before the deadline, or there was no deadline.
    () => {},
  );
  return {
    signal: controller.signal,
    expired: () => expired,
    release: () => {
      parent.removeEventListener("abort", follow);
      timer.abort(NO_LONGER_NEEDED);
    },
  };
}
