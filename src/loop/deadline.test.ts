// The time limit of a request: what counts against it, what doesn't, and that no timer is left afterwards.
import { expect, test } from "bun:test";
import { virtualClock } from "../../test/support/virtual-clock.ts";
import { requestTimeoutSeconds, startDeadline } from "./deadline.ts";

test("a question that is answered after the request is over leaves no timer", async () => {
  const clock = virtualClock();
  const deadline = startDeadline(600, clock, () => {});
  const { promise, resolve } = Promise.withResolvers<void>();
  const question = deadline.pausedWhile(() => promise);
  deadline.release();
  resolve();
  await question;
  expect(clock.waiting()).toBe(0);
});

test.each([
  [undefined, 0],
  [null, 0],
  ["", 0],
  [0, 0],
  ["90", 90],
  [" 1.5 ", 1.5],
] as const)("a time limit of %p is %p s", (given, seconds) => {
  expect(requestTimeoutSeconds(given)).toBe(seconds);
});

test.each([-1, "-5", "soon", Number.NaN, Number.POSITIVE_INFINITY, {}, true])(
  "a time limit of %p is a configuration error",
  (given) => {
    expect(() => requestTimeoutSeconds(given)).toThrow("global_request_timeout");
  },
);
