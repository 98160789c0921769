// Going back with the built program in a real terminal: real files, commands and sessions.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";
import { hasTmux, startTmux, type Tmux } from "../support/tmux.ts";

const TIMEOUT_MS = 60_000;
const isThere = hasTmux();
if (!isThere) console.log("skipped: the tests in a real terminal need tmux");

describe.skipIf(!isThere)("going back in a real terminal", () => {
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

  const read = (name: string) => readFileSync(join(lab.folder, name), "utf8");

  async function start(args = ""): Promise<void> {
    await tmux.see(/\$\s*$/);
    tmux.type(`${lab.binary} -m openai:gpt-5.4 --sandbox off --permission yolo ${args}; echo code $?`);
    tmux.keys("Enter");
    await tmux.see(/yolo · openai/);
  }

  /** Pasted, so that no completion opens. */
  function send(line: string): void {
    tmux.paste(line);
    tmux.keys("Enter");
  }

  async function twoTurns(): Promise<void> {
    rmSync(join(lab.folder, "made"), { recursive: true, force: true });
    writeFileSync(join(lab.folder, "a.txt"), "one\n");
    writeFileSync(join(lab.folder, "b.txt"), "keep me\n");
    lab.script([
      answer(call("bash", { command: "mkdir -p made && echo new > made/c.txt" })),
      answer("It is made."),
      answer(call("bash", { command: "sed -i s/one/two/ a.txt && rm b.txt" })),
      answer("It is changed."),
    ]);
    await start();
    send("make a file");
    await tmux.see(/1 file changed \(\/undo\)/);
    send("change the others");
    await tmux.see(/2 files changed \(\/undo\)/);
    expect(read("a.txt")).toBe("two\n");
    expect(existsSync(join(lab.folder, "b.txt"))).toBe(false);
  }

  async function leave(): Promise<void> {
    tmux.keys("C-c", "C-c");
    await tmux.see("code 0");
  }

  test(
    "Esc Esc, the list, back, and redo",
    async () => {
      await twoTurns();
      tmux.keys("Escape", "Escape");
      const list = await tmux.see("Go back to before");
      expect(list).toMatch(/make a file +\+1 −0, 1 file/);
      expect(list).toMatch(/❯ change the others +\+1 −2, 2 files/);
      tmux.keys("Up", "Enter");
      await tmux.see(/❯ Files and conversation +3 files/);
      tmux.keys("Enter");
      const back = await tmux.see("Went back to before: make a file");
      expect(back).toContain("2 files put back: a.txt, b.txt.");
      expect(back).toContain("❯ make a file");
      expect(read("a.txt")).toBe("one\n");
      expect(read("b.txt")).toBe("keep me\n");
      expect(existsSync(join(lab.folder, "made"))).toBe(false);

      tmux.keys("C-c");
      await tmux.see("Ask anything");
      send("/redo");
      await tmux.see("What was taken back is there again.");
      expect(read("a.txt")).toBe("two\n");
      expect(read("made/c.txt")).toBe("new\n");
      expect(existsSync(join(lab.folder, "b.txt"))).toBe(false);
      tmux.keys("C-o");
      const pager = await tmux.see("Esc closes");
      expect(pager).toContain("It is changed.");
      tmux.keys("q");
      await leave();
    },
    TIMEOUT_MS,
  );

  test(
    "a conflict stays until the person says so, and the conversation that was left is reachable after a restart",
    async () => {
      await twoTurns();
      writeFileSync(join(lab.folder, "a.txt"), "mine\n");
      send("/undo");
      await tmux.see("Not as the run left it: a.txt");
      const asked = await tmux.see("1 + one");
      expect(asked).toContain("1 - mine");
      expect(asked).toContain("❯ Leave it as it is");
      expect(read("a.txt")).toBe("mine\n");
      tmux.keys("Enter");
      await tmux.see("Left as it is: a.txt.");
      expect(read("a.txt")).toBe("mine\n");
      expect(read("b.txt")).toBe("keep me\n");
      tmux.keys("C-c");
      await leave();

      tmux.type("clear");
      tmux.keys("Enter");
      await start("--continue");
      const resumed = await tmux.see("It is made.");
      expect(resumed).not.toContain("It is changed.");
      send("/tree");
      await tmux.see(/❯ change the others +2 prompts · left just now/);
      tmux.keys("Enter");
      await tmux.see("It is changed.");
      expect(read("a.txt")).toBe("mine\n");
      send("/diff");
      const changes = await tmux.see("What this session changed");
      expect(changes).toMatch(/A made\/c\.txt/);
      tmux.keys("q");
      await leave();
    },
    TIMEOUT_MS,
  );
});
