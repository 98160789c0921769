// The findings 4, 13 and 14 of a security review of 04fbb1f, in a real terminal: what a person sees before saying yes,
// and what an untrusted folder does to the screen and the keys.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type FindingsLab, openFindingsLab } from "../support/findings-lab.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";
import { hasTmux, startTmux, type Tmux } from "../support/tmux.ts";

const isThere = hasTmux();
if (!isThere) console.log("skipped: the tests in a real terminal need tmux");
const TIMEOUT_MS = 60_000;
/** Keys that come too soon don't answer a question. */
const QUIET_MS = 900;
const TITLE = "\u001b]0;pwned\u0007";

describe.skipIf(!isThere)("the screen", () => {
  let lab: FindingsLab;
  let tmux: Tmux;
  beforeAll(async () => {
    lab = await openFindingsLab();
  }, 120_000);
  afterAll(() => lab.close());
  beforeEach(() => {
    tmux = startTmux({ env: lab.env, cwd: lab.root });
    tmux.resize(120, 40);
  });
  afterEach(() => tmux.kill());

  async function start(args = ""): Promise<void> {
    await tmux.see(/\$\s*$/);
    tmux.type(`${lab.binary} -m openai:gpt-5.4 --sandbox off ${args}; echo code $?`);
    tmux.keys("Enter");
    await tmux.see(/ask · openai/);
  }

  test(
    "4: shows every byte of what would run, and the variables with their values",
    async () => {
      lab.script([
        answer(
          call("bash", { command: "touch HIDDEN #\rls -la src" }),
          call("write_file", { filepath: "new.txt", content: "first evil\rgood\n" }),
          call("bash", { command: "make", env: { LD_PRELOAD: "/tmp/evil.so" } }),
        ),
        answer("Done."),
      ]);
      await start();
      tmux.type("go");
      tmux.keys("Enter");
      for (const [question, shown] of [
        [/May this command run\?/, [/touch HIDDEN/, /000d|0D|0d|\\r|␍/]],
        [/May this file be/, [/first evil/, /000d|0D|0d|\\r|␍/]],
        [/May this command run\?/, [/LD_PRELOAD/, /\/tmp\/evil\.so/]],
      ] as const) {
        await tmux.see(question);
        for (const each of shown) await tmux.see(each);
        await Bun.sleep(QUIET_MS);
        tmux.keys("n");
        await Bun.sleep(QUIET_MS);
        if (/\bno\b.*because|what.*instead/i.test(tmux.screen())) tmux.keys("Enter");
      }
      await tmux.see("Done.");
      expect(lab.has("project/HIDDEN")).toBe(false);
    },
    TIMEOUT_MS,
  );

  test(
    "13: is not written to by names, titles and values of a project",
    async () => {
      lab.write(`project/${TITLE}name.txt`, "x\n");
      lab.write("project/names.txt", "x\n");
      const config = { default_model: `demo:x${TITLE}`, [`odd${TITLE}`]: 1 };
      lab.write("project/.tunacode.json", JSON.stringify(config));
      lab.script([answer("Hello."), answer("Hello.")]);
      const { stderr, stdout } = await lab.run(["run", `${TITLE}a title`]);
      expect(stdout + stderr).not.toContain("\u001b]0;");
      await start();
      tmux.type("@nam");
      await tmux.see("names.txt");
      tmux.keys("Escape");
      await Bun.sleep(QUIET_MS);
      tmux.keys("C-u");
      tmux.type("/resume");
      await Bun.sleep(QUIET_MS);
      tmux.keys("Enter");
      await tmux.see("a title");
      expect(tmux.ask("#{pane_title}")).not.toContain("pwned");
    },
    TIMEOUT_MS,
  );

  test(
    "14: an untrusted folder changes neither keys nor the model nor the pace",
    async () => {
      const settings = { keys: { nextMode: "x" }, request_delay: 55 };
      lab.write("project/.tunacode.json", JSON.stringify({ default_model: "demo:tour", settings }));
      await start();
      tmux.type("xxx");
      expect(await tmux.see(/xxx/)).toMatch(/ask · openai/);
      tmux.keys("C-c", "C-c");
      lab.script([answer("Hello.")]);
      const startedAt = performance.now();
      const { stdout } = await lab.run(["run", "--output", "json", "--no-session", "go"]);
      expect(JSON.parse(stdout).model).toStartWith("openai:");
      expect(performance.now() - startedAt).toBeLessThan(30_000);
    },
    TIMEOUT_MS,
  );
});
