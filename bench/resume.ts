// A turn in a session that is taken up again, at three lengths: opening, asking, saving, beside the bare SDK sending
// the same prompt.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../scripts/build.ts";
import type { Row } from "./bench.ts";
import { interleave, type Plan, rowOf } from "./support/compare.ts";
import { keepSession, SESSION_ID, sdkCall, writeOldSession } from "./support/long-session.ts";
import { measure, type Program } from "./support/measure.ts";
import { type ModelServer, startModelServer } from "./support/model-server-process.ts";
import { buildPrograms, PROMPT, sdkDrain } from "./support/programs.ts";
import { createWorkplace, type Workplace } from "./support/workplace.ts";

export const name = "resume";

const LENGTHS = [10, 1_000, 10_000];
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 9);
/** For the longest session, where the cost of the start no longer matters: the same share as for a one-line answer. */
const MEMORY_LIMIT = 2;
const MODEL = "line";

const resumed: Program = {
  name: "tunacode",
  argv: (baseUrl, model) => {
    const flags = ["--resume", SESSION_ID, "--model", `openai:${model}`, "--base-url", baseUrl];
    return [BINARY, "run", ...flags, PROMPT];
  },
};

export async function run(): Promise<Row[]> {
  await buildPrograms();
  const server = await startModelServer();
  const workplaces: Workplace[] = [];
  try {
    const plans: Plan[] = [];
    for (const length of LENGTHS) {
      const workplace = createWorkplace();
      workplaces.push(workplace);
      plans.push(...(await plansFor(length, server, workplace)));
    }
    const samples = await interleave(plans, ROUNDS);
    return LENGTHS.flatMap((length) => {
      const yardstick = { key: keyOf(length, "the bare SDK"), name: "the bare SDK, same prompt" };
      const isLongest = length === Math.max(...LENGTHS);
      const key = keyOf(length, resumed.name);
      return [
        rowOf(samples, key, "firstRequestMs", yardstick),
        rowOf(samples, key, "wallMs", yardstick),
        rowOf(samples, key, "cpuMs", yardstick),
        rowOf(samples, key, "peakMb", { ...yardstick, ...(isLongest && { limit: MEMORY_LIMIT }) }),
      ];
    });
  } finally {
    server.stop();
    for (const workplace of workplaces) workplace.remove();
  }
}

function keyOf(length: number, program: string): string {
  return `${length.toLocaleString("en")} messages, ${program}`;
}

async function plansFor(length: number, server: ModelServer, workplace: Workplace): Promise<Plan[]> {
  const run = { server, workplace, model: MODEL };
  writeOldSession(workplace, length);
  await measure(resumed, run);
  const restore = keepSession(workplace);
  await measure(resumed, run);
  const { lastBody: ours } = await server.seen();
  const file = join(workplace.home, "call.json");
  writeFileSync(file, JSON.stringify(sdkCall(ours)));
  await measure(sdkDrain(file), run);
  const { lastBody: theirs } = await server.seen();
  if (Math.abs(theirs.length / ours.length - 1) > 0.01)
    throw new Error(`The SDK sent ${theirs.length} characters where the program sent ${ours.length}.`);
  return [
    { key: keyOf(length, resumed.name), program: resumed, run, prepare: restore },
    { key: keyOf(length, "the bare SDK"), program: sdkDrain(file), run },
  ];
}
