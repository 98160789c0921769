// The system clock, with delays that timers get wrong.
import { expect, test } from "bun:test";
import { systemClock } from "./clock.ts";

test.each([2 ** 31, 1e12, Number.POSITIVE_INFINITY])("a wait of %d ms does not end at once", async (ms) => {
  const controller = new AbortController();
  const long = systemClock.sleep(ms, controller.signal).then(
    () => "over",
    (error) => error.message,
  );
  const first = await Promise.race([long, systemClock.sleep(30).then(() => "still waiting")]);
  controller.abort(new Error("stopped"));
  expect(first).toBe("still waiting");
  expect(await long).toBe("stopped");
});
