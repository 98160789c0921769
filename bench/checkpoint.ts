// What following the files costs a tool call, in a small and in a large project, beside a call that nobody follows and
// beside what others do: a commit to a second repository. Then how long undo takes, and what the index weighs.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tool } from "../src/domain/tool.ts";
import { git } from "../test/support/permission-project.ts";
import { openUndoProject } from "../test/support/undo-agent.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "checkpoint";

const ANSWER_MS = 300;
const CALLS = 21;
const COMMITS = 5;
const UNDONE_FILES = 1_000;
const SIZES = [
  { files: 3_000, limitMs: 5 },
  { files: 60_000, limitMs: 60 },
] as const;

export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { files, limitMs } of SIZES) {
    const base = mkdtempSync(join(tmpdir(), "tunacode-bench-"));
    try {
      plant(join(base, "project"), files);
      rows.push(...(await callRows(base, files, limitMs)));
      if (files > UNDONE_FILES * 10) rows.push(await undoRow(base), memoryRow(base, files));
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  }
  return rows;
}

/** As large projects are: ten files a folder, all of them in git. */
function plant(root: string, files: number): void {
  for (let index = 0; index < files; index++) {
    const folder = join(root, `part${Math.floor(index / 200)}`, `d${Math.floor(index / 10) % 20}`);
    if (index % 10 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file${index}.ts`), `export const value${index} = ${index};\n`.repeat(20));
  }
  git(root, "init", "-q");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "all");
}

async function callRows(base: string, files: number, limitMs: number): Promise<Row[]> {
  const alone = await callTimes(base, ANSWER_MS, false);
  const followed = await callTimes(base, ANSWER_MS, true);
  const hasty = await callTimes(base, 0, true);
  const commit = shadowCommitMs(base);
  const what = `${files.toLocaleString("en")} files`;
  const unit = "ms";
  const compared = (value: number, yardstick: number) => ({
    value,
    unit,
    yardstick,
    yardstickName: "not followed",
    difference: value - yardstick,
  });
  const added = percentile95(followed.later) - percentile95(alone.later);
  return [
    {
      name: `${what}, a call, p95, ${ANSWER_MS} ms an answer`,
      ...compared(percentile95(followed.later), percentile95(alone.later)),
      limit: limitMs,
    },
    {
      name: `${what}, a call, p95, 0 ms an answer`,
      ...compared(percentile95(hasty.later), percentile95(alone.later)),
    },
    { name: `${what}, the first call`, ...compared(followed.first, alone.first) },
    {
      name: `${what}, added to a call`,
      value: Math.max(added, 0),
      unit,
      yardstick: commit,
      yardstickName: "shadow git commit",
      ratio: Math.max(added, 0) / commit,
    },
  ];
}

interface CallTimes {
  readonly first: number;
  readonly later: readonly number[];
}

/** From the model's last word to the end of a call that may have written anything, and wrote one file. */
async function callTimes(base: string, delayMs: number, isFollowed: boolean): Promise<CallTimes> {
  const own = [appender(join(base, "project/part0/d0/file0.ts"))];
  const project = await openUndoProject(base, { own, undo: { enabled: isFollowed } });
  const times: number[] = [];
  const turns = Array.from({ length: CALLS }, () => [{ delayMs }, { call: "append" }]);
  let start = 0;
  for await (const event of project.ask(turns)) {
    if (event.type === "batch-start") start = performance.now();
    if (event.type === "tool-end") times.push(performance.now() - start);
  }
  await project.close();
  const [first = Number.NaN, ...later] = times;
  return { first, later };
}

/** Nothing says what it writes, as with a command; but no process has to start. */
function appender(path: string): Tool {
  return {
    name: "append",
    kind: "write",
    description: "Appends a line.",
    parameters: { type: "object" },
    execute: async () => {
      appendFileSync(path, "more\n");
      return "done";
    },
  };
}

function shadowCommitMs(base: string): number {
  const root = join(base, "project");
  const shadow = join(base, "shadow.git");
  const place = [`--git-dir=${shadow}`, `--work-tree=${root}`];
  git(root, "init", "-q", "--bare", shadow);
  const commit = () => {
    git(root, ...place, "add", "-A");
    git(root, ...place, "commit", "-q", "-m", "shadow");
  };
  commit();
  const times = Array.from({ length: COMMITS }, () => {
    appendFileSync(join(root, "part0/d0/file1.ts"), "more\n");
    const start = performance.now();
    commit();
    return performance.now() - start;
  });
  return spreadOf(times).median;
}

async function undoRow(base: string): Promise<Row> {
  const project = await openUndoProject(base);
  await project.run(
    `find part0 part1 part2 part3 part4 -type f | head -n ${UNDONE_FILES} | xargs sed -i s/export/import/`,
  );
  const start = performance.now();
  const { changes } = await project.undo.goBack({ target: { type: "last" }, scope: "files" });
  const value = performance.now() - start;
  await project.close();
  if (changes.length !== UNDONE_FILES) throw new Error(`${changes.length} files were taken back.`);
  const yardstick = creationMs(base);
  const name = `/undo of ${UNDONE_FILES.toLocaleString("en")} files`;
  return { name, value, unit: "ms", yardstick, yardstickName: "creating twice as many", limit: 1_000 };
}

/** Undo has to write each file anew and to keep what was there, and on some disks little else takes time. */
function creationMs(base: string): number {
  const folder = join(base, "created");
  mkdirSync(folder);
  const start = performance.now();
  for (let index = 0; index < 2 * UNDONE_FILES; index++)
    writeFileSync(join(folder, String(index)), "export\n".repeat(80));
  return performance.now() - start;
}

/** Each in a process of its own, whose heap holds nothing else. */
function memoryRow(base: string, files: number): Row {
  const program = join(import.meta.dir, "support/index-memory.ts");
  const megabytes = (how: string) => {
    const { stdout, stderr } = spawnSync(process.execPath, [program, base, how], { encoding: "utf8" });
    if (stdout === "") throw new Error(`The memory of the index could not be measured: ${stderr}`);
    return Number(stdout);
  };
  const [value, yardstick] = [megabytes("followed"), megabytes("not followed")];
  const name = `the heap with the index of ${files.toLocaleString("en")} files`;
  const compared = { value, yardstick, yardstickName: "without", difference: value - yardstick };
  return { name, unit: "MB", ...compared, limit: 25 };
}

function percentile95(samples: readonly number[]): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
