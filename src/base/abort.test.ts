import { expect, test } from "bun:test";
import { iterateUntilAbort, untilAbort } from "./abort.ts";
import { systemClock } from "./clock.ts";

const never = new Promise<never>(() => {});

test("an abort ends a wait with its reason, and leaves no timer", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(60_000, controller.signal);
  const waiting = untilAbort(never, controller.signal);
  const reason = new Error("enough");
  controller.abort(reason);
  expect(await sleeping.catch((error) => error)).toBe(reason);
  expect(await waiting.catch((error) => error)).toBe(reason);
});

test("after an abort nothing is awaited, and a later rejection is ignored", async () => {
  const signal = AbortSignal.abort(new Error("before"));
  await expect(systemClock.sleep(60_000, signal)).rejects.toThrow("before");
  await expect(untilAbort(Promise.reject(new Error("late")), signal)).rejects.toThrow("before");
});

test("an iteration ends at once although its source hangs", async () => {
  const controller = new AbortController();
  const seen: number[] = [];
  async function* source() {
    yield 1;
    await never;
  }
  const iterating = (async () => {
    for await (const item of iterateUntilAbort(source(), controller.signal)) seen.push(item);
  })();
  await null;
  setTimeout(() => controller.abort(new Error("stop")), 5);
  await expect(iterating).rejects.toThrow("stop");
  expect(seen).toEqual([1]);
});
