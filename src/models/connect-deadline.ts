// Gives up on a server that can't be connected to. fetch() doesn't say when it is connected, so after half of the time
// without an answer, a second connection is opened to check.
import type { Environment } from "../base/xdg.ts";

export interface ConnectDeadline {
  /** Rejects when no connection can be made in time; never resolves. */
  readonly missed: Promise<never>;
  /** Ends the watch, because an answer came. */
  readonly lift: () => void;
}

export function connectDeadline(url: string, connectMs: number, failure: () => Error): ConnectDeadline {
  const { promise: missed, reject } = Promise.withResolvers<never>();
  const half = connectMs / 2;
  let isLifted = false;
  const timer = setTimeout(async () => {
    if (!(await isReachable(url, half)) && !isLifted) reject(failure());
  }, half);
  const lift = () => {
    isLifted = true;
    clearTimeout(timer);
  };
  return { missed, lift };
}

/** Behind a proxy, a second connection proves nothing. */
export function usesProxy(env: Environment): boolean {
  return ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].some((name) => env[name] || env[name.toLowerCase()]);
}

export async function isReachable(url: string, withinMs: number): Promise<boolean> {
  // Loaded here, because most calls are answered and never need it.
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
