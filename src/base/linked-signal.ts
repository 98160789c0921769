// An abort signal that follows its parent and has a deadline as well, for work within a request.
import { abortReason } from "./abort.ts";
import type { Clock } from "./clock.ts";
import { type PausableTimer, startTimer } from "./pausable-timer.ts";

interface LinkedSignal extends Pick<PausableTimer, "pausedWhile"> {
  readonly signal: AbortSignal;
  /** True if the deadline aborted it, not the parent. */
  readonly expired: () => boolean;
  /** Removes the listener on the parent and the timer. */
  readonly release: () => void;
}

export function signalWithDeadline(parent: AbortSignal, ms: number, clock: Clock): LinkedSignal {
  const controller = new AbortController();
  let expired = false;
  const follow = () => controller.abort(abortReason(parent));
  if (parent.aborted) follow();
  else parent.addEventListener("abort", follow, { once: true });
  const timer = startTimer(ms, clock, () => {
    expired = !controller.signal.aborted;
    controller.abort(new Error(`Not finished within ${ms / 1000} s.`));
  });
  return {
    signal: controller.signal,
    expired: () => expired,
    pausedWhile: timer.pausedWhile,
    release: () => {
      parent.removeEventListener("abort", follow);
      timer.release();
    },
  };
}
