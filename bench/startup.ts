// How long `tunacode --version` takes beside an empty script on the same runtime, in turns, so that both see the
// same machine.
import { spawnSync } from "node:child_process";
import { BINARY, buildIfStale } from "../scripts/build.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "startup";

const ROUNDS = 60;
const WARM_UP_ROUNDS = 5;
const LIMIT = 1;

export async function run(): Promise<Row[]> {
  await buildIfStale();
  const contenders = {
    version: { command: [BINARY, "--version"], samples: [] as number[] },
    floor: { command: [process.execPath, "-e", "0"], samples: [] as number[] },
  };
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    for (const { command, samples } of Object.values(contenders)) {
      const took = timeOf(command);
      if (round >= WARM_UP_ROUNDS) samples.push(took);
    }
  const version = spreadOf(contenders.version.samples);
  const floor = spreadOf(contenders.floor.samples);
  const range = (spread: typeof version) => `${spread.low.toFixed(1)} to ${spread.high.toFixed(1)}`;
  return [
    {
      name: `--version (${range(version)})`,
      value: version.median,
      unit: "ms",
      floor: floor.median,
      floorName: `bun -e 0 (${range(floor)})`,
      ratio: version.median / floor.median,
      limit: LIMIT,
    },
  ];
}

function timeOf([command = "", ...args]: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(command, args, { stdio: "ignore" });
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  return took;
}
