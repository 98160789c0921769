// What a question shows is what runs: every byte of a command, its variables and its folder, and every byte that is
// written can be read off the screen, whatever characters are in them.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Person } from "../../src/app/settings.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { Tool } from "../../src/domain/tool.ts";
import type { ScriptedTurn } from "../../src/models/scripted.ts";
import { createDiskView } from "../../src/permission/disk.ts";
import { createPermit } from "../../src/permission/permit.ts";
import { FileAccess } from "../../src/tools/file-access.ts";
import { VOCABULARY } from "../support/asked-call.ts";
import { catalogTool } from "../support/bound-tool.ts";
import { hiddenText } from "../support/hidden-text.ts";
import { seededRandom } from "../support/random.ts";
import { questionPages, readCommand, readWrite } from "../support/read-question.ts";
import { type TempWorkspace, tempWorkspace } from "../support/temp-workspace.ts";
import { startApp } from "../support/terminal-app.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const SIZES = [
  [80, 24],
  [120, 40],
  [64, 16],
  [100, 10],
] as const;
const COMMANDS_PER_SIZE = LONG ? 40 : 3;
const WRITES_PER_SIZE = LONG ? 40 : 3;
const SEED = 16_050;
/** A key counts at once. */
const HASTY = { now: systemClock.now, sleep: async () => {} };

/** The app with the real permit. Each question has its number in its title. */
function start(
  workspace: TempWorkspace,
  tools: readonly Tool[],
  calls: readonly ScriptedTurn[],
  size: readonly [number, number],
) {
  const [columns, rows] = size;
  let asked = 0;
  const permit = ({ askPermission }: Person) =>
    createPermit({
      context: async () => ({
        mode: "ask",
        rules: [],
        vocabulary: VOCABULARY,
        workspace: { root: workspace.root, cwd: workspace.root },
        home: "/nonexistent",
        trusted: false,
        sandbox: false,
        disk: createDiskView({ PATH: "/usr/bin:/bin" }),
        environment: {},
      }),
      ask: (question, signal) => askPermission({ ...question, title: `Question ${++asked}.` }, signal),
      remember: () => {},
    });
  return startApp({
    columns,
    rows,
    options: { prompt: "go", clock: HASTY },
    turns: [...calls, [{ text: "the end" }]],
    tools,
    permit,
    agentPorts: () => ({ loop: { maxIterations: 10_000 } }),
  });
}

for (const [index, size] of SIZES.entries())
  test(`what a command runs can be read at ${size.join("x")}`, async () => {
    using workspace = tempWorkspace();
    const random = seededRandom(SEED + index);
    const calls = Array.from({ length: COMMANDS_PER_SIZE }, (): JsonObject => {
      const command = `touch ${hiddenText(random, 1 + random.below(random.pick([6, 30])), true)}`;
      const names = ["LD_PRELOAD", "A", "a\u200bb"].slice(0, random.below(4));
      const env = Object.fromEntries(names.map((name) => [name, hiddenText(random, random.below(4), true)]));
      const cwd = `/nowhere/x${hiddenText(random, random.below(3), false).replaceAll("/", "")}x`;
      return { command, env, ...(random.below(2) === 0 ? { cwd } : {}) };
    });
    const ran: unknown[] = [];
    const bash: Tool = {
      ...catalogTool("bash", { workspace }),
      execute: async ({ command, env = {} }, { grant: { folder, sandboxed } }) => {
        ran.push({ script: command, env, folder, sandboxed });
        return "done";
      },
    };
    const app = start(
      workspace,
      [bash],
      calls.map((args) => [{ call: "bash", args }]),
      size,
    );
    for (const number of calls.keys()) {
      await app.see(`Question ${number + 1}.`);
      const read = readCommand(await questionPages(app));
      app.type("y");
      await app.until(() => ran.length === number + 1);
      expect(read).toEqual(ran[number] as typeof read);
    }
    await app.leave();
  }, 120_000);

for (const [index, size] of SIZES.entries())
  test(`what is written can be read at ${size.join("x")}`, async () => {
    using workspace = tempWorkspace();
    const random = seededRandom(SEED + 100 + index);
    const ports = { workspace, files: new FileAccess({ workspace }) };
    const tools = ["write_file", "update_file"].map((name) => catalogTool(name, ports));
    const before = Array.from({ length: 30 }, (_, line) => `line ${line} \u200b`).join("\n");
    const calls = Array.from({ length: WRITES_PER_SIZE }, (_, number) => {
      const filepath = `file-${number}.txt`;
      const text = hiddenText(random, 1 + random.below(random.pick([4, 20])), true);
      if (random.below(2) === 0) return { call: "write_file", args: { filepath, content: text } };
      workspace.write(filepath, `${before}\n`);
      const line = random.below(30);
      return { call: "update_file", args: { filepath, old_text: `line ${line} \u200b\n`, new_text: text } };
    });
    const app = start(
      workspace,
      tools,
      calls.map((call) => [call]),
      size,
    );
    for (const [number, { call, args }] of calls.entries()) {
      await app.see(`Question ${number + 1}.`);
      const { lines, isUnended } = readWrite(await questionPages(app));
      app.type("y");
      await app.see(number + 1 < calls.length ? `Question ${number + 2}.` : "the end");
      const written = readFileSync(workspace.path(args.filepath), "utf8");
      const kept = lines.filter(({ sign }) => sign !== "-");
      if (call === "write_file") {
        const read = kept.map(({ text }) => text).join("\n") + (isUnended || kept.length === 0 ? "" : "\n");
        expect(read).toBe(written);
      } else {
        const fileLines = written.split("\n");
        for (const { text, number: at } of kept) expect(text).toBe(fileLines[at - 1] ?? "");
        // What is not on the screen is as it was.
        const grown = kept.length - lines.filter(({ sign }) => sign !== "+").length;
        expect(fileLines.length).toBe(31 + grown);
      }
    }
    await app.leave();
  }, 120_000);
