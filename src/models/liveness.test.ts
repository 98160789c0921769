import { expect, test } from "bun:test";
import { CallLiveness, type Phase } from "./liveness.ts";

/** Watches for `forMs`, with a sign every `everyMs` if there is one. */
async function watch(
  timeouts: { firstByteMs: number; idleMs: number; noticeMs: number },
  forMs: number,
  everyMs = 0,
) {
  const notices: string[] = [];
  const gaveUp: Phase[] = [];
  const liveness = new CallLiveness(
    "vendor",
    { connectMs: 1, ...timeouts },
    {
      silent: ({ awaited }) => notices.push(awaited),
      gaveUp: (phase) => gaveUp.push(phase),
    },
  );
  const signs = everyMs > 0 ? setInterval(() => liveness.sign(), everyMs) : undefined;
  await Bun.sleep(forMs);
  clearInterval(signs);
  liveness.stop();
  return { notices, gaveUp };
}

test("silence is reported, and ends at the deadline", async () => {
  const { notices, gaveUp } = await watch({ firstByteMs: 200, idleMs: 10_000, noticeMs: 60 }, 400);
  expect(notices[0]).toBe("the first byte from vendor");
  expect(notices.length).toBeLessThanOrEqual(3);
  expect(gaveUp).toEqual(["first byte"]);
});

test("signs of life postpone the deadline", async () => {
  const { notices, gaveUp } = await watch({ firstByteMs: 300, idleMs: 300, noticeMs: 250 }, 700, 20);
  expect([notices, gaveUp]).toEqual([[], []]);
});

test("after the first byte the other deadline applies, even if it comes before the next notice", async () => {
  const liveness = { gaveUp: [] as Phase[] };
  const watched = new CallLiveness(
    "vendor",
    { connectMs: 1, firstByteMs: 60_000, idleMs: 50, noticeMs: 60_000 },
    {
      silent: () => {},
      gaveUp: (phase) => liveness.gaveUp.push(phase),
    },
  );
  watched.sign();
  await Bun.sleep(200);
  expect(liveness.gaveUp).toEqual(["next byte"]);
});

test("once stopped, it reports nothing more", async () => {
  const said: string[] = [];
  const liveness = new CallLiveness(
    "vendor",
    { connectMs: 1, firstByteMs: 20, idleMs: 20, noticeMs: 10 },
    {
      silent: () => said.push("silent"),
      gaveUp: () => said.push("gave up"),
    },
  );
  liveness.stop();
  liveness.sign();
  await Bun.sleep(60);
  expect(said).toEqual([]);
});
