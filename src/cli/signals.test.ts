// The first signal stops the request, only a second Ctrl-C exits at once, and release removes the listeners.
import { expect, test } from "bun:test";
import { UserAbortError } from "../domain/error.ts";
import { listenForStop } from "./signals.ts";

async function after(...signals: ("SIGINT" | "SIGTERM" | "SIGHUP")[]) {
  const before = process.listenerCount("SIGINT");
  let told = 0;
  const { controller, leave, release } = listenForStop(() => told++);
  for (const signal of signals) process.emit(signal, signal);
  const left = await Promise.race([
    leave.then(() => true),
    new Promise((resolve) => setImmediate(resolve, false)),
  ]);
  release();
  expect(process.listenerCount("SIGINT")).toBe(before);
  if (controller.signal.aborted) expect(controller.signal.reason).toBeInstanceOf(UserAbortError);
  return { stopped: controller.signal.aborted, left, told };
}

test("a signal stops the request, a second Ctrl-C exits at once", async () => {
  expect(await after()).toEqual({ stopped: false, left: false, told: 0 });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    expect(await after(signal)).toEqual({ stopped: true, left: false, told: 1 });
  expect(await after("SIGINT", "SIGINT")).toEqual({ stopped: true, left: true, told: 1 });
  expect(await after("SIGTERM", "SIGINT")).toEqual({ stopped: true, left: true, told: 1 });
  expect(await after("SIGINT", "SIGTERM")).toEqual({ stopped: true, left: false, told: 1 });
});
