// Runs the benchmarks, all or those named on the command line, and prints their tables. Exit code 1 if a limit is passed.
import { readdirSync } from "node:fs";
import { type Bench, isOverLimit, type Row } from "./bench.ts";

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dir).filter(
  (file) => file.endsWith(".ts") && !["bench.ts", "run.ts"].includes(file),
);
const modules: Partial<Bench>[] = await Promise.all(files.sort().map((file) => import(`./${file}`)));
const benches = modules.filter(isBench).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
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

/** What a file in bench/ exports, if it is not a piece of another one. */
function isBench(module: Partial<Bench>): module is Bench {
  return module.name !== undefined && module.run !== undefined;
}
