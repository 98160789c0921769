// What one more turn costs in a long conversation that is open: against the bare SDK sending the same prompt, and, with
// a model that costs nothing, against the same turn in a short conversation.
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { type Agent, openAgent } from "../src/app/compose.ts";
import { runRequest } from "../src/app/run-request.ts";
import type { Model } from "../src/domain/model.ts";
import { resolveProvider } from "../src/models/resolve-provider.ts";
import { scriptedModel } from "../src/models/scripted.ts";
import { loadVendor } from "../src/models/vendors.ts";
import { type Row, spreadOf } from "./bench.ts";
import { medianRatio } from "./support/compare.ts";
import { SESSION_ID, sdkCall, writeOldSession } from "./support/long-session.ts";
import { type ModelServer, startModelServer } from "./support/model-server-process.ts";
import { createWorkplace, type Workplace } from "./support/workplace.ts";

export const name = "long-turn";

const SHORT = 100;
const LONG = 10_000;
const ROUNDS = 25;
const WARM_UP_ROUNDS = 5;
const SDK_LIMIT = 1.3;
const GROWTH_LIMIT = 1.5;

export async function run(): Promise<Row[]> {
  const server = await startModelServer();
  const workplaces = [createWorkplace(), createWorkplace()];
  try {
    const [short, long] = await Promise.all(
      [SHORT, LONG].map((length, index) => openConversation(length, workplaces[index], server)),
    );
    if (short === undefined || long === undefined) throw new Error("Nothing was opened.");
    const rows = [await againstSdk(short, server), await againstSdk(long, server), await growth(short, long)];
    for (const { agent } of [short, long]) await agent.close();
    return rows;
  } finally {
    server.stop();
    for (const workplace of workplaces) workplace.remove();
  }
}

interface Conversation {
  readonly length: number;
  readonly agent: Agent;
  readonly vendor: LanguageModelV4;
}

async function openConversation(
  length: number,
  workplace: Workplace | undefined,
  server: ModelServer,
): Promise<Conversation> {
  if (workplace === undefined) throw new Error("There is no place to work.");
  writeOldSession(workplace, length);
  const settings = { env: workplace.env, baseUrl: server.baseUrl };
  const agent = await openAgent({
    ...settings,
    cwd: workplace.project,
    session: { type: "resume", id: SESSION_ID },
    model: "openai:line",
    permission: { mode: "ask", rules: [] },
    trusted: false,
    sandbox: "auto",
    notify: () => {},
  });
  const send = (input: Parameters<typeof fetch>[0], init?: RequestInit) => fetch(input, init);
  return { length, agent, vendor: await loadVendor(resolveProvider("openai", settings), "line", send) };
}

async function againstSdk({ length, agent, vendor }: Conversation, server: ModelServer): Promise<Row> {
  await turn(agent);
  const call = sdkCall((await server.seen()).lastBody);
  const [ours, floors] = await interleaved(
    () => turn(agent),
    () => drain(vendor, call),
  );
  const { median: value, low, high } = spreadOf(ours);
  return {
    name: `a turn at ${length.toLocaleString("en")} messages`,
    ...{ value, low, high, unit: "ms CPU" },
    floor: spreadOf(floors).median,
    floorName: "the bare SDK, same prompt",
    ratio: medianRatio(ours, floors).median,
    ...(length === LONG && { limit: SDK_LIMIT }),
  };
}

async function growth(short: Conversation, long: Conversation): Promise<Row> {
  const model = scriptedModel({ turns: () => [{ text: "Hello." }] });
  const [ours, floors] = await interleaved(
    () => turn(long.agent, model),
    () => turn(short.agent, model),
  );
  const { median: value, low, high } = spreadOf(ours);
  return {
    name: `our part of a turn (loop, dispatch, history, journal) at ${LONG.toLocaleString("en")} messages`,
    ...{ value, low, high, unit: "ms CPU" },
    floor: spreadOf(floors).median,
    floorName: `at ${SHORT} messages`,
    ratio: medianRatio(ours, floors).median,
    limit: GROWTH_LIMIT,
  };
}

async function turn({ manager }: Agent, model: Model | string = manager.session.currentModel): Promise<void> {
  const events = runRequest("And now?", model, manager);
  while (!(await events.next()).done);
}

async function drain(vendor: LanguageModelV4, call: LanguageModelV4CallOptions): Promise<void> {
  const { stream } = await vendor.doStream(call);
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}

/** Processor time in milliseconds, one entry a round; what the other left behind is collected before. */
async function interleaved(
  ours: () => Promise<void>,
  floor: () => Promise<void>,
): Promise<[number[], number[]]> {
  const samples: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    for (const [index, work] of [ours, floor].entries()) {
      Bun.gc(true);
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      if (round >= WARM_UP_ROUNDS) samples[index]?.push((user + system) / 1_000);
    }
  return samples;
}
