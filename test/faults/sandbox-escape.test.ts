// Tries every known escape from the sandbox, with a copy of the shipped binary and a model that attempts it. The result
// is judged outside: no file, no connection, no key in the output.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY, buildIfStale } from "../../scripts/build.ts";
import { probeSandbox } from "../../src/permission/sandbox-probe.ts";
import { CAN_LIST_PROCESSES, livingWith, survivors } from "../support/living-processes.ts";
import { git } from "../support/permission-project.ts";
import { startBinary } from "../support/running-binary.ts";
import { type StrictServer, startStrictServer } from "../support/strict-llm-server/server.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

const KEY = "the-secret-in-the-key-folder";
/** Not in a temporary folder, which is writable inside the sandbox. */
const TEMPORARY = [tmpdir(), "/tmp", "/var/tmp"];
const place = [homedir(), "/"].find(
  (folder) => !TEMPORARY.some((inside) => `${folder}/`.startsWith(`${inside}/`)),
);
const base = realpathSync(mkdtempSync(join(isWritable(place) ? place : tmpdir(), ".tunacode-escape-")));
const root = join(base, "project");
const home = join(base, "home");
const sockets = mkdtempSync(join(tmpdir(), "tunacode-escape-"));
const connections: string[] = [];
const servers: Server[] = [];
let port = 0;
let model: StrictServer;
/** The output that the model read, by command. */
let returns: readonly { readonly content: string; readonly status?: string }[] = [];
const INSIDE = ["echo inside > inside.txt && cat inside.txt", "git status"];

/** Similar to how the sandbox starts it. Some containers forbid a new /proc. */
const BUBBLE = [
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--unshare-all",
  "--unshare-user",
  "--proc",
  "/proc",
  "true",
];
const hasBubblewrap = spawnSync("bwrap", BUBBLE).status === 0;
const hasSocat = spawnSync("socat", ["-V"]).status === 0;
const whyNot = !hasBubblewrap
  ? "bubblewrap doesn't work here"
  : !hasSocat
    ? "socat is missing"
    : isWritable(place)
      ? null
      : "every folder that can be written to is a temporary one";
if (whyNot !== null) console.log(`skipped: the sandbox can't be tried (${whyNot})`);

function isWritable(folder: string | undefined): folder is string {
  try {
    accessSync(folder ?? "", constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const outside = join(home, "escaped");

/** Each command has to fail. Some print what they could read. */
function escapes(): readonly string[] {
  return [
    `echo x > ${outside}`,
    `touch ${outside}`,
    `cp project.txt ${outside}`,
    "echo x > /etc/tunacode-escaped",
    `ln -s ${home} out && echo x > out/escaped`,
    `for i in 1 2 3 4 5 6 7 8 9; do ln -sfn ${home} race & ln -sfn . race & echo x > race/escaped & done; wait; rm -f escaped race`,
    `echo x > /proc/self/root${outside}`,
    `echo x > /proc/1/root${outside}`,
    `cd / && echo x > .${outside}`,
    `mount -o remount,rw / && touch ${outside}`,
    `unshare -Urm sh -c "mount -o remount,bind,rw / && touch ${outside}"`,
    `bwrap --bind / / touch ${outside}`,
    `nsenter -t 1 -m touch ${outside}`,
    `python3 -c "open('${outside}','w')"`,
    `(setsid sh -c "sleep 0.2; touch ${outside}" &) ; sleep 0.5`,
    `cat ${home}/.ssh/id_rsa`,
    `cat /proc/self/root${home}/.ssh/id_rsa`,
    `cp -r ${home}/.ssh stolen && cat stolen/*`,
    `ln -s ${home}/.ssh/id_rsa k && cat k`,
    `tar cf - ${home}/.ssh | cat`,
    `exec 3<>/dev/tcp/127.0.0.1/${port} && echo hello >&3`,
    `curl -s -m 2 http://127.0.0.1:${port}/`,
    `curl -s -m 2 --noproxy '*' http://127.0.0.1:${port}/`,
    `curl -s -m 2 http://localhost:${port}/`,
    `env -u HTTP_PROXY -u http_proxy curl -s -m 2 http://127.0.0.1:${port}/`,
    `python3 -c "import socket; socket.create_connection(('127.0.0.1', ${port}), 1)"`,
    `socat -u OPEN:/dev/null UNIX-CONNECT:${sockets}/socket`,
    `python3 -c "import socket; s = socket.socket(socket.AF_UNIX); s.connect('${sockets}/socket')"`,
    `perl -MSocket -e "socket(S, PF_UNIX, SOCK_STREAM, 0) or die; connect(S, sockaddr_un('${sockets}/socket')) or die"`,
    "printf '#!/bin/sh\\ntouch /tmp/tunacode-hook' > .git/hooks/pre-commit",
    "git config core.fsmonitor 'touch /tmp/tunacode-hook'",
    "mv .git .git-old && mkdir .git",
    "rm -rf .git/hooks && mkdir .git/hooks && echo x > .git/hooks/pre-commit",
    `kill -9 ${process.pid}`,
    `ls /proc/${process.pid}/root && cat /proc/${process.pid}/environ`,
  ];
}

beforeAll(async () => {
  if (whyNot !== null) return;
  mkdirSync(root);
  mkdirSync(join(home, ".ssh"), { recursive: true });
  writeFileSync(join(home, ".ssh/id_rsa"), KEY);
  writeFileSync(join(root, "project.txt"), "x\n");
  git(root, "init", "-q");
  servers.push(await listen({ path: join(sockets, "socket") }), await listen({ host: "127.0.0.1", port: 0 }));
  const address = servers[1]?.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
  await buildIfStale();
  copyFileSync(BINARY, join(base, "tunacode"));
  model = await startStrictServer();
  const commands = [...INSIDE, ...escapes()];
  model.script([answer(...commands.map((command) => call("bash", { command }))), answer("Done.")]);
  const { code, stdout, stderr } = await startRun().ended;
  if (code !== 0) throw new Error(stderr || stdout);
  const { messages } = JSON.parse(stdout);
  returns = messages[2].parts;
}, 120_000);

/** Runs in yolo mode, so that only the sandbox protects. */
function startRun(env: Record<string, string> = {}) {
  const args = ["run", "go", "--sandbox", "on", "--permission", "yolo", "--output", "json"];
  return startBinary(join(base, "tunacode"), args, {
    cwd: root,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      // Outside HOME, so that everything found in HOME was written from inside the sandbox.
      XDG_DATA_HOME: join(base, "data"),
      XDG_CACHE_HOME: join(base, "cache"),
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: "sk-strict-server-test-key-0123456789",
      ...env,
    },
  });
}

afterAll(async () => {
  await model?.stop();
  for (const server of servers) server.close();
  for (const folder of [base, sockets]) rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(whyNot !== null)("inside the sandbox of the shipped binary", () => {
  test("every command ran, and every failure says that it ran in a sandbox", () => {
    expect(returns).toHaveLength(INSIDE.length + escapes().length);
    const failed = returns.filter(({ status }) => status === "failed");
    expect(failed.length).toBeGreaterThan(escapes().length / 2);
    expect(failed.filter(({ content }) => !content.includes("ran in a sandbox"))).toEqual([]);
  });

  test("ordinary work in the project is possible", () => {
    expect(returns[0]?.content).toStartWith("inside\n[Exit code 0");
    expect(readFileSync(join(root, "inside.txt"), "utf8")).toBe("inside\n");
    expect(returns[1]?.content).toContain("[Exit code 0");
  });

  test("nothing is written outside", () => {
    expect(readdirSync(home)).toEqual([".ssh"]);
    expect(readdirSync(join(home, ".ssh"))).toEqual(["id_rsa"]);
    expect(existsSync("/etc/tunacode-escaped")).toBe(false);
  });

  test("no socket is reached", () => {
    expect(connections).toEqual([]);
  });

  test("no key is read", () => {
    expect(returns.filter(({ content }) => content.includes(KEY))).toEqual([]);
  });

  test("git's hooks and configuration are unchanged", () => {
    expect(existsSync(join(root, ".git/hooks/pre-commit"))).toBe(false);
    expect(readFileSync(join(root, ".git/config"), "utf8")).not.toContain("fsmonitor");
    expect(existsSync(join(root, ".git-old"))).toBe(false);
  });

  test("nothing but the commands' own files is left in the project", () => {
    const own = new Set([".git", "project.txt", "inside.txt", "out", "stolen", "k", "race", "escaped"]);
    expect(readdirSync(root).filter((name) => !own.has(name))).toEqual([]);
  });
});

describe.skipIf(whyNot !== null || !CAN_LIST_PROCESSES)("after kill -9", () => {
  test("no helper and no command of the sandbox is left", async () => {
    const mark = crypto.randomUUID();
    model.script([answer(call("bash", { command: "sleep 300" }))]);
    const { child } = startRun({ TUNACODE_ESCAPE_MARK: mark });
    const isUp = () => livingWith(mark).some((line) => line.endsWith("sleep 300"));
    for (let round = 0; round < 200 && !isUp(); round++) await Bun.sleep(50);
    expect(isUp()).toBe(true);
    child.kill("SIGKILL");
    // The watcher carries the mark as well, until it is done.
    expect(await survivors(mark, 15_000)).toEqual([]);
  }, 30_000);
});

test("a probe that escapes is noticed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tunacode-open-"));
  try {
    const open = async (command: string) => ({ argv: ["/bin/bash", "-c", command] });
    const problem = await probeSandbox({ root: folder, home: folder, writable: [], wrapCommand: open });
    expect(problem).toContain("a unix socket");
    expect(problem).toContain("a TCP port");
    expect(problem).toContain("a file outside");
    const broken = async () => ({ argv: ["/nonexistent/program"] });
    expect(await probeSandbox({ root: folder, home: folder, writable: [], wrapCommand: broken })).toContain(
      "could not run",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function listen(where: { path: string } | { host: string; port: number }): Promise<Server> {
  const server = createServer((socket) => {
    connections.push(JSON.stringify(where));
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(where, resolve));
  return server;
}
