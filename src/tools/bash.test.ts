import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { boundTool, plainShell } from "../../test/support/bound-tool.ts";
import { CAN_LIST_PROCESSES, survivors } from "../../test/support/living-processes.ts";
import { runTool } from "../../test/support/run-tool.ts";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { toolContext } from "../../test/support/tool-context.ts";
import type { JsonObject } from "../base/json.ts";
import { settleProcesses } from "../base/process-endings.ts";
import { bash } from "./bash.ts";
import type { Shell, ShellPlace } from "./ports.ts";

function setUp() {
  const workspace = tempWorkspace({ "src/a.txt": "hello\n" });
  mkdirSync(workspace.path(".spill"));
  const tool = boundTool(bash, {
    workspace,
    spillFolder: async () => workspace.path(".spill"),
    mask: (text) => text.replaceAll("s3cret-key", "[key hidden]"),
  });
  const run = (command: string, more: JsonObject = {}, signal?: AbortSignal) =>
    runTool(tool, { command, ...more }, signal);
  const spilled = () => readdirSync(workspace.path(".spill")).map((name) => workspace.path(".spill", name));
  return { workspace, tool, bash: run, spilled, [Symbol.dispose]: workspace[Symbol.dispose] };
}

describe("what the model reads", () => {
  /** command -> what it reads, with every duration as N s. */
  const RETURNS: Readonly<Record<string, string>> = {
    "echo a; echo b >&2": "a\nb\n[Exit code 0, N s.]",
    true: "(no output)\n[Exit code 0, N s.]",
    "exit 3": "(no output)\n[Exit code 3, N s.]",
    "kill -9 $$": "(no output)\n[Ended by SIGKILL after N s.]",
    "bash -c 'kill -TERM $$'; exit $?": "Terminated\n[Exit code 143 (SIGTERM), N s.]",
    "printf '\\033[31mred\\033[0m 10%%\\r20%%\\n'": "20%\n[Exit code 0, N s.]",
    "printf 'a\\377b'": "a\uFFFDb\n[Exit code 0, N s.]",
    "echo the s3cret-key": "the [key hidden]\n[Exit code 0, N s.]",
    cat: "(no output)\n[Exit code 0, N s.]",
    "read answer </dev/tty || echo no terminal": expect.stringContaining("no terminal"),
    "echo $TERM $NO_COLOR $PAGER $GIT_TERMINAL_PROMPT": "dumb 1 cat 0\n[Exit code 0, N s.]",
    "trap 'echo mine' EXIT; false": "mine\n[Exit code 1, N s.]",
    "exec echo replaced": "replaced\n[Exit code 0, N s.]",
    "cat <<END\nhere\nEND": "here\n[Exit code 0, N s.]",
    "# nothing but a remark": "(no output)\n[Exit code 0, N s.]",
  };
  for (const [command, expected] of Object.entries(RETURNS))
    test(command, async () => {
      using set = setUp();
      const { text } = await set.bash(command);
      expect(text.replaceAll(/\d+\.\d s/g, "N s")).toEqual(expected);
    });

  test("a mistake in the command is reported with its line", async () => {
    using set = setUp();
    expect((await set.bash("if then")).text).toContain("line 1: syntax error");
  });

  test("a command that is too long for any system is refused, with a way out", async () => {
    using set = setUp();
    const { text, failed } = await set.bash(`true ${"x".repeat(3_000_000)}`);
    expect([text, failed]).toEqual([expect.stringContaining("Write it to a file"), true]);
  });

  test("variables of the call", async () => {
    using set = setUp();
    expect((await set.bash("echo $A", { env: { A: "x y" } })).text).toStartWith("x y\n");
  });
});

describe("the working directory", () => {
  test("is kept between calls", async () => {
    using set = setUp();
    expect((await set.bash("cd src")).text).toContain(
      `[The working directory is now ${set.workspace.path("src")}.]`,
    );
    expect((await set.bash("cat a.txt")).text).toStartWith("hello\n");
  });

  test("is kept when the command exits early, fails, or prints something like it", async () => {
    using set = setUp();
    await set.bash("cd src; echo /tmp; exit 4");
    expect(set.workspace.cwd()).toBe(set.workspace.path("src"));
    await set.bash("cd ..; false");
    expect(set.workspace.cwd()).toBe(set.workspace.root);
  });

  test("is not moved by a subshell or by the cwd of one call", async () => {
    using set = setUp();
    await set.bash("(cd src)");
    expect((await set.bash("pwd", { cwd: "src" })).text).toStartWith(set.workspace.path("src"));
    expect(set.workspace.cwd()).toBe(set.workspace.root);
  });

  test("survives odd names", async () => {
    using set = setUp();
    const odd = 'it\'s a "näme" $HOME';
    mkdirSync(set.workspace.path(odd));
    await set.bash("cd it*");
    expect(set.workspace.cwd()).toBe(set.workspace.path(odd));
    expect((await set.bash("pwd")).text).toContain(odd);
  });

  test.each(["ln -s /dev/zero", "mkfifo", "mkdir"])(
    "is not awaited from a file that the command replaced: %s",
    async (make) => {
      using set = setUp();
      const file = "f=$(trap -p EXIT | grep -o '/[^ ]*/cwd'); rm -f $f";
      const { text } = await set.bash(`cd src; ${file}; ${make} $f; trap - EXIT; echo made`);
      expect(text).toStartWith("made\n");
      expect(set.workspace.cwd()).toBe(set.workspace.root);
    },
  );

  test("that no longer exists is replaced by the project, and the model is told", async () => {
    using set = setUp();
    await set.bash("mkdir gone && cd gone && rmdir ../gone");
    const { text } = await set.bash("pwd");
    expect(text).toStartWith(set.workspace.root);
  });

  test("that is missing or a file is explained", async () => {
    using set = setUp();
    expect(await set.bash("true", { cwd: "Src" })).toMatchObject({
      text: "Src doesn't exist. Did you mean: src?",
    });
    expect((await set.bash("true", { cwd: "src/a.txt" })).text).toContain("is a file");
  });
});

describe("too much output", () => {
  test("is cut in the middle and kept whole in a private file", async () => {
    using set = setUp();
    const { text } = await set.bash("seq 1 20000; echo s3cret-key");
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toStartWith("1\n2\n3\n");
    expect(text).toContain("19999\n20000\n[key hidden]\n[Exit code 0");
    const [file = ""] = set.spilled();
    expect(text).toContain(`the whole output is in ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const whole = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(readFileSync(file, "utf8")).toBe(`${whole}[key hidden]\n`);
  });

  test("under the cap leaves no file", async () => {
    using set = setUp();
    expect((await set.bash("head -c 29000 /dev/zero | tr '\\0' a")).text).toStartWith("a".repeat(29_000));
    expect(set.spilled()).toEqual([]);
  });

  test("in one endless line is bounded, and a key in it is masked", async () => {
    using set = setUp();
    const { text } = await set.bash("for i in $(seq 30000); do printf 's3cret-key_'; done");
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(readFileSync(set.spilled()[0] ?? "", "utf8").includes("s3cret")).toBe(false);
  });

  test("that exceeds even the file is reported, in bounded memory", async () => {
    using set = setUp();
    const before = process.memoryUsage.rss();
    const { text } = await set.bash("yes 0123456789 | head -c 300000000");
    expect(text).toContain("the first 100 MB of");
    expect(statSync(set.spilled()[0] ?? "").size).toBe(100 * 1024 * 1024);
    expect(process.memoryUsage.rss() - before).toBeLessThan(250_000_000);
  });

  test("is still returned when it can't be saved", async () => {
    using set = setUp();
    await set.bash("rmdir .spill");
    const { text } = await set.bash("seq 1 20000");
    expect(text).toContain("the whole output could not be saved: ENOENT");
    expect(text).toContain("20000\n[Exit code 0");
  });
});

test("the shell is told what was granted, and nothing is decided here", async () => {
  using set = setUp();
  const told: unknown[] = [];
  const tool = boundTool(bash, {
    workspace: set.workspace,
    shell: async (script, place, signal) => {
      told.push(place);
      return await plainShell(script, { ...place, sandboxed: false }, signal);
    },
  });
  const folder = set.workspace.path("src");
  const context = toolContext();
  const grant = { sandboxed: true, folder, mayRead: () => true };
  const args = { command: "pwd; echo $PWD", cwd: "src", timeout: 10 };
  const output = await tool.execute(args, { ...context, grant });
  expect(told).toMatchObject([{ folder, sandboxed: true }]);
  expect(output).toMatchObject({
    details: { type: "command", exitCode: 0, sandboxed: true, output: `${folder}\n${folder}` },
  });
  const gone = { ...grant, folder: set.workspace.path("gone") };
  await expect(tool.execute(args, { ...context, grant: gone })).rejects.toThrow("gone doesn't exist");
});

test("what was rebuilt runs in place of the command, with no variables but its own", async () => {
  using set = setUp();
  process.env["SOME_API_KEY"] = "a-key";
  try {
    const rebuilt = { script: "/usr/bin/env; pwd", environment: { HOME: "/nowhere", PATH: "/usr/bin:/bin" } };
    const grant = { sandboxed: false, rebuilt, mayRead: () => true };
    const output = await set.tool.execute({ command: "touch made", timeout: 10 }, toolContext({ grant }));
    expect(JSON.stringify(output)).toContain("HOME=/nowhere");
    expect(JSON.stringify(output)).not.toContain("a-key");
    expect(existsSync(set.workspace.path("made"))).toBe(false);
  } finally {
    delete process.env["SOME_API_KEY"];
  }
});

describe("the end of a call", () => {
  test("progress arrives while the command runs", async () => {
    using set = setUp();
    const { progress } = await set.bash("echo one; sleep 0.3; echo two");
    expect(progress).toEqual(["one\n", "two\n"]);
  });

  test("a timeout returns the output so far and says what to do", async () => {
    using set = setUp();
    const { text, failed } = await set.bash("echo begun; sleep 60", { timeout: 0.2 });
    expect(failed).toBe(true);
    expect(text).toMatch(/^begun\n\[Timed out after 0.2 s; .* \(at most 600 s\)/);
  });

  test("background processes are ended, and the model is told", async () => {
    using set = setUp();
    expect((await set.bash("sleep 60 & sleep 60 & echo up")).text).toContain(
      "[2 processes were still running in the background",
    );
  });

  test.skipIf(!CAN_LIST_PROCESSES)("an abort throws its reason and leaves nothing", async () => {
    using set = setUp();
    const TEST_RUN = randomUUID();
    const abort = new AbortController();
    const run = set.bash("setsid sleep 60 & yes", { env: { TEST_RUN } }, abort.signal);
    await sleep(200);
    abort.abort(new Error("escape"));
    expect(run).rejects.toThrow("escape");
    await run.catch(() => {});
    await settleProcesses();
    expect(await survivors(TEST_RUN, 0)).toEqual([]);
  });

  test("no temporary folder is left behind", async () => {
    using set = setUp();
    const { text } = await set.bash("trap -p EXIT");
    const file = /(\/\S+\/cwd)/.exec(text)?.[1] ?? "";
    expect(file).not.toBe("");
    expect(existsSync(file)).toBe(false);
  });
});

describe("a command that the person wants to run again", () => {
  /** A shell after whose every command somebody wants it once more, outside. */
  function setUpAgain() {
    const workspace = tempWorkspace({ "src/a.txt": "" });
    const places: ShellPlace[] = [];
    let paused = 0;
    let ended = 0;
    const shell: Shell = async (script, place) => {
      places.push(place);
      return {
        argv: ["/bin/sh", "-c", script],
        ended: async () => {
          ended++;
          return { remarks: [`[end ${ended}]`], again: { ...place, sandboxed: false, reach: { rules: [] } } };
        },
      };
    };
    const tool = boundTool(bash, { workspace, shell });
    const progress: string[] = [];
    const run = async (command: string, args: JsonObject = {}) => {
      const context = toolContext({
        grant: { sandboxed: true, mayRead: () => true },
        progress: (text) => progress.push(text),
        pausedWhile: (work) => {
          paused++;
          return work();
        },
      });
      return await tool.execute({ command, timeout: 10, ...args }, context);
    };
    const counts = () => [places.length, ended, paused];
    return { workspace, places, run, counts, progress, [Symbol.dispose]: workspace[Symbol.dispose] };
  }

  test("runs twice at most, and the second run counts", async () => {
    using set = setUpAgain();
    const output = await set.run("echo x >> runs; wc -l < runs; test $(wc -l < runs) = 2");
    expect(output).toMatchObject({ failed: false, details: { exitCode: 0, sandboxed: false } });
    expect(JSON.stringify(output)).toMatch(/2.*\[end 1\].*\[end 2\]/s);
    // Nobody waits for the tool's deadline while somebody is asked.
    expect(set.counts()).toEqual([2, 2, 2]);
    expect(set.progress.join("")).toContain("[It runs again, outside the sandbox.]");
  });

  test("starts where it started, and moves the working directory once", async () => {
    using set = setUpAgain();
    const output = await set.run("pwd; cd src");
    expect(JSON.stringify(output)).toContain(`${set.workspace.root}\\n[Exit code 0`);
    expect(set.workspace.cwd()).toBe(set.workspace.path("src"));
    expect(set.places.map(({ folder }) => folder)).toEqual([set.workspace.root, set.workspace.root]);
  });

  test("doesn't run again if it put a link in the place of its folder", async () => {
    using set = setUpAgain();
    const swap = "echo x >> ../runs; cd ..; mv src gone; ln -s gone src";
    const problem = await set.run(swap, { cwd: "src" }).catch(String);
    expect(problem).toContain("leads elsewhere");
    expect(readFileSync(set.workspace.path("runs"), "utf8")).toBe("x\n");
  });

  test("is looked after once when it can't start", async () => {
    using set = setUpAgain();
    expect(await set.run(`true ${"x".repeat(3_000_000)}`).catch(String)).toContain("too long");
    expect(set.counts()).toEqual([1, 1, 0]);
  });
});
