// The search tools beside plain ripgrep on a tree of 50,000 files, and how soon each tool lets go when it is aborted.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../src/base/json.ts";
import { settleProcesses } from "../src/base/process-endings.ts";
import { checkArguments } from "../src/dispatch/check-arguments.ts";
import type { Tool } from "../src/domain/tool.ts";
import { createTools } from "../src/tools/catalog.ts";
import { createRipgrepPath } from "../src/tools/ripgrep.ts";
import { plainShell } from "../test/support/bound-tool.ts";
import { toolContext } from "../test/support/tool-context.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "tools";

const FOLDERS = 500;
const FILES_PER_FOLDER = 100;
const ROUNDS = 15;
const SEARCH_LIMIT = 1.3;
const ABORTS = 40;
const ABORT_LIMIT_MS = 50;
const ENDINGS = ["ts", "js", "md", "txt", "py"];

export async function run(): Promise<Row[]> {
  const root = plantTree();
  const server = createServer(({ url }, response) => {
    if (url === "/page") response.setHeader("content-type", "text/html").end(LARGE_PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const ripgrepPath = createRipgrepPath();
    const tools = createTools({
      workspace: { root, cwd: () => root, setCwd: () => {} },
      shell: plainShell,
      ripgrepPath,
      research: async () => "",
      presentPlan: async () => "",
      spillFolder: async () => root,
      mask: (text) => text,
      network: { resolve: async () => [], refuseHostName: () => null, refuseAddress: () => null },
    });
    const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return [...(await searchRows(root, await ripgrepPath(), tools)), ...(await abortRows(tools, site))];
  } finally {
    server.closeAllConnections();
    server.close();
    await settleProcesses();
    rmSync(root, { recursive: true, force: true });
  }
}

const LARGE_PAGE = "<div><p>hello <b>world</b> <a href='/x'>link</a></p></div>".repeat(20_000);

/** Each search beside what a person would type, in turns, so that both see the same machine. */
async function searchRows(root: string, program: string, tools: readonly Tool[]): Promise<Row[]> {
  const searches: readonly [string, string, JsonObject, readonly string[]][] = [
    ["grep, 50 matches", "grep", { pattern: "needle" }, ["needle", "./"]],
    ["grep, no match", "grep", { pattern: "absent" }, ["absent", "./"]],
    // By type and not by --glob, which would find ignored files, too.
    [
      "glob, 500 matches",
      "glob",
      { pattern: "**/f7.md" },
      ["--files", "--type-add=seven:f7.md", "--type=seven"],
    ],
    // So many have to be sorted by age, and that is what is compared.
    ["glob, 10,000 matches", "glob", { pattern: "*.ts" }, ["--files", "--sortr=modified", "--glob", "*.ts"]],
    ["glob, all 50,000", "glob", { pattern: "**/*" }, ["--files"]],
    ["glob, a folder", "glob", { pattern: "p1/d1/*.ts" }, ["--files", "--glob", "p1/d1/*.ts"]],
  ];
  const rows: Row[] = [];
  for (const [label, toolName, args, plain] of searches) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const tool = await timeOf(() => callTool(tools, toolName, args));
      const ripgrep = await timeOf(() => runPlain(program, ["--hidden", ...plain], root));
      // The first one warms the caches.
      if (round === 0) continue;
      ours.push(tool);
      theirs.push(ripgrep);
    }
    const value = spreadOf(ours).median;
    const yardstick = spreadOf(theirs).median;
    rows.push({
      name: label,
      value,
      unit: "ms",
      yardstick,
      yardstickName: `rg ${plain.join(" ")}`,
      ratio: value / yardstick,
      limit: SEARCH_LIMIT,
    });
  }
  return rows;
}

async function abortRows(tools: readonly Tool[], site: string): Promise<Row[]> {
  const calls: readonly [string, string, JsonObject][] = [
    ["bash, asleep", "bash", { command: "sleep 60" }],
    ["bash, flooding", "bash", { command: "yes" }],
    ["bash, deaf to TERM", "bash", { command: "trap '' TERM; while :; do sleep 1; done" }],
    ["grep", "grep", { pattern: "absent|missing" }],
    ["glob", "glob", { pattern: "**/*" }],
    ["list_dir", "list_dir", {}],
    ["web_fetch, waiting", "web_fetch", { url: `${site}/silent` }],
    ["web_fetch, converting", "web_fetch", { url: `${site}/page` }],
  ];
  const rows: Row[] = [];
  for (const [label, toolName, args] of calls) {
    const samples: number[] = [];
    for (let round = 0; round < ABORTS; round++)
      samples.push(await abortLatency(tools, toolName, args, round));
    const value = samples.toSorted((a, b) => a - b)[Math.ceil(ABORTS * 0.99) - 1] ?? Number.NaN;
    rows.push({ name: `abort: ${label}, p99`, value, unit: "ms", limit: ABORT_LIMIT_MS });
    await settleProcesses();
  }
  return rows;
}

async function abortLatency(
  tools: readonly Tool[],
  toolName: string,
  args: JsonObject,
  round: number,
): Promise<number> {
  const abort = new AbortController();
  const call = callTool(tools, toolName, args, abort.signal).catch(() => {});
  await sleep(5 + (round % 10) * 5);
  return await timeOf(async () => {
    abort.abort(new Error("escape"));
    await call;
  });
}

async function callTool(
  tools: readonly Tool[],
  toolName: string,
  args: JsonObject,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const tool = tools.find((candidate) => candidate.name === toolName);
  const validation = tool && checkArguments(tool, args);
  if (tool === undefined || validation?.ok !== true) throw new Error(`${toolName} can't be called.`);
  await tool.execute(validation.args, toolContext({ signal }));
}

async function runPlain(program: string, args: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([program, ...args], { cwd, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  await new Response(child.stdout).text();
  await child.exited;
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function plantTree(): string {
  const root = mkdtempSync(join(tmpdir(), "bench-tools-"));
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(root, `p${folder % 20}`, `d${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      const text = `line one\nconst value${file} = ${folder};\n`.repeat(20);
      const needle = file === 7 && folder % 10 === 0 ? "needle\n" : "";
      writeFileSync(join(path, `f${file}.${ENDINGS[file % ENDINGS.length]}`), text + needle);
    }
  }
  return root;
}
