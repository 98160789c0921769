// Gives up on a server that can't be connected to. fetch() doesn't say when its connection stands, so a call
// that has heard nothing for half the time is checked with a connection of its own.
import { systemClock } from "../base/clock.ts";
import type { Environment } from "./settings.ts";

/** Rejects with `failure()` when no connection can be made in time; never resolves. */
export function connectDeadline(
  url: string,
  connectMs: number,
  answered: AbortSignal,
  failure: () => Error,
): Promise<never> {
  return new Promise((_, reject) => {
    const half = connectMs / 2;
    systemClock.sleep(half, answered).then(
      async () => {
        if (!(await isReachable(url, half)) && !answered.aborted) reject(failure());
      },
      // An answer came: nothing is left to watch.
      () => {},
    );
  });
}

/** Behind a proxy a connection of our own says nothing. */
export function usesProxy(env: Environment): boolean {
  return ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].some((name) => env[name] || env[name.toLowerCase()]);
}

export async function isReachable(url: string, withinMs: number): Promise<boolean> {
  // Loaded here, because a call that is answered never comes this way.
  const { connect } = await import("node:net");
  const { hostname, port, protocol } = new URL(url);
  return await new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port) || (protocol === "https:" ? 443 : 80),
    });
    const answer = (reachable: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reachable);
    };
    const timer = setTimeout(() => answer(false), withinMs);
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
  });
}
