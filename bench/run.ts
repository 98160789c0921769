// Runs the benchmarks, all or those named on the command line, and prints their tables. Exit code 1 if a limit is passed.
import { type Bench, isOverLimit, type Row } from "./bench.ts";

const BENCHES: readonly (() => Promise<Bench>)[] = [
  () => import("./startup.ts"),
  () => import("./loop.ts"),
  () => import("./tui.ts"),
];

const wanted = process.argv.slice(2);
const benches = (await Promise.all(BENCHES.map((load) => load()))).filter(
  ({ name }) => wanted.length === 0 || wanted.includes(name),
);
if (benches.length === 0) throw new Error(`No benchmark is called ${wanted.join(" or ")}.`);

for (const { name, run } of benches) {
  console.log(`\n${name}`);
  const rows = await run();
  console.table(rows.map(toCells));
  if (rows.some(isOverLimit)) process.exitCode = 1;
}

function toCells(row: Row) {
  const shown = (value: number | undefined) => (value === undefined ? "" : Number(value.toPrecision(4)));
  return {
    name: row.name,
    value: shown(row.value),
    unit: row.unit,
    floor: shown(row.floor),
    "floor is": row.floorName ?? "",
    ratio: shown(row.ratio),
    limit: shown(row.limit),
    "": isOverLimit(row) ? "OVER" : "",
  };
}
