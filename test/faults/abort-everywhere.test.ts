// Aborts a request at every microtask and at every port crossing of every situation. Each time the conversation is
// valid, nothing finished or shown is lost, and the next request works.
import { expect, test } from "bun:test";
import type { StateManager } from "../../src/app/agent.ts";
import { processRequest, type RequestCallbacks } from "../../src/app/process-request.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { ProviderError, UserAbortError } from "../../src/domain/error.ts";
import type { AgentEvent, Outcome } from "../../src/domain/event.ts";
import type { Message } from "../../src/domain/message.ts";
import type { Model } from "../../src/domain/model.ts";
import type { Tool } from "../../src/domain/tool.ts";
import { isSettled } from "../../src/domain/tool-call.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { LOOP_CASES } from "../support/loop-cases.ts";
import { atCrossing, atMicrotask } from "../support/microtask-abort.ts";
import type { Scenario } from "../support/scenario.ts";

let injected = 0;
/** Each case takes thousands of runs, possibly on a busy machine. */
const LONG_MS = 120_000;
const PROMPT = "the person's own words";

test.each(Object.keys(LOOP_CASES))(
  "stopped at every microtask: %s",
  async (name) => {
    for (let moment = 0; ; moment++) {
      const run = make(name);
      const controller = new AbortController();
      const events: AgentEvent[] = [];
      const work = collect(run.manager, run.model, controller, events);
      const stop = () => controller.abort(new UserAbortError());
      const watched = { clock: run.clock, progress: () => events.length };
      const { result, fired } = await atMicrotask(moment, work, stop, watched);
      if (!fired) break;
      injected++;
      await inspect(run, events, result, `${name}, microtask ${moment}`);
    }
  },
  LONG_MS,
);

test.each(Object.keys(LOOP_CASES))("stopped at every port crossing: %s", async (name) => {
  for (let crossing = 0; ; crossing++) {
    const run = make(name);
    const controller = new AbortController();
    const events: AgentEvent[] = [];
    const crossings = atCrossing(crossing, () => controller.abort(new UserAbortError()));
    const { manager, model } = withCrossings(run, crossings.cross);
    const outcome = await collect(manager, model, controller, events);
    if (!crossings.fired()) break;
    injected++;
    await inspect(run, events, outcome, `${name}, crossing ${crossing}`);
  }
});

test.each(Object.keys(LOOP_CASES))("the model fails at every event: %s", async (name) => {
  for (let crossing = 0; ; crossing++) {
    const run = make(name);
    const events: AgentEvent[] = [];
    const crossings = atCrossing(crossing, () => {
      throw new ProviderError("provider_error", "cut");
    });
    const outcome = await collect(
      run.manager,
      crossedModel(run.model, crossings.cross),
      new AbortController(),
      events,
    );
    if (!crossings.fired()) break;
    injected++;
    await inspect(run, events, outcome, `${name}, model event ${crossing}`);
  }
});

const HUGE = "x".repeat(50_000_000);
const TROUBLE: Record<string, () => Promise<string>> = {
  fails: () => Promise.reject(new Error("no")),
  hangs: () => new Promise(() => {}),
  "returns 50 MB": async () => HUGE,
};

test.each(Object.keys(TROUBLE))(
  "every tool call %s",
  async (trouble) => {
    for (const name of Object.keys(LOOP_CASES)) {
      for (let victim = 0; ; victim++) {
        const run = make(name);
        const events: AgentEvent[] = [];
        let executed = 0;
        const tools = run.manager.ports.tools.map((tool): Tool => {
          const { execute } = tool;
          const give = TROUBLE[trouble];
          return {
            ...tool,
            execute: (...given) => (executed++ === victim && give ? give() : execute(...given)),
          };
        });
        const manager = { ...run.manager, ports: { ...run.manager.ports, tools } };
        const outcome = await collect(manager, run.model, new AbortController(), events);
        if (executed <= victim) break;
        injected++;
        const where = `${name}, tool call ${victim} ${trouble}`;
        if (outcome.type !== "completed" && outcome.type !== "limit")
          throw new Error(`${where}: ${outcome.type}`);
        await inspect(run, events, outcome, where);
      }
    }
  },
  LONG_MS,
);

test.each(["aborts", "throws"])("every callback %s", async (how) => {
  for (const name of Object.keys(LOOP_CASES)) {
    for (let crossing = 0; ; crossing++) {
      const run = make(name);
      const controller = new AbortController();
      const { cross, fired } = atCrossing(crossing, () => {
        if (how === "throws") throw new Error("no screen");
        controller.abort(new UserAbortError());
      });
      const callback = async () => cross();
      await processRequest(PROMPT, run.model, run.manager, everyCallback(callback), { controller }).catch(
        () => {},
      );
      if (!fired()) break;
      injected++;
      const { conversation, runtime } = run.manager.session;
      const problems = [
        ...checkHistory(conversation.messages).map((violation) => violation.problem),
        ...lostPrompt(conversation.messages),
        ...runtime.toolRegistry.list().filter((call) => !isSettled(call)),
        ...(run.clock.waiting() > 0 ? ["a timer is left"] : []),
      ];
      expect([`${name}, callback ${crossing}`, problems]).toEqual([`${name}, callback ${crossing}`, []]);
    }
  }
});

test("enough moments were tried", () => {
  console.log(`abort and failure injected at ${injected} points`);
  expect(injected).toBeGreaterThanOrEqual(5000);
});

function everyCallback(callback: () => Promise<void>): RequestCallbacks {
  return {
    streamingCallback: callback,
    toolCallback: callback,
    toolResultCallback: callback,
    toolStartCallback: callback,
    toolProgressCallback: callback,
    noticeCallback: callback,
  };
}

function make(name: string): Scenario {
  const factory = LOOP_CASES[name];
  if (factory === undefined) throw new Error(name);
  return factory();
}

async function collect(
  manager: StateManager,
  model: Model,
  controller: AbortController,
  events: AgentEvent[],
): Promise<Outcome> {
  const waiting = ["steer"];
  const stream = runRequest(PROMPT, model, manager, { controller, takeSteering: () => waiting.splice(0) });
  while (true) {
    const next = await stream.next();
    if (next.done) return next.value;
    events.push(next.value);
  }
}

function withCrossings(run: Scenario, cross: () => void): { manager: StateManager; model: Model } {
  const { ports } = run.manager;
  const crossed =
    <Arguments extends unknown[], Result>(port: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      cross();
      const result = await port(...given);
      cross();
      return result;
    };
  const manager = {
    session: run.manager.session,
    ports: {
      ...ports,
      permit: crossed(ports.permit),
      systemPrompt: crossed(ports.systemPrompt),
      keepAside: crossed(ports.keepAside),
      record: { ...ports.record, prompt: crossed(ports.record.prompt), event: crossed(ports.record.event) },
      tools: ports.tools.map((tool) => ({ ...tool, execute: crossed(tool.execute) })),
    },
  };
  return { manager, model: crossedModel(run.model, cross) };
}

function crossedModel(model: Model, cross: () => void): Model {
  return {
    ...model,
    async *stream(request, signal) {
      cross();
      for await (const event of model.stream(request, signal)) {
        yield event;
        cross();
      }
    },
  };
}

async function inspect(
  run: Scenario,
  events: readonly AgentEvent[],
  outcome: Outcome,
  where: string,
): Promise<void> {
  const { session } = run.manager;
  const { messages } = session.conversation;
  const problems = [
    ...checkHistory(messages).map((violation) => JSON.stringify(violation)),
    ...run.requests.flatMap((request) =>
      checkHistory(request.messages).map((found) => `sent: ${JSON.stringify(found)}`),
    ),
    ...lostPrompt(messages),
    ...lostReturns(events, messages),
    ...lostText(events, messages),
    ...unsettled(events, session.runtime.toolRegistry.list().filter((call) => !isSettled(call)).length),
  ];
  if (events.at(-1)?.type !== "request-end") problems.push("request-end is not the last event");
  if (messages.at(-1)?.kind !== "response") problems.push("the turn is not closed");

  const next = await run.ask("and now?");
  if (next.outcome.type !== "completed" && next.outcome.type !== "limit")
    problems.push(`next: ${next.outcome.type}`);
  problems.push(...checkHistory(next.messages).map((violation) => `next: ${JSON.stringify(violation)}`));
  if (run.clock.waiting() > 0) problems.push(`${run.clock.waiting()} timers are left`);
  if (problems.length > 0)
    throw new Error(`${where} (${outcome.type}):\n${problems.join("\n")}\n${JSON.stringify(messages)}`);
}

function lostPrompt(messages: readonly Message[]): string[] {
  return JSON.stringify(messages).includes(PROMPT) ? [] : ["the prompt is lost"];
}

function lostReturns(events: readonly AgentEvent[], messages: readonly Message[]): string[] {
  if (events.some((event) => event.type === "compaction")) return [];
  const kept = new Set(
    messages.flatMap((message) => message.parts.filter((part) => part.kind === "tool-return")),
  );
  return events.flatMap((event) =>
    event.type === "tool-end" && !kept.has(event.result) ? [`the return of ${event.toolCallId} is lost`] : [],
  );
}

/** Text shown after the last whole response must be in the response that closes the turn. */
function lostText(events: readonly AgentEvent[], messages: readonly Message[]): string[] {
  let shown = "";
  for (const event of events) {
    if (event.type === "text-delta") shown += event.text;
    if (event.type === "message-end" && event.message.kind === "response") {
      const text = event.message.parts.map((part) => (part.kind === "text" ? part.content : "")).join("");
      if (text.startsWith("[INTERRUPTED]") && !text.includes(shown))
        return [`shown but lost: ${JSON.stringify(shown)}`];
      shown = "";
    }
  }
  return messages.length === 0 && shown !== "" ? ["shown but lost"] : [];
}

function unsettled(events: readonly AgentEvent[], open: number): string[] {
  const ends = new Map<string, number>();
  for (const event of events) {
    if (event.type === "batch-start") for (const call of event.calls) ends.set(call.toolCallId, 0);
    if (event.type === "tool-end") ends.set(event.toolCallId, (ends.get(event.toolCallId) ?? 0) + 1);
  }
  const wrong = [...ends]
    .filter(([, count]) => count !== 1)
    .map(([id, count]) => `${id} ended ${count} times`);
  return open > 0 ? [...wrong, `${open} calls are not settled`] : wrong;
}
