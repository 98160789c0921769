// The time is shown once.
import { expect, test } from "bun:test";
import { PLAIN_CANVAS } from "../../../test/support/plain-canvas.ts";
import { type RunningRequest, startRequest, withActivity } from "../state/running-request.ts";
import { activityView } from "./activity.ts";

function check(request: RunningRequest, seconds: number, expected: string): void {
  const canvas = { ...PLAIN_CANVAS, now: seconds * 1_000 };
  expect(activityView(request, canvas)[0]?.slice(2)).toBe(expected);
}

const writing = (since: number) => withActivity(startRequest(0), "Writing", since * 1_000);
const waiting = (since: number): RunningRequest => ({
  ...startRequest(0),
  waiting: { awaited: "the first byte", since: since * 1_000, deadlineMs: 60_000 },
});

test("an activity that began with the request has no second time", () => {
  check(writing(1), 3, "Writing · 3s · Esc stops");
  check(writing(1), 4, "Writing for 3s · Esc stops");
  check(waiting(0), 20, "Waiting for the first byte, 20s of at most 1m 00s · Esc stops");
});

test("an activity that began later has its own time beside the request's", () => {
  check(writing(10), 12, "Writing · 12s · Esc stops");
  check(writing(10), 15, "Writing for 5s · 15s · Esc stops");
  check(waiting(10), 20, "Waiting for the first byte, 10s of at most 1m 00s · 20s · Esc stops");
});

test("stopping has no time", () => {
  check({ ...waiting(0), stopping: true }, 20, "Stopping · 20s · Esc stops");
});

test("what can't be stopped names no key", () => {
  const goingBack = { ...withActivity(startRequest(0), "Going back", 0), canStop: false };
  check(goingBack, 1, "Going back · 1s");
  check(goingBack, 4, "Going back for 4s");
});
