// read_file on files far larger than memory should hold: time against the plain Unix tool, and memory.

import { spawn } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFile } from "../src/tools/read-file.ts";
import { boundTool } from "../test/support/bound-tool.ts";
import { toolContext } from "../test/support/tool-context.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "read_file";

const GIGABYTE = 1_000_000_000;
const LINE = `${"a line of an ordinary log file, with some text in it ".repeat(2)}\n`;
const ROUNDS = 15;

export async function run(): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), "tunacode-bench-"));
  try {
    const tool = boundTool(readFile, { workspace: { root, cwd: () => root, setCwd: () => {} } });
    const read = (filepath: string, offset: number) =>
      tool.execute({ filepath, offset, limit: 100 }, toolContext());
    const huge = await sparseLog(join(root, "huge.log"));
    const large = await fullLog(join(root, "large.log"), 2_000_000);
    await read(huge, -100);

    const before = process.memoryUsage().rss;
    const tail = await compare(
      () => read(huge, -100),
      () => command("tail", ["-n", "100", huge]),
    );
    const forward = await compare(
      () => read(large, 1_900_000),
      () => command("sed", ["-n", "1900000,1900099p;1900099q", large]),
    );
    const grown = (process.memoryUsage().rss - before) / 1e6;
    return [
      { name: "last 100 lines of 1 GB", unit: "ms", ...tail, yardstickName: "tail -n 100", limit: 3 },
      {
        name: "100 lines at line 1,900,000 (200 MB)",
        unit: "ms",
        ...forward,
        yardstickName: "sed -n",
        limit: 3,
      },
      { name: "memory grown by all of it", value: grown, unit: "MB", limit: 32 },
    ];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Interleaved, so that a busy machine slows both. */
async function compare(ours: () => Promise<unknown>, theirs: () => Promise<unknown>) {
  const samples: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS; round++) {
    samples.ours.push(await milliseconds(ours));
    samples.theirs.push(await milliseconds(theirs));
  }
  const value = spreadOf(samples.ours).median;
  const yardstick = spreadOf(samples.theirs).median;
  return { value, yardstick, ratio: value / yardstick };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function command(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, [...args], { stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  await new Promise((resolve) => child.once("close", resolve));
}

/** 1 GB of which only the beginning and the end take room on the disk. */
async function sparseLog(path: string): Promise<string> {
  const handle = await open(path, "w");
  const end = LINE.repeat(10_000);
  await handle.write(LINE.repeat(1_000), 0);
  await handle.write(end, GIGABYTE - end.length);
  await handle.close();
  return path;
}

async function fullLog(path: string, lines: number): Promise<string> {
  const handle = await open(path, "w");
  const block = LINE.repeat(10_000);
  for (let written = 0; written < lines; written += 10_000) await handle.write(block);
  await handle.close();
  return path;
}
