// How long an edit ever keeps the program from answering the keyboard: the longest step without a break.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../src/base/json.ts";
import type { Tool } from "../src/domain/tool.ts";
import { FileAccess } from "../src/tools/file-access.ts";
import { catalogTool } from "../test/support/bound-tool.ts";
import { toolContext } from "../test/support/tool-context.ts";
import { type Row, spreadOf } from "./bench.ts";

export const name = "edits";

const ROUNDS = 7;
const MOST_MS = 30;

export async function run(): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), "tunacode-bench-"));
  try {
    const workspace = { root, cwd: () => root, setCwd: () => {} };
    const ports = { workspace, files: new FileAccess({ workspace }) };
    const read = catalogTool("read_file", ports);
    const write = catalogTool("write_file", ports);
    const update = catalogTool("update_file", ports);
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => `    line number ${index} of it\n`);
    const row = async (what: string, before: string, tool: Tool, args: JsonObject): Promise<Row> => {
      const steps: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        await writeFile(join(root, "file"), before);
        await call(read, { filepath: "file", offset: 1, limit: 1 });
        steps.push(await longestStep(() => call(tool, { filepath: "file", replace_all: false, ...args })));
      }
      return { name: `${what}: longest step`, value: spreadOf(steps).median, unit: "ms", limit: MOST_MS };
    };
    const small = lines(20_000).join("");
    const large = lines(110_000).join("");
    return [
      await row("rewrite of 20,000 lines", small, write, { content: small.replaceAll("line", "other") }),
      await row("200 changes in 20,000 lines", small, write, {
        content: small.replaceAll(/number \d*00 /g, "x "),
      }),
      await row("text not found in 4 MB", large, update, {
        old_text: "    line numbr 55555 of it\n    lime number 55556 of it\n",
        new_text: "x",
      }),
      await row("other indentation in 4 MB", large, update, {
        old_text: "  line number 99999 of it",
        new_text: "  x",
      }),
      await row("replace_all in one line of 4 MB", large.replaceAll("\n", ""), update, {
        old_text: "number",
        new_text: "x",
        replace_all: true,
      }),
      await row("replace_all at 110,000 places", large, update, {
        old_text: "number",
        new_text: "x",
        replace_all: true,
      }),
    ];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function call(tool: Tool, args: JsonObject): Promise<void> {
  const signal = new AbortController().signal;
  // A miss is an answer here like any other.
  await tool.execute(args, toolContext({ signal })).catch(() => {});
}

async function longestStep(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const watch = (async () => {
    for (let last = performance.now(); !isOver; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  await work();
  isOver = true;
  await watch;
  return longest;
}
