// Runs the benchmarks, all or those named on the command line: tables on the terminal, results as JSON beside the
// committed ones, a chart for the README. Exit code 1 if a limit is passed.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, isOverLimit, type Row } from "./bench.ts";
import { drawChart } from "./support/chart.ts";

type Results = Readonly<Record<string, readonly Row[]>>;

const FOLDER = join(import.meta.dir, "results");
const LATEST = "latest.json";
/** Smaller changes are the machine's. */
const NOTEWORTHY = 0.1;

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dir).filter(
  (file) => file.endsWith(".ts") && !["bench.ts", "run.ts"].includes(file),
);
const modules: Partial<Bench>[] = await Promise.all(files.sort().map((file) => import(`./${file}`)));
const benches = modules.filter(isBench).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (benches.length === 0) throw new Error(`No benchmark is called ${wanted.join(" or ")}.`);

const committed = committedResults();
const results: Record<string, readonly Row[]> = { ...committed };
for (const { name, run } of benches) {
  console.log(`\n${name}`);
  const rows = await run().catch((error: unknown) => {
    // The others are still worth having.
    console.error(error);
    process.exitCode = 1;
    return [];
  });
  if (rows.length === 0) continue;
  results[name] = rows;
  console.table(
    rows.map((row) =>
      toCells(
        row,
        committed[name]?.find((before) => before.name === row.name),
      ),
    ),
  );
  if (rows.some(isOverLimit)) process.exitCode = 1;
  save(results);
}

function save(all: Results): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, LATEST), `${JSON.stringify(all, (_, value) => rounded(value), 2)}\n`);
  writeFileSync(join(FOLDER, "chart.svg"), drawChart(all["turn"] ?? []));
}

/** The last results that were committed; none in a copy without git. */
function committedResults(): Results {
  const { status, stdout } = spawnSync("git", ["show", `HEAD:./${LATEST}`], {
    cwd: FOLDER,
    encoding: "utf8",
  });
  return status === 0 ? JSON.parse(stdout) : {};
}

function rounded(value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}

function toCells(row: Row, before: Row | undefined) {
  const shown = (value: number | undefined) => rounded(value) ?? "";
  const range = row.low === undefined ? "" : `${shown(row.low)} to ${shown(row.high)}`;
  return {
    name: row.name,
    value: shown(row.value),
    unit: row.unit,
    quartiles: range,
    floor: shown(row.floor),
    "floor is": row.floorName ?? "",
    ratio: shown(row.ratio),
    limit: shown(row.limit),
    "": isOverLimit(row) ? "OVER" : "",
    "since the last commit": changeSince(row, before),
  };
}

/** Of the ratio where there is one, because that can be compared between machines. */
function changeSince(row: Row, before: Row | undefined): string {
  const [now, then] =
    row.ratio !== undefined && before?.ratio !== undefined
      ? [row.ratio, before.ratio]
      : [row.value, before?.value ?? Number.NaN];
  const change = now / then - 1;
  if (!Number.isFinite(change) || Math.abs(change) < NOTEWORTHY) return "";
  return `${change > 0 ? "+" : ""}${Math.round(change * 100)} %`;
}

/** What a file in bench/ exports, if it is not a piece of another one. */
function isBench(module: Partial<Bench>): module is Bench {
  return module.name !== undefined && module.run !== undefined;
}
