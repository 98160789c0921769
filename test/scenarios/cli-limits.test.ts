// Limits through the binary: a session stays within what it may cost, also over several runs, and the figures agree.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call, type TurnUsage } from "../support/strict-llm-server/turn.ts";

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
}, 120_000);
afterAll(() => lab.close());

/** The price of gpt-4o. */
const dollars = ({ input, output }: TurnUsage) => (input * 2.5 + output * 10) / 1e6;

async function run(args: readonly string[], model = "openai:gpt-4o") {
  const { code, stdout, stderr } = await lab.run(["run", "--output-json", "-m", model, ...args, "hi"]);
  return { code, stderr, result: JSON.parse(stdout) };
}

test("four runs of a session at $0.40 each stop before they pass $0.50", async () => {
  const usage = { input: 120_000, output: 10_000 };
  expect(dollars(usage)).toBeCloseTo(0.4, 9);
  lab.script(() => ({ ...answer("fine"), usage }));
  const before = lab.server.requests.length;
  const first = await run(["--max-cost", "0.5"]);
  expect(first).toMatchObject({ code: 0, result: { outcome: "completed" } });
  expect(first.result.usage.cost).toBeCloseTo(0.4, 9);
  for (let again = 0; again < 3; again++) {
    const { code, result } = await run(["-c", "--max-cost", "0.5"]);
    expect({ code, outcome: result.outcome }).toEqual({ code: 5, outcome: "limit" });
    expect(result.usage.cost).toBe(0);
    expect(result.error.message).toContain("--max-cost");
    expect(result.messages.at(-1).kind).toBe("response");
  }
  expect(lab.server.requests.length - before).toBe(1);
  const more = await run(["-c", "--max-cost", "2"]);
  expect(more.code).toBe(0);
  expect(lab.server.requests.length - before).toBe(2);
}, 120_000);

test("a vendor that keeps to the cap on an answer never passes the limit, and each run tells what it cost", async () => {
  let spent = 0;
  lab.script(({ body }) => {
    const cap = Number(body["max_tokens"] ?? body["max_completion_tokens"] ?? 16_000);
    const usage = { input: 9_000, output: cap };
    spent += dollars(usage);
    return { ...answer("on", call("list_dir", {})), usage };
  });
  const { code, result } = await run(["--max-cost", "0.5", "--max-iterations", "50"]);
  expect({ code, name: result.outcome }).toEqual({ code: 5, name: "limit" });
  expect(spent).toBeWithin(0.4, 0.5);
  expect(result.usage.cost).toBeCloseTo(spent, 9);
}, 60_000);

test("a model without a price has no cost, and a limit on cost says that it can't hold", async () => {
  lab.script([answer("fine")]);
  const { code, result, stderr } = await run(["--max-cost", "1"], "openai:unheard-of");
  expect(code).toBe(0);
  expect(result.usage.cost).toBeNull();
  expect(stderr).toContain("the limit on cost can't stop it");
}, 60_000);

test("--max-tool-calls ends a run before one call too many", async () => {
  let number = 0;
  lab.script(() => answer(call("glob", { pattern: `*.${number++}` })));
  const { code, result } = await run(["--max-tool-calls", "3"]);
  expect(code).toBe(5);
  const statuses = result.tool_calls.map(({ status }: { status: string }) => status);
  expect(statuses).toEqual(["completed", "completed", "completed", "failed"]);
}, 60_000);

test("a limit that leaves no time to sum up is told on stderr; stdout has the answer as far as it came", async () => {
  lab.script(() => answer("Looking.", call("list_dir", {})));
  const limited = async (...flags: string[]) => {
    const { code, stdout, stderr } = await lab.run(["run", "-m", "openai:gpt-4o", ...flags, "hi"]);
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining("tunacode: Stopped: ") });
    return stdout;
  };
  expect(await limited("--max-cost", "0.0001")).toBe("");
  expect(await limited("--max-tool-calls", "1")).toBe("Looking.\n");
}, 60_000);

test("a call that was broken off is counted, as an estimate", async () => {
  const broken = {
    ...answer("half an answer ".repeat(40)),
    delivery: { cut: { atByte: 2_000, how: "reset" } },
  } as const;
  lab.script([broken, { ...answer("the rest"), usage: { input: 10, output: 5 } }]);
  const { result } = await run([]);
  expect(result.usage.estimated).toBe(true);
  expect(result.usage.prompt_tokens).toBeGreaterThan(1_000);
  expect(result.usage.completion_tokens).toBeGreaterThan(5 + 10);
  expect(result.usage.cost).toBeGreaterThan(0);
}, 60_000);
