// Starts the loopback model and asks it what it has seen.
import { join } from "node:path";

export interface ModelServer {
  readonly baseUrl: string;
  readonly seen: () => Promise<Seen>;
  /** The next request counts as the first. */
  readonly forget: () => Promise<void>;
  readonly stop: () => void;
}

export interface Seen {
  readonly requests: number;
  /** When the first request came, in the milliseconds of the clock on the wall. */
  readonly firstAt: number;
  readonly lastBody: string;
  readonly largestBody: string;
  /** Milliseconds from each answer to the request that came after it. */
  readonly pauses: readonly number[];
}

export async function startModelServer(): Promise<ModelServer> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "model-server.ts")], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const origin = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`;
  return {
    baseUrl: `${origin}/v1`,
    seen: async () => (await (await fetch(`${origin}/seen`)).json()) as Seen,
    forget: async () => {
      await fetch(`${origin}/forget`);
    },
    stop: () => child.kill(),
  };
}
