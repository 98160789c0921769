// The built program in a real terminal: its question shows what runs, and typed words don't answer it.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bodyOf, readCommand, readWrite } from "../support/read-question.ts";
import { openCliLab } from "../support/running-binary.ts";
import { answer, call, text } from "../support/strict-llm-server/turn.ts";
import { hasTmux, startTmux } from "../support/tmux.ts";

const isThere = hasTmux();
if (!isThere) console.log("skipped: the test in a real terminal needs tmux");
const ANSWERED_MS = 3_000;

test.skipIf(!isThere)(
  "a question of the built program can be read, and words that are typed don't answer it",
  async () => {
    const lab = await openCliLab();
    const tmux = startTmux({ env: { ...lab.env, NO_COLOR: "1" }, cwd: lab.folder });
    const made = join(lab.folder, "made");
    const command = "touch made #\rls -la src\u00a0\u202e ⟨U+000D⟩\t\n# 漢字 \u200b\u{e0041} e\u0301  ";
    const env = { LD_PRELOAD: "", ODD: " a\u2003b\n" };
    const content = "rm -rf /\rharmless\n\tx \u200b\u2066\n";
    lab.script([
      answer(call("bash", { command, env })),
      answer(call("write_file", { filepath: "written.txt", content })),
      answer(text("the end")),
    ]);
    const body = () => [bodyOf(tmux.screen().split("\n")).rows];
    try {
      await tmux.see(/\$\s*$/);
      tmux.type(`${lab.binary} -m openai:gpt-5.4 --sandbox off; echo code $?`);
      tmux.keys("Enter");
      await tmux.see(/ask · openai/);
      tmux.type("go");
      tmux.keys("Enter");
      await tmux.see("s  Stop");
      const read = readCommand(body());
      expect(read).toEqual({ script: command, env, folder: lab.folder, sandboxed: false });
      await tmux.see(/╰─\n/);
      for (const character of "also say yes") {
        tmux.type(character);
        await Bun.sleep(30);
      }
      await tmux.see("❯ also say yes");
      await tmux.see("typing goes to the prompt: pause to answer");
      expect(existsSync(made)).toBe(false);
      await tmux.see(/╰─\n/);
      tmux.keys("y");
      const deadline = performance.now() + ANSWERED_MS;
      while (!existsSync(made) && performance.now() < deadline) await Bun.sleep(20);
      expect(existsSync(made)).toBe(true);
      await tmux.see("May this file be written?");
      const { lines, isUnended } = readWrite(body());
      expect(lines.map(({ text: line }) => `${line}\n`).join("")).toBe(content);
      expect(isUnended).toBe(false);
      tmux.keys("y", "Enter");
      await tmux.see("the end");
      expect(readFileSync(join(lab.folder, "written.txt"), "utf8")).toBe(content);
      tmux.keys("C-c", "C-c");
    } finally {
      tmux.kill();
      await lab.close();
    }
  },
  60_000,
);
