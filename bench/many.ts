// Fifty headless runs at once on this machine: how many a second, and what each needs of the memory.
import type { Row } from "./bench.ts";
import { spreadOf } from "./bench.ts";
import { type Measured, measure, type Program } from "./support/measure.ts";
import { startModelServer } from "./support/model-server-process.ts";
import { bareLoop, buildPrograms, tunacode } from "./support/programs.ts";
import { createWorkplace } from "./support/workplace.ts";

export const name = "many";

const RUNS = 50;
const ROUNDS = 5;
const MODEL = "calls-3";

export async function run(): Promise<Row[]> {
  await buildPrograms();
  const server = await startModelServer();
  const workplace = createWorkplace();
  try {
    const samples = new Map<Program, Measured[]>([
      [tunacode, []],
      [bareLoop, []],
    ]);
    for (let round = 0; round < ROUNDS; round++)
      for (const [program, measured] of samples)
        measured.push(await measure(program, { server, workplace, model: MODEL, count: RUNS }));
    const row = (title: string, unit: string, figure: (measured: Measured) => number): Row => {
      const [ours, bare] = [tunacode, bareLoop].map((program) =>
        spreadOf((samples.get(program) ?? []).map(figure)),
      );
      if (ours === undefined || bare === undefined) throw new Error("Nothing was measured.");
      const { median: value, low, high } = ours;
      const ratio = value / bare.median;
      return {
        name: title,
        value,
        low,
        high,
        unit,
        yardstick: bare.median,
        yardstickName: bareLoop.name,
        ratio,
      };
    };
    return [
      row(
        `${RUNS} runs of three tool calls at once`,
        "runs a second",
        ({ wallMs }) => (RUNS * 1_000) / wallMs,
      ),
      row("processor, each", "ms CPU", ({ cpuMs }) => cpuMs / RUNS),
      row("memory, each, what they share counted once", "MB", ({ sharedMb }) => sharedMb / RUNS),
      row("peak memory of the largest", "MB", ({ peakMb }) => peakMb),
    ];
  } finally {
    server.stop();
    workplace.remove();
  }
}
