// Runs the benchmarks, all or those named on the command line: a table each, all marks together at the end, results as
// JSON, a chart for the README. Exit code 1 if a limit is passed.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, isOverLimit, type Row } from "./bench.ts";
import { drawChart } from "./support/chart.ts";

type Results = Readonly<Record<string, readonly Row[]>>;

const FOLDER = join(import.meta.dir, "results");
const LATEST = "latest.json";

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dir).filter(
  (file) => file.endsWith(".ts") && !["bench.ts", "run.ts"].includes(file),
);
const modules: Partial<Bench>[] = await Promise.all(files.sort().map((file) => import(`./${file}`)));
const benches = modules.filter(isBench).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (benches.length === 0) throw new Error(`No benchmark is called ${wanted.join(" or ")}.`);

// Of the benchmarks that aren't run now, the committed results stay.
const names = new Set(modules.map(({ name }) => name));
const results: Record<string, readonly Row[]> = Object.fromEntries(
  Object.entries(committedResults()).filter(([name]) => names.has(name)),
);
const marks: Row[] = [];
if ((process.env["PEERS_DIR"] ?? "") === "")
  console.log("PEERS_DIR is not set, so no other agents are measured (bench/support/install-peers.ts).");
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
  marks.push(...rows.filter(({ limit }) => limit !== undefined));
  console.table(rows.map(toCells));
  save(results);
}
console.log("\nmarks");
console.table(marks.map(toCells));
if (marks.some(isOverLimit)) process.exitCode = 1;

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

function toCells(row: Row) {
  const { name, value, unit, yardstick, yardstickName, limit } = row;
  const figure = row.difference ?? row.ratio;
  return {
    name,
    ours: `${rounded(value)} ${unit}`,
    yardstick: yardstick === undefined ? "" : `${rounded(yardstick)} ${unit}, ${yardstickName}`,
    compared: figure === undefined ? "" : inWords(row, figure),
    limit: limit === undefined ? "" : inWords(row, limit),
    ok: limit === undefined ? "" : isOverLimit(row) ? "OVER" : "ok",
  };
}

/** A figure of the kind that the row is judged by. */
function inWords({ unit, difference, ratio }: Row, figure: number): string {
  if (difference !== undefined) return `${rounded(figure)} ${unit} more`;
  return ratio === undefined ? `${rounded(figure)} ${unit}` : `${rounded(figure)} times`;
}

/** What a file in bench/ exports, if it is not a piece of another one. */
function isBench(module: Partial<Bench>): module is Bench {
  return module.name !== undefined && module.run !== undefined;
}
