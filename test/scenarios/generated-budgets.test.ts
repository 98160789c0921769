// Whatever vendors report, refuse or break off, with subagents side by side, summaries, aborts and resumes: no limit is passed by
// more than the input was underestimated, and what the budget was charged with is what a person would add up.
import { expect, test } from "bun:test";
import { memoryStateManager, type StateManager } from "../../src/app/agent.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { createResearch } from "../../src/app/subagent.ts";
import { ProviderError, UserAbortError } from "../../src/domain/error.ts";
import { type Limits, newBudget } from "../../src/domain/limits.ts";
import type { Model, ModelRequest } from "../../src/domain/model.ts";
import { estimateTokens, historyTokens, toolCharacters } from "../../src/domain/tokens.ts";
import type { Price, Usage, UsageTotals } from "../../src/domain/usage.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { type ScriptedStep, scriptedModel } from "../../src/models/scripted.ts";
import { researchCodebase } from "../../src/tools/research-codebase.ts";
import { boundTool } from "../support/bound-tool.ts";
import { ticks } from "../support/loop-cases.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { tool } from "../support/scenario.ts";
import { virtualClock } from "../support/virtual-clock.ts";

const RUNS = process.env["TUNACODE_LONG"] ? 1_000 : 250;

/** One model call as the vendor knows it. */
interface VendorCall {
  /** How many tokens more than characters / 4 its input has. */
  readonly underestimated: number;
  reported?: Usage;
  characters: number;
  end: "running" | "done" | "broken" | "refused";
}

test(`${RUNS} generated runs stay within their limits, and the books agree`, async () => {
  let refusals = 0;
  let estimates = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const { limited, estimated } = await generatedRun(seed);
    refusals += limited;
    estimates += estimated;
  }
  // The runs do come to limits, and to calls that nobody reported.
  expect(refusals).toBeGreaterThan(RUNS / 4);
  expect(estimates).toBeGreaterThan(RUNS / 4);
}, 300_000);

async function generatedRun(seed: number): Promise<{ limited: number; estimated: number }> {
  const random = seededRandom(seed);
  const price = random.below(6) === 0 ? undefined : randomPrice(random);
  const vendor = new Vendor(random, price);
  const limits = randomLimits(random, price);
  const clock = virtualClock();
  let manager: StateManager = memoryStateManager({
    createModel: async () => vendor.model,
    clock,
    random: () => 0,
    parallelWidth: 4,
    systemPrompt: async () => "You are a test.",
    budget: newBudget(limits),
    tools: [
      boundTool(researchCodebase, {
        workspace: { root: "/p", cwd: () => "/p", setCwd: () => {} },
        research: createResearch({
          model: async () => vendor.model,
          agent: () => manager.ports,
          instructions: async () => "",
        }),
      }),
      tool("look", "read", () => "x".repeat(random.below(4_000)), { isOffered: () => true }),
    ],
  });
  const told: UsageTotals[] = [];
  let limited = 0;
  const requests = 1 + random.below(6);
  for (let number = 0; number < requests; number++) {
    vendor.controller = new AbortController();
    const { controller } = vendor;
    for await (const event of runRequest("go on ".repeat(1 + random.below(800)), vendor.model, manager, {
      controller,
    })) {
      if (event.type === "usage") {
        told.push(event.call);
        withinLimits(seed, manager, limits, vendor);
      }
      if (event.type === "request-end" && event.outcome.type === "limit") limited++;
    }
    expect(checkHistory(manager.session.conversation.messages)).toEqual([]);
    withinLimits(seed, manager, limits, vendor);
    sameBooks(seed, manager, told);
    if (random.below(2) === 0) manager = resumed(manager, limits);
  }
  sumByHand(seed, vendor, told, limits, price);
  return { limited, estimated: told.filter((call) => call.estimated).length };
}

/** A new process knows of the old one what the session remembers. */
function resumed({ session, ports }: StateManager, limits: Limits): StateManager {
  const { cost, promptTokens, completionTokens } = session.usage.sessionTotal;
  const spent = { costDollars: cost, totalTokens: promptTokens + completionTokens };
  return memoryStateManager({ ...ports, budget: newBudget(limits, spent) }, session);
}

function withinLimits(seed: number, { ports }: StateManager, limits: Limits, vendor: Vendor): void {
  const { costDollars, totalTokens } = ports.budget.spent;
  const over = {
    seed,
    dollars: costDollars - (limits.costDollars ?? Number.POSITIVE_INFINITY) - vendor.tolerance.dollars,
    tokens: totalTokens - (limits.totalTokens ?? Number.POSITIVE_INFINITY) - vendor.tolerance.tokens,
  };
  if (over.dollars > 1e-9 || over.tokens > 1e-9) throw new Error(`Over a limit: ${JSON.stringify(over)}`);
}

/** The events, the budget and the session tell the same. */
function sameBooks(seed: number, { ports, session }: StateManager, told: readonly UsageTotals[]): void {
  const dollars = told.reduce((sum, { cost }) => sum + cost, 0);
  const tokens = told.reduce((sum, call) => sum + call.promptTokens + call.completionTokens, 0);
  const { cost, promptTokens, completionTokens } = session.usage.sessionTotal;
  const { costDollars, totalTokens } = ports.budget.spent;
  expect({ seed, tokens: totalTokens }).toEqual({ seed, tokens });
  expect({ seed, tokens: promptTokens + completionTokens }).toEqual({ seed, tokens });
  for (const sum of [costDollars, cost]) expect(sum).toBeCloseTo(dollars, 9);
  const { reserved, waiting, running } = ports.budget;
  expect(reserved.size + waiting.size + running.size).toBe(0);
}

function sumByHand(
  seed: number,
  { calls }: Vendor,
  told: readonly UsageTotals[],
  limits: Limits,
  price: Price | undefined,
): void {
  const isLimited = limits.costDollars !== undefined || limits.totalTokens !== undefined;
  const reported = calls.flatMap((call) =>
    call.reported === undefined ? [] : [dollarsOf(call.reported, price)],
  );
  const exact = told.filter((call) => !call.estimated).map(({ cost }) => cost);
  const sum = (costs: readonly number[]) => costs.reduce((total, cost) => total + cost, 0);
  expect({ seed, reported: exact.length }).toEqual({ seed, reported: reported.length });
  expect(sum(exact)).toBeCloseTo(sum(reported), 9);

  const guessed = told.filter((call) => call.estimated);
  const unreported = calls.filter(
    ({ reported: report, end, characters }) =>
      report === undefined &&
      (end === "done" ? isLimited : end === "broken" ? characters > 0 : end === "running"),
  );
  expect({ seed, estimated: guessed.length }).toEqual({ seed, estimated: unreported.length });
  const came = unreported.reduce((total, { characters }) => total + estimateTokens(characters), 0);
  expect(guessed.reduce((total, call) => total + call.completionTokens, 0)).toBe(came);
  for (const { promptTokens, completionTokens, cost } of guessed)
    expect(cost).toBeCloseTo(
      (promptTokens * (price?.input ?? 0) + completionTokens * (price?.output ?? 0)) / 1e6,
      9,
    );
  expect(told.every((call) => (call.unpriced === true) === (price === undefined))).toBe(true);
}

function dollarsOf(
  { requestTokens, responseTokens, cachedTokens, writtenTokens = 0 }: Usage,
  price?: Price,
): number {
  if (price === undefined) return 0;
  const fresh = requestTokens - cachedTokens - writtenTokens;
  const read = cachedTokens * price.cacheRead;
  const written = writtenTokens * (price.cacheWrite ?? price.input);
  return (fresh * price.input + read + written + responseTokens * price.output) / 1e6;
}

/** Counts in its own way, keeps to the cap on an answer, and sometimes breaks off, refuses or says nothing. */
class Vendor {
  readonly calls: VendorCall[] = [];
  controller = new AbortController();
  /** By how much the calls that ran at once when the last of them began may pass a limit. */
  tolerance = { dollars: 0, tokens: 0 };
  readonly model: Model;
  readonly #running = new Set<VendorCall>();
  readonly #random: Random;
  readonly #price: Price | undefined;
  readonly #countedPerEstimated: number;

  constructor(random: Random, price: Price | undefined) {
    this.#random = random;
    this.#price = price;
    this.#countedPerEstimated = (70 + random.below(130)) / 100;
    const scripted = scriptedModel({
      ...(price === undefined ? {} : { price }),
      ...(random.below(3) === 0 ? {} : { maxOutput: 300 + random.below(4_000) }),
      ...(random.below(3) === 0 && { contextWindow: 2_500 + random.below(5_000) }),
      clock: virtualClock(),
      turns: (request) => this.#turn(request),
    });
    this.model = { ...scripted, stream: (request, signal) => this.#watched(request, signal, scripted) };
  }

  async *#watched(request: ModelRequest, signal: AbortSignal, scripted: Model) {
    const estimate = estimateOf(request);
    const underestimated = Math.max(0, this.#count(estimate) - estimate);
    const call: VendorCall = { underestimated, characters: 0, end: "running" };
    this.calls.push(call);
    this.#running.add(call);
    const tokens = [...this.#running].reduce((sum, running) => sum + running.underestimated, 0);
    const { input = 0, cacheWrite = 0 } = this.#price ?? {};
    this.tolerance = { tokens, dollars: (tokens * Math.max(input, cacheWrite)) / 1e6 };
    try {
      for await (const event of scripted.stream(request, signal)) {
        if (event.type === "usage") call.reported = event.usage;
        if (event.type === "text-delta") call.characters += event.text.length;
        if (event.type === "call-delta") call.characters += event.characters;
        yield event;
      }
      call.end = "done";
    } catch (error) {
      if (!signal.aborted) call.end = call.characters > 0 ? "broken" : "refused";
      throw error;
    } finally {
      // It is charged a few steps later.
      void ticks(20).then(() => this.#running.delete(call));
    }
  }

  #count(estimate: number): number {
    return Math.round(estimate * this.#countedPerEstimated);
  }

  #turn(request: ModelRequest): readonly ScriptedStep[] {
    const random = this.#random;
    const most = Math.min(request.maxOutputTokens ?? this.model.maxOutput ?? 20_000, 20_000);
    const isResearch = request.system.startsWith("You research");
    const responseTokens =
      random.below(isResearch ? 2 : 4) === 0 ? most : random.below(Math.min(most, 2_000));
    const text = "w".repeat(1 + random.below(responseTokens + 1));
    const usage = { usage: this.#usage(request, Math.max(responseTokens, estimateTokens(text.length))) };
    const wait = { delayMs: random.below(100) };
    // A summary has no tools to call.
    const kind = random.below(request.tools.length === 0 ? 7 : isResearch ? 14 : 24);
    switch (kind) {
      case 0:
        return [{ fail: new ProviderError("rate_limited", "Too many calls.", { status: 429 }) }];
      case 1:
        return [
          { text },
          wait,
          { fail: new ProviderError("provider_error", "It broke off.", { brokenOff: true }) },
        ];
      case 2:
        return [
          { text },
          usage,
          { fail: new ProviderError("provider_error", "It broke off.", { brokenOff: true }) },
        ];
      case 3:
        return [{ text }];
      case 4:
        void ticks(100).then(() => this.controller.abort(new UserAbortError()));
        return [{ text }, { hang: true }];
      case 5:
      case 6:
        return [wait, { text }, usage];
      default: {
        const research = { call: "research_codebase", args: { query: "where?" } };
        const calls =
          kind < 14 ? [{ call: "look" }] : Array.from({ length: 1 + random.below(4) }, () => research);
        return [wait, ...calls, usage];
      }
    }
  }

  #usage(request: ModelRequest, responseTokens: number): Usage {
    const requestTokens = this.#count(estimateOf(request));
    const cachedTokens = this.#random.below(requestTokens + 1);
    const writtenTokens = this.#random.below(requestTokens - cachedTokens + 1);
    return { requestTokens, responseTokens, cachedTokens, writtenTokens };
  }
}

function estimateOf({ system, tools, messages }: ModelRequest): number {
  const fixed = tools.reduce((sum, each) => sum + toolCharacters(each), system.length);
  return estimateTokens(fixed) + historyTokens(messages);
}

function randomPrice(random: Random): Price {
  const input = random.below(20);
  const cacheWrite = random.below(2) === 0 ? {} : { cacheWrite: input * 1.25 };
  return { input, output: random.below(80), cacheRead: input / 10, ...cacheWrite };
}

/** Some are reached at once, some late, some never. */
function randomLimits(random: Random, price: Price | undefined): Limits {
  const tokens = 500 + random.below(100_000);
  const each = (price?.input ?? 1) + (price?.output ?? 1);
  return {
    ...(random.below(3) > 0 && { costDollars: (tokens * each) / 2e6 + 1e-6 }),
    ...(random.below(3) > 0 && { totalTokens: tokens }),
    ...(random.below(4) === 0 && { toolCalls: 1 + random.below(6) }),
  };
}
