// How long a request has run is said once.
import { expect, test } from "bun:test";
import { type RunningRequest, startRequest, withActivity } from "../state/running-request.ts";
import { createTheme } from "../theme/theme.ts";
import { activityView } from "./activity.ts";

function check(request: RunningRequest, seconds: number, expected: string): void {
  const theme = createTheme("tunacode", "none");
  const now = seconds * 1_000;
  const canvas = { width: 80, theme, now, unfolded: false, highlighter: null, wordDiff: null };
  expect(activityView(request, canvas)[0]?.slice(2)).toBe(expected);
}

const writing = (since: number) => withActivity(startRequest(0), "Writing", since * 1_000);
const waiting = (since: number): RunningRequest => ({
  ...startRequest(0),
  waiting: { awaited: "the first byte", since: since * 1_000, deadlineMs: 60_000 },
});

test("what began with the request has lasted as long: one time", () => {
  check(writing(1), 3, "Writing · 3s · Esc stops");
  check(writing(1), 4, "Writing for 3s · Esc stops");
  check(waiting(0), 20, "Waiting for the first byte, 20s of at most 1m 00s · Esc stops");
});

test("what began later has a time of its own beside the request's", () => {
  check(writing(10), 12, "Writing · 12s · Esc stops");
  check(writing(10), 15, "Writing for 5s · 15s · Esc stops");
  check(waiting(10), 20, "Waiting for the first byte, 10s of at most 1m 00s · 20s · Esc stops");
});

test("a stop is no activity with a time of its own", () => {
  check({ ...waiting(0), stopping: true }, 20, "Stopping · 20s · Esc stops");
});
