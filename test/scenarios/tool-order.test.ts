// Calls run in their order: neighbours without effects in parallel, a write alone and in its place; returns likewise.
import { expect, test } from "bun:test";
import type { ToolKind } from "../../src/domain/tool.ts";
import { scenario, tool } from "../support/scenario.ts";

const KINDS: Record<string, ToolKind> = { r: "research", g: "read", w: "write" };

/** Runs calls such as "w1 g1 r1 g2", each taking 10 ms of virtual time; gives the log of begins and ends. */
async function order(calls: string, width = 4) {
  const log: string[] = [];
  const clock = { current: scenario([]).clock };
  const tools = Object.entries(KINDS).map(([name, kind]) =>
    tool(name, kind, async ({ n }) => {
      log.push(`+${name}${n}`);
      await clock.current.sleep(10);
      log.push(`-${name}${n}`);
      return `${name}${n}`;
    }),
  );
  const turn = calls.split(" ").map((call) => ({ call: call.charAt(0), args: { n: call.slice(1) } }));
  const run = scenario([turn, [{ text: "done" }]], tools, { parallelWidth: width });
  clock.current = run.clock;
  const { messages, events } = await run.ask("go");
  const returns = (messages[2]?.parts ?? []).map((part) =>
    part.kind === "tool-return" ? part.content : "?",
  );
  return { log: log.join(" "), returns: returns.join(" "), events };
}

test("nothing overtakes a write that stands before it", async () => {
  const { log } = await order("g1 w1 g2 r1 w2 g3");
  expect(log).toBe("+g1 -g1 +w1 -w1 +g2 +r1 -g2 -r1 +w2 -w2 +g3 -g3");
});

test("neighbouring research and reads overlap; writes never do", async () => {
  const { log } = await order("w1 w2 g1 r1 g2 r2");
  expect(log).toBe("+w1 -w1 +w2 -w2 +g1 +r1 +g2 +r2 -g1 -r1 -g2 -r2");
});

test("returns come back in the order of the calls", async () => {
  expect((await order("w1 g1 r1 w2 g2")).returns).toBe("w1 g1 r1 w2 g2");
});

test("no more calls than the parallel width run at once", async () => {
  expect((await order("g1 g2 g3", 2)).log).toBe("+g1 +g2 -g1 +g3 -g2 -g3");
});

test("an unknown tool counts as a write", async () => {
  const { returns, log } = await order("g1 x1 w1");
  expect(log).toBe("+g1 -g1 +w1 -w1");
  expect(returns).toContain('There is no tool called "x". Available: r, g, w.');
});

test.each([
  ["g1", "g"],
  ["g1 r1 w1", "g, r, w"],
  ["g1 r1 w1 w2", "g, r, w..."],
])("the label of %s is %s", async (calls, label) => {
  const { events } = await order(calls);
  expect(events.find((event) => event.type === "batch-start")?.label).toBe(label);
});
