// How long `tunacode --version` takes beside an empty script on the same runtime, in turns, so that both see the
// same machine.
import { spawnSync } from "node:child_process";
import { BINARY, buildIfStale } from "../scripts/build.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "startup";

const ROUNDS = 100;
const WARM_UP_ROUNDS = 5;
const LIMIT = 1.1;

export async function run(): Promise<Row[]> {
  await buildIfStale();
  const rounds = Array.from({ length: WARM_UP_ROUNDS + ROUNDS }, (_, round) => runRound(round)).slice(
    WARM_UP_ROUNDS,
  );
  const version = spreadOf(rounds.map((round) => round.version));
  const empty = spreadOf(rounds.map((round) => round.empty));
  return [
    {
      name: "--version",
      value: version.median,
      low: version.low,
      high: version.high,
      unit: "ms",
      yardstick: empty.median,
      yardstickName: "bun -e 0",
      // Round by round: a busy moment hits both of a round, but not both medians alike.
      ratio: spreadOf(rounds.map((round) => round.version / round.empty)).median,
      limit: LIMIT,
    },
  ];
}

/** Who goes first changes from round to round. */
function runRound(round: number): { version: number; empty: number } {
  const timeVersion = () => timeOf([BINARY, "--version"]);
  const timeEmpty = () => timeOf([process.execPath, "-e", "0"]);
  if (round % 2 === 0) return { version: timeVersion(), empty: timeEmpty() };
  const empty = timeEmpty();
  return { version: timeVersion(), empty };
}

function timeOf([command = "", ...args]: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(command, args, { stdio: "ignore" });
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  return took;
}
