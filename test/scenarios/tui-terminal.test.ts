// The app in a real terminal: keys, signals, sizes, and the terminal as it was afterwards.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { hasTmux, startTmux, type Tmux } from "../support/tmux.ts";

const PROGRAM = `${process.execPath} ${join(import.meta.dir, "..", "support", "tui-program.ts")}`;
const TIMEOUT_MS = 40_000;
const isThere = hasTmux();
if (!isThere) console.log("skipped: the tests in a real terminal need tmux");

let tmux: Tmux;

describe.skipIf(!isThere)("in a real terminal", () => {
  beforeEach(() => {
    tmux = startTmux();
  });
  afterEach(() => tmux.kill());

  /** Leaves the program's exit code on the screen as `code N`. */
  async function start(args = ""): Promise<void> {
    await tmux.see(/\$\s*$/);
    tmux.type(`${PROGRAM} ${args}; echo code $?`);
    tmux.keys("Enter");
    await tmux.see("Ask anything");
  }

  async function expectUsualTerminal(): Promise<void> {
    expect(tmux.ask("#{cursor_flag} #{alternate_on} #{wrap_flag} #{pane_in_mode}")).toBe("1 0 1 0");
    tmux.type("stty -a | tr ' ;' '\\n\\n' | grep -cE '^(icanon|echo|isig|opost)$'");
    tmux.keys("Enter");
    await tmux.see(/^4$/m);
  }

  test(
    "a turn, a permission question answered yes, and out with the terminal as it was",
    async () => {
      await start();
      tmux.type("run ls");
      tmux.keys("Enter");
      await tmux.see("May this command run?");
      await Bun.sleep(700);
      tmux.keys("y");
      await tmux.see("The tool is done.");
      tmux.keys("C-c", "C-c");
      await tmux.see("code 0");
      await expectUsualTerminal();
    },
    TIMEOUT_MS,
  );

  test(
    "when it can't begin, what the terminal answered to its questions isn't typed into the shell",
    async () => {
      await tmux.see(/\$\s*$/);
      tmux.type(`TUI_REFUSES=1 ${PROGRAM} 2>/dev/null; echo over`);
      tmux.keys("Enter");
      await tmux.see(/^over$/m);
      await Bun.sleep(300);
      expect(tmux.screen()).toMatch(/^over\n\$\s*$/m);
      await expectUsualTerminal();
    },
    TIMEOUT_MS,
  );

  test(
    "a question answered no with words, and one with stop",
    async () => {
      await start();
      tmux.type("run rm");
      tmux.keys("Enter");
      await tmux.see("May this command run?");
      await Bun.sleep(700);
      tmux.keys("n");
      await tmux.see("what the model should do instead");
      tmux.type("not today");
      tmux.keys("Enter");
      await tmux.see("│ not today");
      tmux.type("run mv");
      tmux.keys("Enter");
      await tmux.see("May this command run?");
      tmux.keys("Escape");
      await tmux.see("Stopped.");
    },
    TIMEOUT_MS,
  );

  test(
    "steer, queue, resize while it streams, and Escape",
    async () => {
      await start();
      tmux.type("slow please");
      tmux.keys("Enter");
      await tmux.see("line 3");
      tmux.type("and then?");
      tmux.keys("M-Enter");
      await tmux.see("afterwards: and then?");
      tmux.resize(50, 20);
      await Bun.sleep(200);
      tmux.resize(100, 30);
      await tmux.see("line 20");
      tmux.keys("Escape");
      await tmux.see("Stopped.");
      await tmux.see("❯ and then?");
      const all = tmux.everything();
      for (let line = 0; line <= 20; line++) expect(all).toContain(`line ${line}\n`);
    },
    TIMEOUT_MS,
  );

  test(
    "resized at rest: one editor is left, and hardly a line stands twice",
    async () => {
      await start("60");
      await tmux.see("answer 59");
      for (const [columns, rows] of [
        [60, 14],
        [120, 40],
        [40, 12],
        [80, 24],
      ] as const) {
        tmux.resize(columns, rows);
        await Bun.sleep(400);
      }
      const all = tmux.everything();
      expect(all.match(/Ask anything/g)?.length).toBe(1);
      const answers = all.match(/answer \d+/g) ?? [];
      expect(new Set(answers).size).toBe(30);
      expect(answers.length).toBeLessThanOrEqual(34);
    },
    TIMEOUT_MS,
  );

  test(
    "a paste of 5,000 lines",
    async () => {
      await start();
      tmux.paste(["count", ...Array.from({ length: 4_999 }, (_, index) => `line ${index}`)].join("\n"));
      await tmux.see("[paste: 5000 lines]");
      tmux.keys("Enter");
      await tmux.see("prompt of 5000 lines");
    },
    TIMEOUT_MS,
  );

  test(
    "a long session is resumed",
    async () => {
      await start("10000");
      await tmux.see("answer 9999");
      tmux.keys("C-o");
      await tmux.see("Esc closes");
      tmux.keys("Home");
      await tmux.see("question 0");
      tmux.keys("Escape");
      await tmux.see("answer 9999");
    },
    TIMEOUT_MS,
  );

  test(
    "SIGTERM: it stops, and the terminal is as it was",
    async () => {
      await start();
      tmux.type("run hang");
      tmux.keys("Enter");
      await tmux.see("May this command run?");
      await Bun.sleep(700);
      tmux.keys("y");
      await tmux.see("● Run hang");
      process.kill(programId(), "SIGTERM");
      await tmux.see("code 130");
      await expectUsualTerminal();
    },
    TIMEOUT_MS,
  );

  test(
    "a bug ends it with its stack, and the terminal is as it was",
    async () => {
      await start();
      tmux.type("crash");
      tmux.keys("Enter");
      await tmux.see("code 1");
      expect(tmux.everything()).toContain("error: a bug");
      await expectUsualTerminal();
    },
    TIMEOUT_MS,
  );

  test(
    "kill -9: the next start puts the terminal right",
    async () => {
      await start();
      tmux.keys("C-o");
      await tmux.see("Esc closes");
      process.kill(programId(), "SIGKILL");
      await tmux.see("code 137");
      expect(tmux.ask("#{cursor_flag} #{alternate_on}")).toBe("0 1");
      await start();
      tmux.keys("C-c", "C-c");
      await tmux.see("code 0");
      await expectUsualTerminal();
    },
    TIMEOUT_MS,
  );

  test(
    "Ctrl-Z gives the shell its terminal, fg brings the app back",
    async () => {
      await start();
      tmux.type("half a thought");
      await tmux.see("❯ half a thought");
      tmux.keys("C-z");
      await tmux.see("Stopped");
      await expectUsualTerminal();
      tmux.type("fg");
      tmux.keys("Enter");
      await tmux.see("❯ half a thought");
    },
    TIMEOUT_MS,
  );

  /** The program is the only child of the shell. */
  function programId(): number {
    const shell = tmux.ask("#{pane_pid}");
    const { stdout } = Bun.spawnSync(["pgrep", "-P", shell]);
    return Number(stdout.toString().trim().split("\n").at(-1));
  }
});
