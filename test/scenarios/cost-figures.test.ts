// Wherever a person or a script looks, the cost is the same figure: /cost, the status bar, the summary of a run, json.
import { expect, test } from "bun:test";
import { formatCost } from "../../src/base/numbers.ts";
import { spent } from "../../src/cli/figures.ts";
import { encodeUsage } from "../../src/cli/json.ts";
import { newRunRecord, recordEvent } from "../../src/cli/run-record.ts";
import { ProviderError, UserAbortError } from "../../src/domain/error.ts";
import type { UsageTotals } from "../../src/domain/usage.ts";
import { costCommand } from "../../src/front/commands/information.ts";
import type { Panel } from "../../src/front/contract.ts";
import type { Script, ScriptedTurn } from "../../src/models/scripted.ts";
import { foldEvent } from "../../src/tui/state/fold-event.ts";
import { INITIAL_VIEW } from "../../src/tui/state/view-state.ts";
import { createTheme } from "../../src/tui/theme/theme.ts";
import { statusBarView } from "../../src/tui/view/status-bar.ts";
import { ticks } from "../support/loop-cases.ts";
import { scenario } from "../support/scenario.ts";

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const usage = { requestTokens: 40_007, responseTokens: 333, cachedTokens: 12_345, writtenTokens: 2_111 };
const cut: ScriptedTurn = [
  { text: "w".repeat(4_000) },
  { fail: new ProviderError("provider_error", "It broke off.") },
];
const done: ScriptedTurn = [{ text: "done" }, { usage }];

const CASES: readonly [
  name: string,
  script: Pick<Script, "turns" | "price">,
  shown: RegExp,
  cost: number | null,
][] = [
  ["a known price", { turns: [done], price }, /^\$\d+\.\d\d$/, 0.093_267_75],
  ["a call that broke off", { turns: [cut], price }, /^about \$0\.02$/, 0.015_012],
  ["no price", { turns: [done] }, /^no price$/, null],
];

test.each(CASES)("%s", async (_name, { turns, ...given }, shown, cost) => {
  const run = scenario(turns, [], given);
  const record = newRunRecord();
  let view = { ...INITIAL_VIEW, sessionId: "s" };
  const { events } = await run.ask("go");
  for (const event of events) {
    recordEvent(record, event);
    view = foldEvent(view, event, 0);
  }
  const text = await inCostCommand(run.manager.session.usage.sessionTotal);
  expect(text).toMatch(shown);
  expect(statusBarView(view, { width: 200, theme: createTheme("dark", "none") } as never)[0]).toContain(text);
  expect(spent(record.usage)).toContain(text);
  const json = encodeUsage(record.usage)["cost"];
  if (cost === null) expect(json).toBeNull();
  else {
    expect(json).toBeCloseTo(cost, 9);
    expect(text).toEndWith(formatCost(Number(json)));
  }
});

test("an abort before anything came costs the input", async () => {
  const run = scenario([[{ hang: true }]], [], { price });
  const controller = new AbortController();
  const asking = run.ask("go ".repeat(1_000), { controller });
  await ticks(200);
  controller.abort(new UserAbortError());
  const { outcome, events } = await asking;
  expect(outcome.type).toBe("aborted");
  const calls = events.flatMap((event) => (event.type === "usage" ? [event.call] : []));
  expect(calls).toMatchObject([{ promptTokens: 753, completionTokens: 0, estimated: true }]);
});

async function inCostCommand(used: UsageTotals): Promise<string> {
  let panel: Panel | undefined;
  const session = { agent: () => ({ usage: () => used }) };
  const show = (shown: Panel) => {
    panel = shown;
  };
  await costCommand.run("", { session, show } as never);
  return panel?.rows.find(([name]) => name === "Cost")?.[1] ?? "";
}
