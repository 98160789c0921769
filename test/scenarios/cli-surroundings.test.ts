// In a hostile environment the behaviour is clear, there is no stack trace, and nothing is lost.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Ended } from "../support/binary.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call, text } from "../support/strict-llm-server/turn.ts";

setDefaultTimeout(60_000);

let lab: CliLab;
beforeAll(async () => {
  lab = await openCliLab();
}, 120_000);
afterAll(async () => {
  // A read-only folder could not be removed.
  if (existsSync(readOnlyHome())) chmodSync(readOnlyHome(), 0o700);
  await lab.close();
});

const readOnlyHome = () => join(lab.home, "read-only");

const all: Ended[] = [];
/** Runs through a shell, which can close and redirect streams that spawn can't. */
function shell(script: string, env: Readonly<Record<string, string | undefined>> = {}): Promise<Ended> {
  const given = Object.entries({ ...lab.env, TUNACODE: lab.binary, ...env });
  const child = spawn("bash", ["-c", script], {
    cwd: lab.folder,
    env: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      written[name] += chunk;
    });
  return new Promise((resolve) =>
    child.once("close", (code) => {
      all.push({ code, ...written });
      resolve({ code, ...written });
    }),
  );
}
afterEach(() => {
  for (const { stderr } of all.splice(0)) expect(stderr).not.toMatch(/^\s+at /m);
});

test("if the reader closes the pipe early, the exit code is 141, the request stops, and the turn is closed on disk", async () => {
  // The model would stream for a minute.
  const delivery = { pieces: "event", betweenPiecesMs: 20 } as const;
  lab.script([{ ...answer(text("word ".repeat(3_000), 5)), delivery }]);
  const { stdout } = await shell(
    `set -o pipefail; "$TUNACODE" run --output stream-json "talk a lot" | head -1; echo "code $?"`,
  );
  expect(stdout).toContain('{"type":"request-start"');
  expect(stdout).toEndWith("code 141\n");
  const [newest] = JSON.parse((await lab.run(["sessions", "--limit", "1", "--output", "json"])).stdout);
  const shown = await lab.run(["sessions", "show", newest.session_id]);
  expect(shown.stdout).toContain("> talk a lot");
  expect(shown.stdout).toContain("[INTERRUPTED]");
  expect(shown.stderr).toBe("");
});

test("if the reader closes the pipe before a short answer, the exit code is 141 or 0, without a stack trace", async () => {
  lab.script([answer("short")]);
  const { stdout } = await shell(`"$TUNACODE" run "hi" | true; echo "\${PIPESTATUS[0]}"`);
  expect(["0\n", "141\n"]).toContain(stdout);
});

test("help and lists end quietly when the pipe is closed", async () => {
  const { stdout, stderr } = await shell(
    `"$TUNACODE" models gpt | head -1 | cut -c1-5; "$TUNACODE" --help | true`,
  );
  expect({ stdout, stderr }).toEqual({ stdout: "model\n", stderr: "" });
});

test("no HOME", async () => {
  lab.script([answer("homeless")]);
  const data = { XDG_DATA_HOME: join(lab.home, "data"), XDG_CONFIG_HOME: join(lab.home, "c") };
  expect(await shell(`"$TUNACODE" run hi`, { HOME: undefined, ...data })).toMatchObject({
    code: 0,
    stdout: "homeless\n",
  });
});

test("a session that can't be saved is saved completely elsewhere, and can be continued from there", async () => {
  lab.script([answer("kept"), answer("and on")]);
  const kept = join(lab.home, "kept");
  mkdirSync(kept);
  // A file in its place: not even root can create the folder.
  const env = { XDG_DATA_HOME: lab.binary, TMPDIR: kept };
  const { code, stdout, stderr } = await lab.run(["run", "remember me"], { env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "kept\n" });
  const [, file = ""] = /All of it is in (\S+\.json)\./.exec(stderr) ?? [];
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const data = join(lab.home, "mended");
  mkdirSync(join(data, "tunacode/sessions"), { recursive: true });
  renameSync(file, join(data, "tunacode/sessions", basename(file)));
  const again = await lab.run(["run", "--continue", "and now?"], { env: { XDG_DATA_HOME: data } });
  expect(again).toMatchObject({ code: 0, stdout: "and on\n" });
  expect(lab.server.requests.at(-1)?.text).toContain("remember me");
});

test("with a HOME that can't be written, the answer is printed, and a notice says that nothing is saved", async () => {
  const home = readOnlyHome();
  mkdirSync(home);
  chmodSync(home, 0o500);
  lab.script([answer("still here")]);
  // Root can write to read-only folders, but not where a file is in the way.
  const { code, stdout, stderr } = await shell(`"$TUNACODE" run hi`, {
    HOME: home,
    ...(process.getuid?.() === 0 && { XDG_DATA_HOME: "/proc/nowhere" }),
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "still here\n" });
  expect(stderr.trim()).not.toBe("");
});

test("no TERM, and a dumb one", async () => {
  lab.script([answer("plain"), answer("plain")]);
  for (const TERM of [undefined, "dumb"])
    expect(await shell(`"$TUNACODE" run hi`, { TERM })).toEqual({ code: 0, stdout: "plain\n", stderr: "" });
});

test("a deleted working directory is reported", async () => {
  // The runtime itself doesn't start there; the person only has to learn why.
  const { code, stderr } = await shell(`mkdir -p gone && cd gone && rmdir "$PWD" && "$TUNACODE" run hi`);
  expect(code).toBe(1);
  expect(stderr).toContain("directory was deleted");
});

test("stdin, stdout and stderr closed", async () => {
  lab.script(() => answer("closed"));
  expect(await shell(`"$TUNACODE" run hi <&-`)).toMatchObject({ code: 0, stdout: "closed\n" });
  expect(await shell(`"$TUNACODE" run hi 2>&-`)).toMatchObject({ code: 0, stdout: "closed\n" });
  expect(await shell(`"$TUNACODE" run - <&-`)).toMatchObject({ code: 2 });
  expect([0, 141]).toContain((await shell(`"$TUNACODE" run hi >&-`)).code ?? -1);
});

test("a full disk for the output is reported without a stack trace", async () => {
  lab.script([answer("x")]);
  const { code, stderr } = await shell(`"$TUNACODE" run hi >/dev/full`);
  expect(code).toBe(1);
  expect(stderr).toContain("The output can't be written");
});

test("a prompt of 10 MB arrives completely, or is refused with a reason", async () => {
  lab.script([answer("long")]);
  const { code, stdout } = await lab.run(["run", "--output-json", "-"], {
    stdin: `begin ${"x".repeat(10_000_000)} end`,
  });
  const result = JSON.parse(stdout);
  if (code === 0) expect(lab.server.requests.at(-1)?.text).toContain("x end");
  else expect(result.error.code).toBe("context_overflow");
  const session = await lab.run(["sessions", "show", result.session_id, "--output", "json"]);
  expect(session.code).toBe(0);
}, 60_000);

test("NUL and invalid UTF-8 become visible replacement characters", async () => {
  lab.script([answer("ok"), answer("ok")]);
  const bytes = new Uint8Array([...Buffer.from("a\0b"), 0xff, 0xfe, ...Buffer.from("c")]);
  const { code, stderr } = await lab.run(["run", "-"], { stdin: bytes });
  expect(code).toBe(0);
  expect(stderr).toContain("not text");
  expect(lab.server.requests.at(-1)?.text).toContain("a\uFFFDb\uFFFD\uFFFDc");
  expect(await shell(`"$TUNACODE" run $'x\\xff'`)).toMatchObject({ code: 0 });
});

test("50 runs at once in one project each get an answer and a session", async () => {
  lab.script((request) => answer(`echo ${/number-\d+-x/.exec(request.text)?.[0]}`));
  const before = sessions();
  const runs = Array.from({ length: 50 }, (_, at) => lab.run(["run", `number-${at}-x`]));
  for (const [at, ended] of (await Promise.all(runs)).entries())
    expect(ended).toEqual({ code: 0, stdout: `echo number-${at}-x\n`, stderr: "" });
  expect(sessions() - before).toBe(50);
}, 120_000);

test("50 runs at once with --continue lose nothing: each is in some session", async () => {
  lab.script((request) => answer(`echo ${request.text.match(/turn-\d+-x/g)?.at(-1)}`));
  const count = 10;
  const runs = Array.from({ length: count }, (_, at) => lab.run(["run", "-q", "--continue", `turn-${at}-x`]));
  for (const [at, ended] of (await Promise.all(runs)).entries())
    expect(ended).toMatchObject({ code: 0, stdout: `echo turn-${at}-x\n` });
}, 60_000);

test("a model can't send control sequences to the terminal through stderr", async () => {
  lab.script([answer(call("bash", { command: "printf '\\033]0;owned\\007'" })), answer("\u001b[2Jdone")]);
  const { stderr } = await shell(`"$TUNACODE" run hi`);
  expect(stderr).not.toContain("\u001b");
});

function sessions(): number {
  const folder = join(lab.home, ".local/share/tunacode/sessions");
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json")).length;
  } catch {
    return 0;
  }
}
