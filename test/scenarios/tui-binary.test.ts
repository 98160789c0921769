// The built program in a real terminal, with a strict vendor on the other side and real tools, files and sessions.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";
import { hasTmux, startTmux, type Tmux } from "../support/tmux.ts";

const TIMEOUT_MS = 60_000;
const isThere = hasTmux();
if (!isThere) console.log("skipped: the tests in a real terminal need tmux");

describe.skipIf(!isThere)("the built program in a real terminal", () => {
  let lab: CliLab;
  let tmux: Tmux;

  beforeAll(async () => {
    lab = await openCliLab();
  });
  afterAll(() => lab.close());
  beforeEach(() => {
    tmux = startTmux({ env: lab.env, cwd: lab.folder });
  });
  afterEach(() => {
    tmux.kill();
    expect(lab.server.requests.flatMap(({ problems }) => problems)).toEqual([]);
  });

  async function start(args = ""): Promise<void> {
    await tmux.see(/\$\s*$/);
    tmux.type(`${lab.binary} -m openai:gpt-5.4 --sandbox off ${args}; echo code $?`);
    tmux.keys("Enter");
    await tmux.see(/ask · openai/);
  }

  async function send(prompt: string): Promise<void> {
    tmux.type(prompt);
    tmux.keys("Enter");
  }

  async function leave(): Promise<void> {
    tmux.keys("C-c", "C-c");
    await tmux.see("code 0");
  }

  test(
    "a turn with an edit that is asked about, and the file is changed",
    async () => {
      writeFileSync(join(lab.folder, "a.txt"), "one\ntwo\n");
      lab.script([
        answer("I read it.", call("read_file", { filepath: "a.txt" })),
        answer(call("update_file", { filepath: "a.txt", old_text: "two", new_text: "three" })),
        answer("It says **three** now."),
      ]);
      await start();
      await send("make it three");
      await tmux.see("May this file be edited?");
      await Bun.sleep(700);
      tmux.keys("y");
      const screen = await tmux.see("It says three now.");
      expect(screen).toContain("✓ Read a.txt");
      expect(screen).toContain("2 + three");
      expect(readFileSync(join(lab.folder, "a.txt"), "utf8")).toBe("one\nthree\n");
      await leave();
    },
    TIMEOUT_MS,
  );

  test(
    "Escape stops a command that would run for minutes",
    async () => {
      lab.script([answer(call("bash", { command: "sleep 300" })), answer("the end")]);
      await start();
      await send("sleep");
      await tmux.see("● Run sleep 300");
      tmux.keys("Escape");
      await tmux.see("Stopped. Everything up to here is kept");
      expect(tmux.screen()).toContain("⊘ Run sleep 300");
      await leave();
    },
    TIMEOUT_MS,
  );

  test(
    "kill -9 in the middle of a turn: the next start has the conversation, and the terminal is as it was",
    async () => {
      lab.script([answer("The first answer."), answer(call("bash", { command: "sleep 300" }))]);
      await start();
      await send("first");
      await tmux.see("The first answer.");
      await send("second");
      await tmux.see("● Run sleep 300");
      const [child] = Bun.spawnSync(["pgrep", "-P", tmux.ask("#{pane_pid}")])
        .stdout.toString()
        .split("\n");
      process.kill(Number(child), "SIGKILL");
      await tmux.see("code 137");
      tmux.type("clear");
      tmux.keys("Enter");
      lab.script([answer("It goes on.")]);
      await start("--continue");
      const screen = await tmux.see("The first answer.");
      expect(screen).toContain("❯ first");
      expect(screen).toContain("❯ second");
      await send("go on");
      await tmux.see("It goes on.");
      await leave();
      expect(tmux.ask("#{cursor_flag} #{alternate_on}")).toBe("1 0");
    },
    TIMEOUT_MS,
  );

  test(
    "a model that doesn't exist: the reason on a clean terminal, and nothing typed into the shell",
    async () => {
      await tmux.see(/\$\s*$/);
      tmux.type(`${lab.binary} -m demo:nope; echo code $?`);
      tmux.keys("Enter");
      await tmux.see("code 3");
      await Bun.sleep(300);
      expect(tmux.screen().trimEnd().endsWith("$")).toBe(true);
    },
    TIMEOUT_MS,
  );
});
