// What a step costs at the end of a long run beside one at its beginning: 1,000 tool calls in one request. A step is the
// time from an answer to the next request, without what the bare loop needs for it.
import { type Row, spreadOf } from "./bench.ts";
import { measure, type Program } from "./support/measure.ts";
import { type ModelServer, startModelServer } from "./support/model-server-process.ts";
import { CODEX, installedPeers } from "./support/peers.ts";
import { bareLoop, buildPrograms, tunacode } from "./support/programs.ts";
import { createWorkplace, type Workplace } from "./support/workplace.ts";

export const name = "long-run";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const CALLS = 1_000;
const MODEL = `calls-${CALLS}`;
const COMPARED = 100;
const GROWTH_LIMIT = 2.5;
const FILE_LINES = 5;
/** The others take minutes for it. */
const QUICK_PEERS = [CODEX, "pi"];

const patient: Program = {
  ...tunacode,
  argv: (baseUrl, model) => [...tunacode.argv(baseUrl, model), "--max-iterations", String(2 * CALLS)],
};

export async function run(): Promise<Row[]> {
  await buildPrograms();
  const server = await startModelServer();
  const workplace = createWorkplace(FILE_LINES);
  try {
    const [ours, bare]: [Steps[], Steps[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await stepsOf(bareLoop, server, workplace));
      ours.push(await stepsOf(patient, server, workplace));
    }
    const others: Row[] = [];
    for (const peer of installedPeers(process.env["PEERS_DIR"], server.baseUrl, workplace))
      if (QUICK_PEERS.includes(peer.name))
        others.push(growth(peer.name, [await stepsOf(peer, server, workplace)], bare));
    return [{ ...growth(tunacode.name, ours, bare), limit: GROWTH_LIMIT }, ...others];
  } finally {
    server.stop();
    workplace.remove();
  }
}

interface Steps {
  readonly first: number;
  readonly last: number;
}

async function stepsOf(program: Program, server: ModelServer, workplace: Workplace): Promise<Steps> {
  await measure(program, { server, workplace, model: MODEL });
  const { pauses } = await server.seen();
  if (pauses.length < CALLS) throw new Error(`${program.name} ended after ${pauses.length} calls.`);
  return {
    first: spreadOf(pauses.slice(0, COMPARED)).median,
    last: spreadOf(pauses.slice(-COMPARED)).median,
  };
}

function growth(program: string, steps: readonly Steps[], bare: readonly Steps[]): Row {
  const above = (which: keyof Steps) => {
    const { median: least } = spreadOf(bare.map((one) => one[which]));
    return spreadOf(steps.map((one) => one[which] - least));
  };
  const { median: value, low, high } = above("last");
  const { median: yardstick } = above("first");
  return {
    name: `a step above the bare loop's, the last ${COMPARED} of ${CALLS.toLocaleString("en")} calls, ${program}`,
    ...{ value, low, high, unit: "ms" },
    ...{ yardstick, yardstickName: `the first ${COMPARED}`, ratio: value / yardstick },
  };
}
