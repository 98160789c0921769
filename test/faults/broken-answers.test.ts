// An answer that breaks off is continued: whatever breaks it, wherever, and whether the vendor then goes on, repeats
// itself or starts over, the request completes, every word is there once, and no call runs that had not arrived whole.
// All cases run in this process against the scripted vendor, and a sample of them through the built binary.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryStateManager } from "../../src/app/agent.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { systemClock } from "../../src/base/clock.ts";
import { headAndTail } from "../../src/base/head-and-tail.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { AgentEvent, Outcome } from "../../src/domain/event.ts";
import { INTERRUPTED, latestAnswer } from "../../src/domain/message.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { createModel } from "../../src/models/create-model.ts";
import {
  AFTERWARDS,
  ANSWER,
  allCases,
  type BrokenCase,
  brokenVendor,
  PREFACE,
  WAYS,
} from "../support/broken-answers.ts";
import { configureWires } from "../support/four-wires.ts";
import { seededRandom } from "../support/random.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { tool } from "../support/scenario.ts";
import { baseUrl } from "../support/strict-llm-server/route.ts";
import type { RecordedRequest } from "../support/strict-llm-server/server.ts";
import type { Turn } from "../support/strict-llm-server/turn.ts";
import { WIRES } from "../support/strict-llm-server/wire.ts";
import { TEST_KEY } from "../support/vendor-path.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const IN_PROCESS = LONG ? Number.POSITIVE_INFINITY : 80;
/** In the long mode every combination goes through the binary, but only at these points. */
const BINARY_POINTS = [2, 9, 16];
const AT_ONCE = 40;
const BINARIES_AT_ONCE = 4;
const DEADLINE_MS = LONG ? 3_600_000 : 120_000;

let lab: CliLab;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  lab = await openCliLab();
  lab.script(byCase);
  env = configureWires(lab, { timeouts: { idle: 2 } });
}, 60_000);
afterAll(() => lab.close());

/** The vendor of each running conversation, by the name that its prompt begins with. */
const vendors = new Map<string, (request: RecordedRequest) => Turn>();
const nameIn = ({ text }: RecordedRequest) => /case-\d+(?= )/.exec(text)?.[0] ?? "";

function byCase(request: RecordedRequest): Turn {
  const vendor = vendors.get(nameIn(request));
  if (vendor === undefined) throw new Error("This is nobody's request.");
  return vendor(request);
}

const sorted = new Map<string, RecordedRequest[]>();
let sortedCount = 0;

/** The refused ones too. Only requests that are new since the last time are sorted, because there are many. */
function requestsOf(name: string): readonly RecordedRequest[] {
  for (const request of lab.server.requests.slice(sortedCount)) {
    const others = sorted.get(nameIn(request));
    if (others === undefined) sorted.set(nameIn(request), [request]);
    else others.push(request);
  }
  sortedCount = lab.server.requests.length;
  return sorted.get(name) ?? [];
}

let cases = 0;
const newName = () => `case-${++cases}`;

const WORDS = "with a comment that is long enough to be cut at many places";

test(
  "in this process: the request completes, and every word is there once",
  async () => {
    const wrong = await each(sample(allCases(), IN_PROCESS), AT_ONCE, async (broken) => {
      const breaks = 1 + (broken.point % 3);
      const attempts = broken.way === "side" ? 1 : breaks + 1;
      const { ask, executed, messages } = await session(broken, breaks);
      const { outcome, deltas } = await ask("go");
      const followed = await ask("and now?");
      const answered = broken.place === "arguments" ? [PREFACE, AFTERWARDS] : [ANSWER];
      const effects = ["attempt 0", ...(broken.place === "arguments" ? [`attempt ${attempts}`] : [])];
      return differences({
        outcome: [outcome.type, "completed"],
        deltas: [deltas, answered.join("")],
        answer: [followed.before, answered.at(-1)],
        effects: [executed, effects],
        calls: [followed.requestsBefore, attempts + answered.length],
        next: [followed.outcome.type, "completed"],
        problems: [followed.problems, []],
        history: [checkHistory(messages()), []],
      });
    });
    expect(wrong).toEqual([]);
  },
  DEADLINE_MS,
);

test(
  "four breaks in a row end it with a clear error, and everything is kept",
  async () => {
    // One that starts over never gets further, so that it can't come to an end by small steps.
    const often = allCases().filter(({ way, vendor }) => way !== "side" && vendor === "starts-over");
    const wrong = await each(sample(often, IN_PROCESS / 4), AT_ONCE, async (broken) => {
      const { ask, executed, messages } = await session(broken, Number.POSITIVE_INFINITY);
      const { outcome, deltas } = await ask("go");
      const failed = outcome.type === "failed" ? outcome : { code: outcome.type, message: "" };
      const whole = broken.place === "arguments" ? PREFACE : ANSWER;
      return differences({
        code: [/^provider_(error|unreachable)$/.test(failed.code), true],
        told: [/broke off 4 times in a row|The engine stopped/.test(failed.message), true],
        kept: [latestAnswer(messages())?.startsWith([INTERRUPTED, deltas].join(deltas && "\n\n")), true],
        prefix: [whole.startsWith(deltas), true],
        effects: [executed, ["attempt 0"]],
        history: [checkHistory(messages()), []],
      });
    });
    expect(wrong).toEqual([]);
  },
  DEADLINE_MS,
);

// Both wait most of the time.
test.concurrent(
  "through the binary: exit 0, the answer on stdout, and no cut call was run",
  async () => {
    const some = allCases().filter(({ point }) => BINARY_POINTS.includes(point));
    const oneOfEach = WAYS.flatMap((way, seed) => {
      const those = some.filter((broken) => broken.way === way);
      return sample(those, 1, seed);
    });
    const wrong = await each(LONG ? some : oneOfEach, BINARIES_AT_ONCE, async (broken) => {
      const name = newName();
      const args = (attempt: number) => ({ command: `echo attempt ${attempt} >> ${name}.txt # ${WORDS}` });
      vendors.set(
        name,
        brokenVendor(broken, (attempt) => ({ name: "bash", args: args(attempt) })),
      );
      const flags = ["--model", `${broken.wire}:some-model`, "--permission", "yolo", "--sandbox", "off"];
      const { code, stdout, stderr } = await lab.run(["run", ...flags, `${name} go`], { env });
      const isOne = broken.way === "side";
      const last = broken.place === "arguments" ? `attempt ${isOne ? 1 : 2}\n` : "";
      return differences({
        code: [code, 0],
        stdout: [stdout, `${broken.place === "arguments" ? AFTERWARDS : ANSWER}\n`],
        stderr: [isOne || /Going on in|Trying again in/.test(stderr), true],
        effects: [readFileSync(join(lab.folder, `${name}.txt`), "utf8"), `attempt 0\n${last}`],
        problems: [requestsOf(name).flatMap(({ problems }) => problems), []],
      });
    });
    expect(wrong).toEqual([]);
  },
  DEADLINE_MS,
);

test.concurrent("through the binary: four breaks in a row are exit code 4, and the text so far is kept", async () => {
  const end = { way: "end", place: "text", vendor: "goes-on", point: 10 } as const;
  const brokenCases = WIRES.map((wire): BrokenCase => ({ wire, ...end }));
  const wrong = await each(brokenCases, BINARIES_AT_ONCE, async (broken) => {
    const name = newName();
    const read = { name: "list_dir", args: {} };
    vendors.set(
      name,
      brokenVendor(broken, () => read, Number.POSITIVE_INFINITY),
    );
    const flags = ["--model", `${broken.wire}:some-model`, "--output", "json"];
    const { code, stdout } = await lab.run(["run", ...flags, `${name} go`], { env });
    const { error, output } = JSON.parse(stdout);
    return differences({
      code: [code, 4],
      told: [error.message.includes("broke off 4 times in a row"), true],
      kept: [output.includes(ANSWER.slice(0, 100)), true],
      calls: [requestsOf(name).length, 1 + 4],
    });
  });
  expect(wrong).toEqual([]);
}, 60_000);

interface Asked {
  readonly outcome: Outcome;
  readonly deltas: string;
  /** The answer, and the number of requests, when this was asked. */
  readonly before: string | null;
  readonly requestsBefore: number;
  readonly problems: readonly unknown[];
}

/** Models whose vendors want thoughts and signatures back. */
const MODELS = {
  "openai-responses": "gpt-5.4",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-3-pro",
  "openai-chat": "qwen3-coder",
};

async function session(broken: BrokenCase, breaks: number) {
  const name = newName();
  const executed: string[] = [];
  const write = ({ text }: JsonObject) => {
    executed.push(String(text).slice(0, "attempt 1".length));
    return "noted";
  };
  const parameters = { type: "object", properties: { text: { type: "string" } } };
  const note = tool("note", "write", write, { parameters });
  const called = (attempt: number) => ({ name: "note", args: { text: `attempt ${attempt} ${WORDS}` } });
  vendors.set(name, brokenVendor(broken, called, breaks));
  const model = await createModel(`vendor:${MODELS[broken.wire]}`, {
    env: { VENDOR_KEY: TEST_KEY },
    providers: {
      vendor: { api: broken.wire, baseUrl: baseUrl(lab.server.url, broken.wire), apiKeyEnv: "VENDOR_KEY" },
    },
    // Long enough for a busy machine, where the vendor is not meant to be silent.
    timeouts: { idleMs: broken.way === "silence" ? 1_000 : 60_000 },
    backoff: { firstMs: 1, mostMs: 1 },
    maxRetries: 3,
    thinking: "low",
  });
  const manager = memoryStateManager({
    createModel: async () => model,
    tools: [note],
    clock: { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(1, signal) },
  });
  const messages = () => manager.session.conversation.messages;
  const ask = async (prompt: string): Promise<Asked> => {
    const requestsBefore = requestsOf(name).length;
    const before = latestAnswer(messages());
    const events: AgentEvent[] = [];
    const stream = runRequest(`${name} ${prompt}`, model, manager);
    let step = await stream.next();
    for (; !step.done; step = await stream.next()) events.push(step.value);
    const deltas = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
    const problems = requestsOf(name).flatMap((request) => request.problems);
    return { outcome: step.value, deltas, before, requestsBefore, problems };
  };
  return { ask, executed, messages };
}

/** What is not as it should be. */
function differences(checks: Readonly<Record<string, readonly [is: unknown, should: unknown]>>): string[] {
  return Object.entries(checks).flatMap(([name, [is, should]]) =>
    Bun.deepEquals(is, should) ? [] : [`${name}: ${excerpt(is)} instead of ${excerpt(should)}`],
  );
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length < 400 ? text : headAndTail(text, 400, "[...]");
}

/** The cases that went wrong, with what was wrong. */
async function each(
  brokenCases: readonly BrokenCase[],
  atOnce: number,
  run: (broken: BrokenCase) => Promise<readonly string[]>,
): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = brokenCases.values();
  const worker = async () => {
    for (const broken of waiting) {
      const found = await run(broken).catch((error: unknown) => [String(error)]);
      if (found.length > 0) wrong.push(`${Object.values(broken).join(" ")}: ${found.join("; ")}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return wrong;
}

function sample(all: readonly BrokenCase[], count: number, seed = 0): readonly BrokenCase[] {
  if (all.length <= count) return all;
  const random = seededRandom(seed);
  return Array.from({ length: Math.ceil(count) }, () => random.pick(all));
}
