// Tries every known way out of the sandbox, with a copy of the shipped binary and a model that attempts it. The result
// is judged outside: no file, no connection, no secret in the output.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY, buildIfStale } from "../../scripts/build.ts";
import { probeSandbox } from "../../src/permission/sandbox-probe.ts";
import { NOTHING_NOTICED } from "../support/fake-sandbox.ts";
import { CAN_LIST_PROCESSES, livingWith, survivors } from "../support/living-processes.ts";
import { startBinary } from "../support/running-binary.ts";
import * as attacks from "../support/sandbox-attacks.ts";
import { createSandboxGround, type SandboxGround, SECRET, whyNoSandbox } from "../support/sandbox-ground.ts";
import { type StrictServer, startStrictServer } from "../support/strict-llm-server/server.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

/** A run may take a minute. */
const MOST_IN_A_RUN = 60;
const PROVIDER_KEY = "sk-strict-server-test-key-0123456789";
const TOKEN = "a-token-that-nobody-may-see";
let ground: SandboxGround;
let model: StrictServer;
let power: Readonly<Record<string, string>>;
/** The output that the model read, by command. */
const returns: { readonly content: string; readonly status?: string }[] = [];
let tried: readonly attacks.Attack[] = [];
let waysTried = 0;
let names = "";

beforeAll(async () => {
  if (whyNoSandbox !== null) return;
  ground = await createSandboxGround();
  compileEvilLibrary(ground);
  await buildIfStale();
  copyFileSync(BINARY, join(ground.base, "tunacode"));
  model = await startStrictServer();
  power = ground.power();
  names = readdirSync(ground.root).sort().join(" ");
  const inside = [
    "echo $(ls -A | LC_ALL=C sort)",
    "echo inside > inside.txt && cat inside.txt && cat src/main.txt",
    "git status && git log --oneline",
    `curl -s -m 5 --noproxy '' http://localhost:${ground.grantedPort}/granted`,
    "echo kept > /tmp/kept.txt && mktemp && mkdir -p build && cp project.txt build/ && mv build build2",
    "cat /tmp/kept.txt && rm -r build2",
  ];
  const lists = [
    attacks.writesOutside,
    attacks.changesPower,
    attacks.makesPower,
    attacks.reads,
    attacks.connects,
  ];
  const ways = lists.map((list) => list(ground));
  waysTried = ways.flat().length;
  const commands = [...inside, ...ways.flatMap((list) => together(list))].map((command) => ({ command }));
  tried = [...commands, ...attacks.executes(ground)];
  for (let start = 0; start < tried.length; start += MOST_IN_A_RUN) {
    const some = tried.slice(start, start + MOST_IN_A_RUN);
    model.script([answer(...some.map((attack) => call("bash", { ...attack }))), answer("Done.")]);
    const { code, stdout, stderr } = await startRun().ended;
    if (code !== 0) throw new Error(stderr || stdout.slice(-500));
    returns.push(...JSON.parse(stdout).messages[2].parts);
  }
}, 600_000);

/** Several in one command, because each command takes a tenth of a second. The long mode tries each alone. */
function together(commands: readonly string[]): readonly string[] {
  const size = process.env["TUNACODE_LONG"] ? 1 : 14;
  const groups: string[] = [];
  for (let start = 0; start < commands.length; start += size)
    groups.push(
      commands
        .slice(start, start + size)
        .map((command) => `(\n${command}\n)`)
        .join("\n"),
    );
  return groups;
}

/** Runs in yolo mode, so that only the sandbox protects. */
function startRun(env: Record<string, string> = {}) {
  const rules = ["--allow", "web_fetch(localhost)", "--allow", "web_fetch(*.apps.localhost)"];
  const deny = ["--deny", "web_fetch(evil.apps.localhost)"];
  const args = [
    "run",
    "go",
    "--sandbox",
    "on",
    "--permission",
    "yolo",
    "--output",
    "json",
    ...rules,
    ...deny,
  ];
  return startBinary(join(ground.base, "tunacode"), args, {
    cwd: ground.root,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: ground.home,
      // Outside HOME, so that everything found in HOME was written from inside the sandbox.
      XDG_DATA_HOME: ground.data,
      XDG_CACHE_HOME: join(ground.base, "cache"),
      XDG_STATE_HOME: join(ground.base, "state"),
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: PROVIDER_KEY,
      SOME_TOKEN: TOKEN,
      DATABASE_URL: `postgres://me:${TOKEN}@localhost/x`,
      SSH_AUTH_SOCK: `/run/${TOKEN}`,
      ...env,
    },
  });
}

afterAll(async () => {
  await model?.stop();
  ground?.close();
});

/** Loaded into a program outside, it would leave a file. */
function compileEvilLibrary({ root, home, base }: SandboxGround): void {
  const source = `#include <fcntl.h>\n__attribute__((constructor)) void run(void) { open("${home}/escaped", O_CREAT | O_WRONLY, 0600); }\n`;
  const compiled = spawnSync("cc", ["-shared", "-fPIC", "-x", "c", "-", "-o", join(root, "evil.so")], {
    input: source,
  });
  if (compiled.status !== 0)
    console.log(`not tried: a library in the loader's way (no C compiler in ${base})`);
}

describe.skipIf(whyNoSandbox !== null)("inside the sandbox of the shipped binary", () => {
  test("at least sixty ways were tried, and each command ran", () => {
    expect(waysTried).toBeGreaterThan(120);
    expect(returns).toHaveLength(tried.length);
    const failed = returns.filter(({ status }) => status === "failed");
    expect(failed.filter(({ content }) => !content.includes("ran in a sandbox"))).toEqual([]);
  });

  test("ordinary work in the project is possible", () => {
    expect(returns.slice(0, 6).map(({ content }) => content)).toEqual([
      expect.stringContaining(`${names}\n[Exit code 0`),
      expect.stringMatching(/^inside\nx\n\[Exit code 0/),
      expect.stringContaining("[Exit code 0"),
      expect.stringMatching(/^granted\n\[Exit code 0/),
      expect.stringContaining("[Exit code 0"),
      expect.stringMatching(/^kept\n\[Exit code 0/),
    ]);
    expect(readFileSync(join(ground.root, "inside.txt"), "utf8")).toBe("inside\n");
  });

  test("nothing is written outside", () => {
    expect(readdirSync(ground.home).sort()).toEqual([
      ".aws",
      ".config",
      ".git-credentials",
      ".netrc",
      ".npmrc",
      ".ssh",
    ]);
    for (const folder of ["/etc", "/tmp", "/var/tmp", "/dev/shm"])
      expect(existsSync(join(folder, "tunacode-escaped"))).toBe(false);
    expect(existsSync(join(ground.root, "kernel-opened"))).toBe(false);
    const own = new Set(["cache", "data", "home", "project", "socket", "state", "tunacode"]);
    expect(readdirSync(ground.base).filter((name) => !own.has(name))).toEqual([]);
  });

  test("nothing is reached that isn't allowed", () => {
    expect(ground.granted).toContain("GET /granted HTTP/1.1");
    expect(ground.received).toEqual([]);
  });

  test("no secret is read", () => {
    const secrets = [SECRET, PROVIDER_KEY, TOKEN].flatMap((secret) => [
      secret,
      [...secret].reverse().join(""),
      Buffer.from(secret).toString("base64").slice(4, -4),
    ]);
    const leaks = tried.filter((_, index) =>
      secrets.some((secret) => returns[index]?.content.includes(secret)),
    );
    expect(leaks).toEqual([]);
  });

  test("what other programs obey is as it was, and nothing of that kind is new", () => {
    expect(ground.power()).toEqual(power);
  });

  test("what was new of that kind is kept aside, and the model is told", () => {
    const kept = join(ground.data, "tunacode/set-aside");
    expect(lstatSync(kept).mode & 0o777).toBe(0o700);
    const names = readdirSync(kept).flatMap((folder) => readdirSync(join(kept, folder)));
    const wanted = [".zed", ".tunacode.json", ".mcp.json", ".fleet", "gitlike", "many", ".bashrc", ".aider7"];
    expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
    const zed = tried.findIndex(({ command }) => command.includes("mkdir .zed"));
    expect(returns[zed]?.content).toContain("which other programs obey, so it was moved out of the project");
  });

  test("no stand-in is left in the project", () => {
    const left = new Set(readdirSync(ground.root));
    for (const name of ".bash_profile .gitconfig .ripgreprc .zprofile .mcp.json .envrc".split(" "))
      expect(left.has(name)).toBe(false);
  });
});

describe.skipIf(whyNoSandbox !== null || !CAN_LIST_PROCESSES)("after kill -9", () => {
  test("no helper and no command is left, and the next start sets aside what the command made", async () => {
    const mark = crypto.randomUUID();
    model.script([answer(call("bash", { command: "mkdir .zed && echo x > .tunacode.json && sleep 300" }))]);
    const { child } = startRun({ TUNACODE_ESCAPE_MARK: mark });
    const isUp = () => livingWith(mark).some((line) => /^\d+ sleep 300$/.test(line));
    for (let round = 0; round < 200 && !isUp(); round++) await Bun.sleep(50);
    expect(isUp()).toBe(true);
    child.kill("SIGKILL");
    // The watcher carries the mark as well, until it is done.
    expect(await survivors(mark, 15_000)).toEqual([]);
    expect(existsSync(join(ground.root, ".zed"))).toBe(true);
    model.script([answer("Done.")]);
    const { code, stderr } = await startRun().ended;
    expect(code).toBe(0);
    expect(stderr).toContain("A command that was cut off had made");
    expect(ground.power()).toEqual(power);
  }, 60_000);
});

test("a probe that escapes is noticed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-open-"));
  try {
    const ended = async () => NOTHING_NOTICED;
    const open = async ({ script }: { script: string }) => ({ argv: ["/bin/bash", "-c", script], ended });
    const problem = await probeSandbox({ root: folder, home: folder, start: open });
    expect(problem).toContain("a unix socket");
    expect(problem).toContain("a TCP port");
    expect(problem).toContain("a file outside");
    const broken = async () => ({ argv: ["/nonexistent/program"], ended });
    expect(await probeSandbox({ root: folder, home: folder, start: broken })).toContain("could not run");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
