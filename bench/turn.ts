// A whole run of the shipped program, from its start to its end, beside a bare fetch loop and the bare SDK against the
// same server: one line, ten tool calls, 20,000 deltas.
import { defined } from "../src/base/defined.ts";
import { type Row, spreadOf } from "./bench.ts";
import { assertChecked } from "./support/checked.ts";
import { interleave, type Plan, rowOf, type Samples, valuesOf } from "./support/compare.ts";
import type { Program } from "./support/measure.ts";
import { startModelServer } from "./support/model-server-process.ts";
import { CODEX, installedPeers } from "./support/peers.ts";
import { bareLoop, buildPrograms, sdkDrain, tunacode } from "./support/programs.ts";
import { createWorkplace } from "./support/workplace.ts";

export const name = "turn";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 21);
/** They take a hundred times as long. */
const PEER_ROUNDS = Number(process.env["BENCH_PEER_ROUNDS"] ?? 5);
const CALLS = 10;
const DELTAS = 20_000;
const MODELS = { line: "line", calls: `calls-${CALLS}`, deltas: `deltas-${DELTAS}` } as const;
/** Of the bare loop's time and memory. */
const LINE_LIMIT = 2;
const MOST_MS_PER_CALL = 4;
/** Of the processor time of Codex, or of the SDK alone where Codex isn't installed. */
const DELTAS_LIMIT = { codex: 1, sdk: 1.4 };

export async function run(): Promise<Row[]> {
  await buildPrograms();
  const server = await startModelServer();
  const workplace = createWorkplace();
  try {
    const peers = installedPeers(process.env["PEERS_DIR"], server.baseUrl, workplace);
    const plansFor = (programs: readonly Program[]): Plan[] =>
      (["line", "calls", "deltas"] as const).flatMap((kind) =>
        [bareLoop, ...programs, ...(kind === "calls" ? [] : [sdkDrain()])].map((program) => ({
          key: keyOf(kind, program),
          program,
          run: { server, workplace, model: MODELS[kind] },
        })),
      );
    const samples = await interleave(plansFor([tunacode]), ROUNDS);
    await assertChecked({ server, workplace });
    const others =
      peers.length === 0 ? new Map() : await interleave(plansFor([tunacode, ...peers]), PEER_ROUNDS);
    return [...rows(samples, others), ...peerRows(others, peers)];
  } finally {
    server.stop();
    workplace.remove();
  }
}

const TITLES = { line: "one line", calls: "ten tool calls", deltas: "20,000 deltas" } as const;

type Kind = keyof typeof TITLES;

function keyOf(kind: Kind, program: Program): string {
  return `${TITLES[kind]}, ${program.name}`;
}

function bare(kind: Kind, limit?: number) {
  return { key: keyOf(kind, bareLoop), name: bareLoop.name, ...defined({ limit }) };
}

const sdk = (kind: Kind) => ({ key: keyOf(kind, sdkDrain()), name: "the bare SDK" });

function rows(samples: Samples, others: Samples): Row[] {
  return [
    rowOf(samples, keyOf("line", tunacode), "wallMs", bare("line", LINE_LIMIT)),
    rowOf(samples, keyOf("line", tunacode), "peakMb", bare("line", LINE_LIMIT)),
    rowOf(samples, keyOf("calls", tunacode), "wallMs", bare("calls")),
    rowOf(samples, keyOf("calls", tunacode), "peakMb", bare("calls")),
    perCall(samples),
    deltas(samples, others),
    rowOf(samples, keyOf("deltas", tunacode), "peakMb", sdk("deltas")),
  ];
}

/** Both in the same rounds: a busy moment has to meet both. */
function deltas(samples: Samples, others: Samples): Row {
  const ours = keyOf("deltas", tunacode);
  const codex = `${TITLES.deltas}, ${CODEX}`;
  if (!others.has(codex)) return rowOf(samples, ours, "cpuMs", { ...sdk("deltas"), limit: DELTAS_LIMIT.sdk });
  return rowOf(others, ours, "cpuMs", { key: codex, name: CODEX, limit: DELTAS_LIMIT.codex });
}

function peerRows(samples: Samples, peers: readonly Program[]): Row[] {
  return peers.flatMap((peer) => [
    rowOf(samples, keyOf("line", peer), "wallMs", bare("line")),
    rowOf(samples, keyOf("line", peer), "peakMb", bare("line")),
    rowOf(samples, keyOf("calls", peer), "wallMs", bare("calls")),
    rowOf(samples, keyOf("calls", peer), "peakMb", bare("calls")),
    rowOf(samples, keyOf("deltas", peer), "cpuMs", sdk("deltas")),
    rowOf(samples, keyOf("deltas", peer), "peakMb", sdk("deltas")),
  ]);
}

/** What a tool call adds to a run, beyond what it adds to the bare loop's. */
function perCall(samples: Samples): Row {
  const added = (program: Program) =>
    spreadOf(
      differences(
        valuesOf(samples, keyOf("calls", program), "wallMs"),
        valuesOf(samples, keyOf("line", program), "wallMs"),
      ),
    );
  const { median: value, low, high } = added(tunacode);
  const { median: yardstick } = added(bareLoop);
  return {
    name: "a tool call",
    ...{ value, low, high, unit: "ms" },
    ...{ yardstick, yardstickName: bareLoop.name, difference: value - yardstick },
    limit: MOST_MS_PER_CALL,
  };
}

function differences(many: readonly number[], one: readonly number[]): number[] {
  return many.map((value, round) => (value - (one[round] ?? Number.NaN)) / CALLS);
}
