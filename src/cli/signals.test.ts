// The first signal stops the request, only a second Ctrl-C exits at once, and no listener is left behind.
import { expect, test } from "bun:test";
import { UserAbortError } from "../domain/error.ts";
import { EXIT_ABORTED, EXIT_DONE } from "./exit-code.ts";
import { stoppable } from "./signals.ts";

async function after(...signals: ("SIGINT" | "SIGTERM" | "SIGHUP")[]) {
  const before = process.listenerCount("SIGINT");
  let told = 0;
  let stopped = false;
  const work = async ({ signal }: AbortController) => {
    for (const name of signals) process.emit(name, name);
    stopped = signal.aborted;
    if (stopped) expect(signal.reason).toBeInstanceOf(UserAbortError);
    await new Promise((resolve) => setImmediate(resolve));
    return EXIT_DONE;
  };
  const code = await stoppable(work, () => told++);
  expect(process.listenerCount("SIGINT")).toBe(before);
  return { stopped, left: code === EXIT_ABORTED, told };
}

test("a signal stops the request, a second Ctrl-C exits at once", async () => {
  expect(await after()).toEqual({ stopped: false, left: false, told: 0 });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    expect(await after(signal)).toEqual({ stopped: true, left: false, told: 1 });
  expect(await after("SIGINT", "SIGINT")).toEqual({ stopped: true, left: true, told: 1 });
  expect(await after("SIGTERM", "SIGINT")).toEqual({ stopped: true, left: true, told: 1 });
  expect(await after("SIGINT", "SIGTERM")).toEqual({ stopped: true, left: false, told: 1 });
});
