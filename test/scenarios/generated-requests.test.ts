// Whatever a model does, and in any order, the request ends in a legal state with a valid history.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { ProviderError, UserAbortError } from "../../src/domain/error.ts";
import { isSettled } from "../../src/domain/tool-call.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { type AgentState, ResponseState } from "../../src/loop/response-state.ts";
import type { ScriptedStep } from "../../src/models/scripted.ts";
import { ticks } from "../support/loop-cases.ts";
import { atMicrotask } from "../support/microtask-abort.ts";
import { scenario, tool } from "../support/scenario.ts";

const STATES: AgentState[] = ["user_input", "assistant", "tool_execution", "response"];
const LEGAL = [
  "user_input>assistant",
  "assistant>tool_execution",
  "assistant>response",
  "tool_execution>response",
  "response>assistant",
];
const PATHS: Record<AgentState, AgentState[]> = {
  user_input: [],
  assistant: ["assistant"],
  tool_execution: ["assistant", "tool_execution"],
  response: ["assistant", "response"],
};

test("every transition that is not listed is an error that names both states", () => {
  for (const from of STATES) {
    for (const to of STATES) {
      const state = new ResponseState();
      for (const step of PATHS[from]) state.transitionTo(step);
      if (LEGAL.includes(`${from}>${to}`)) {
        state.transitionTo(to);
        expect(state.current).toBe(to);
      } else {
        expect(() => state.transitionTo(to)).toThrow(`from ${from} to ${to}`);
        expect(state.current).toBe(from);
      }
    }
  }
});

const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  fc.record({
    text: fc.constantFrom("hello", " ", "", "{", '{"name":"look","arguments":{}}'),
    deltas: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ thought: fc.constantFrom("hm", " ") }),
  fc.record({
    call: fc.constantFrom("look", "edit", "dig", "fail", " look ", "nope", ""),
    id: fc.constantFrom("", "a", "b"),
  }),
  fc.record({
    call: fc.constantFrom("look", "edit"),
    rawArgs: fc.constantFrom('{"a', "[]", "", null, "{}", 5),
  }),
  fc.constant<ScriptedStep>({ usage: { requestTokens: 1, responseTokens: 1, cachedTokens: 0 } }),
  fc.constantFrom<ScriptedStep>({ finish: "length" }, { finish: "stop" }, { finish: "other" }),
  fc.constant<ScriptedStep>({ fail: new ProviderError("provider_error", "cut") }),
);
const script = fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 5 });

const RUNS = process.env["TUNACODE_LONG"] ? 50_000 : 10_000;

test(`${RUNS} generated requests`, async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.integer({ min: 0, max: 400 }), async (turns, moment) => {
      const run = scenario(turns, [
        tool("look", "read", async () => {
          await ticks(2);
          return "saw";
        }),
        tool("dig", "research", () => "dug"),
        tool("edit", "write", () => "edited"),
        tool("fail", "write", () => {
          throw new Error("no");
        }),
      ]);
      const controller = new AbortController();
      const { result } = await atMicrotask(moment, run.ask("go", { controller }), () =>
        controller.abort(new UserAbortError()),
      );
      if (result.outcome.type === "failed") expect(result.outcome.code).not.toBe("internal");
      expect(checkHistory(result.messages)).toEqual([]);
      expect(run.manager.session.runtime.toolRegistry.list().every(isSettled)).toBe(true);
      expect(result.events.at(-1)?.type).toBe("request-end");
      const told = result.events.flatMap((event) => (event.type === "usage" ? [event.call] : []));
      const tokens = told.reduce((sum, call) => sum + call.promptTokens + call.completionTokens, 0);
      expect(run.manager.ports.budget.spent.totalTokens).toBe(tokens);
    }),
    { numRuns: RUNS },
  );
}, 120_000);
