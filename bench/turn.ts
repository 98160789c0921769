// A whole run of the shipped program, from its start to its end, beside a bare fetch loop and the bare SDK against the
// same server: one line, ten tool calls, 20,000 deltas.
import { type Row, spreadOf } from "./bench.ts";
import { assertChecked } from "./support/checked.ts";
import { interleave, type Plan, rowOf, type Samples, valuesOf } from "./support/compare.ts";
import type { Program } from "./support/measure.ts";
import { startModelServer } from "./support/model-server-process.ts";
import { installedPeers } from "./support/peers.ts";
import { bareLoop, buildPrograms, sdkDrain, tunacode } from "./support/programs.ts";
import { createWorkplace } from "./support/workplace.ts";

export const name = "turn";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 21);
const CALLS = 10;
const DELTAS = 20_000;
const MODELS = { line: "line", calls: `calls-${CALLS}`, deltas: `deltas-${DELTAS}` } as const;
const TIME_LIMIT = 1.5;
const MEMORY_LIMIT = 2;
const CPU_OF_SDK_LIMIT = 1.15;
const MOST_MS_PER_CALL = 3;

export async function run(): Promise<Row[]> {
  await buildPrograms();
  const server = await startModelServer();
  const workplace = createWorkplace();
  try {
    const peers = installedPeers(process.env["PEERS_DIR"], server.baseUrl);
    const plan = (kind: keyof typeof MODELS, program: Program): Plan => ({
      key: `${TITLES[kind]}, ${program.name}`,
      program,
      run: { server, workplace, model: MODELS[kind] },
    });
    const plans = (["line", "calls", "deltas"] as const).flatMap((kind) => [
      plan(kind, bareLoop),
      plan(kind, tunacode),
      ...(kind === "calls" ? [] : [plan(kind, sdkDrain())]),
      ...peers.map((peer) => plan(kind, peer)),
    ]);
    const samples = await interleave(plans, ROUNDS);
    await assertChecked({ server, workplace });
    return rows(samples, peers);
  } finally {
    server.stop();
    workplace.remove();
  }
}

const TITLES = { line: "one line", calls: "ten tool calls", deltas: "20,000 deltas" } as const;

function rows(samples: Samples, peers: readonly Program[]): Row[] {
  const of = (kind: keyof typeof TITLES, program: Program) => `${TITLES[kind]}, ${program.name}`;
  const bare = (kind: keyof typeof TITLES, limit?: number) => ({
    key: of(kind, bareLoop),
    name: bareLoop.name,
    ...(limit !== undefined && { limit }),
  });
  const sdk = { key: of("deltas", sdkDrain()), name: "the bare SDK", limit: CPU_OF_SDK_LIMIT };
  const lineSdk = { key: of("line", sdkDrain()), name: "the bare SDK" };
  return [
    rowOf(samples, of("line", tunacode), "firstRequestMs", bare("line")),
    rowOf(samples, of("line", tunacode), "wallMs", bare("line", TIME_LIMIT)),
    rowOf(samples, of("line", tunacode), "cpuMs", bare("line")),
    rowOf(samples, of("line", tunacode), "peakMb", bare("line", MEMORY_LIMIT)),
    {
      ...rowOf(samples, of("line", tunacode), "cpuMs", lineSdk),
      name: "one line, tunacode: processor, of the SDK's",
    },
    rowOf(samples, of("calls", tunacode), "wallMs", bare("calls")),
    rowOf(samples, of("calls", tunacode), "cpuMs", bare("calls")),
    rowOf(samples, of("calls", tunacode), "peakMb", bare("calls", MEMORY_LIMIT)),
    perCall(
      samples,
      of("calls", tunacode),
      of("line", tunacode),
      of("calls", bareLoop),
      of("line", bareLoop),
    ),
    rowOf(samples, of("deltas", tunacode), "wallMs", bare("deltas")),
    rowOf(samples, of("deltas", tunacode), "cpuMs", sdk),
    rowOf(samples, of("deltas", tunacode), "peakMb", { key: sdk.key, name: sdk.name }),
    ...peers.flatMap((peer) => [
      rowOf(samples, of("line", peer), "wallMs", bare("line")),
      rowOf(samples, of("line", peer), "peakMb", bare("line")),
      rowOf(samples, of("calls", peer), "wallMs", bare("calls")),
      rowOf(samples, of("deltas", peer), "cpuMs", { key: sdk.key, name: sdk.name }),
    ]),
  ];
}

/** What a tool call adds to a run, beyond what it adds to the bare loop's. */
function perCall(samples: Samples, calls: string, line: string, bareCalls: string, bareLine: string): Row {
  const added = (many: string, one: string) =>
    spreadOf(differences(valuesOf(samples, many, "wallMs"), valuesOf(samples, one, "wallMs")));
  const ours = added(calls, line);
  const floor = added(bareCalls, bareLine);
  return {
    name: "a tool call, above the bare loop's",
    value: ours.median - floor.median,
    low: ours.low - floor.median,
    high: ours.high - floor.median,
    unit: "ms",
    limit: MOST_MS_PER_CALL,
  };
}

function differences(many: readonly number[], one: readonly number[]): number[] {
  return many.map((value, round) => (value - (one[round] ?? Number.NaN)) / CALLS);
}
