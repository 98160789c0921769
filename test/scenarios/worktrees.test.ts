// `--worktree` and `tunacode worktrees` on the built binary: where work happens, whose sessions they are, and what
// becomes of a worktree in the end.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInTerminal } from "../../scripts/terminal-run.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

setDefaultTimeout(60_000);

const LONG = process.env["TUNACODE_LONG"] === "1";
/** Similar to how the sandbox starts it. Some containers forbid a new /proc. */
const BUBBLE = "--ro-bind / / --dev /dev --unshare-all --unshare-user --proc /proc true".split(" ");
const sandboxed = spawnSync("bwrap", BUBBLE).status === 0 && spawnSync("socat", ["-V"]).status === 0;
if (!sandboxed) console.log("skipped: a worktree in the sandbox (bubblewrap and socat are needed)");

let lab: CliLab;
let project = "";
let projects = 0;
beforeAll(async () => {
  lab = await openCliLab();
  writeFileSync(join(lab.home, ".gitconfig"), "[user]\n\tname = Somebody\n\temail = somebody@example.com\n");
}, 120_000);
afterAll(() => lab.close());
beforeEach(() => {
  project = join(lab.home, `project-${projects++}`);
  mkdirSync(project);
  git("init", "-q", "-b", "main");
  writeFileSync(join(project, "a.txt"), "one\n");
  git("add", "--all");
  git("commit", "-q", "-m", "first");
});

function git(...args: readonly string[]): string {
  const env = { HOME: lab.home, PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", args, { cwd: project, env, stdio: "pipe", encoding: "utf8" });
}

const run = (args: readonly string[], cwd = project) => lab.run(args, { cwd });
const editing = () => [
  answer(call("write_file", { filepath: "made.txt", content: "two\n" })),
  answer("done"),
];

async function edit(...args: readonly string[]) {
  lab.script(editing());
  const { stdout, stderr } = await run(["run", "--permission", "auto-edit", "--output-json", ...args]);
  return { result: JSON.parse(stdout), stderr };
}

async function listed() {
  return JSON.parse((await run(["worktrees", "--output", "json"])).stdout);
}

test("a run works in its worktree and says how to go on, and -c there and in the main tree each find their own", async () => {
  lab.script([answer("in main")]);
  await run(["run", "words of the main tree"]);
  const { result, stderr } = await edit("-w", "fix", "words of the worktree");
  const { path } = result.worktree;
  expect(result.worktree).toEqual({ name: "fix", path, branch: "tunacode/fix", kept: true });
  expect(stderr).toContain("tunacode -w=fix -c");
  expect(stderr).toContain("tunacode worktrees diff fix");
  expect(existsSync(join(project, "made.txt"))).toBe(false);
  expect(readFileSync(join(path, "made.txt"), "utf8")).toBe("two\n");
  expect(await listed()).toMatchObject([
    {
      name: "fix",
      branch: "tunacode/fix",
      path,
      uncommitted_files: ["made.txt"],
      last_session: { title: "words of the worktree" },
    },
  ]);
  const sessions = (await run(["sessions"])).stdout;
  expect(sessions).toContain("words of the worktree");
  expect((await run(["sessions"], path)).stdout).toBe(sessions);

  lab.script([answer("again")]);
  await run(["run", "-w=fix", "-c", "and now?"]);
  expect(lab.server.requests.at(-1)?.text).toContain("words of the worktree");
  lab.script([answer("again")]);
  await run(["run", "-c", "and now?"]);
  expect(lab.server.requests.at(-1)?.text).toContain("words of the main tree");
});

test("without changes a worktree is gone after the run; what is not committed stays unless it is wanted", async () => {
  writeFileSync(join(project, "a.txt"), "not committed\n");
  lab.script([answer("fine")]);
  const { stdout, stderr } = await run(["run", "-w", "--output-json", "a question"]);
  const { worktree } = JSON.parse(stdout);
  expect(worktree.kept).toBe(false);
  expect(existsSync(worktree.path)).toBe(false);
  expect(stderr).toContain("1 uncommitted file. It stays there; --with-changes");
  expect(git("branch")).toBe("* main\n");
  lab.script([answer("fine")]);
  const brought = JSON.parse(
    (await run(["run", "-w", "--with-changes", "--output-json", "hi"])).stdout,
  ).worktree;
  expect(readFileSync(join(brought.path, "a.txt"), "utf8")).toBe("not committed\n");
  expect(git("status", "--porcelain")).toBe(" M a.txt\n");
});

test("worktrees: diff, merge and remove without a person", async () => {
  await edit("-w", "fix", "hi");
  expect((await run(["worktrees", "diff", "fix"])).stdout).toContain("+++ b/made.txt");
  expect(await run(["worktrees", "merge", "fix"])).toMatchObject({ code: 2 });
  expect(await run(["worktrees", "remove", "fix"])).toMatchObject({ code: 2 });
  expect(await run(["worktrees", "merge", "fix", "--yes"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(project, "made.txt"), "utf8")).toBe("two\n");
  expect(await listed()).toEqual([]);
  git("reset", "-q", "--hard", "HEAD~1");
  await edit("-w", "other", "hi");
  expect((await run(["worktrees", "remove", "other", "--yes"])).code).toBe(0);
  expect(git("branch")).toBe("* main\n");
  expect((await run(["worktrees", "diff", "gone"])).stderr).toContain("There is no worktree gone.");
  expect((await run(["run", "--worktree=a/b", "hi"])).code).toBe(2);
  expect((await run(["run", "--with-changes", "hi"])).code).toBe(2);
});

test("in a worktree of a trusted project counts what was seen there, and what the person keeps as rules", async () => {
  const config = { permissions: { allow: ["bash(make)"] } };
  writeFileSync(join(project, ".tunacode.json"), JSON.stringify(config));
  git("add", "--all");
  git("commit", "-q", "-m", "config");
  const rules = join(lab.home, ".config/tunacode/remembered-rules.jsonl");
  mkdirSync(join(lab.home, ".config/tunacode"), { recursive: true });
  const rule = { project, verdict: "deny", rule: "bash(ls)", kept: true };
  writeFileSync(rules, `${JSON.stringify(rule)}\n`);
  const { result } = await edit("-w", "fix", "hi");
  const { path } = result.worktree;
  const decided = async (command: string) => (await run(["permit", command], path)).stdout.split(/\s/)[0];
  expect(await decided("make")).toBe("ask");
  await run(["config", "trust"]);
  expect(await decided("make")).toBe("allow");
  expect(await decided("ls")).toBe("deny");
  const more = { permissions: { allow: ["bash(make)", "bash(make all)"] } };
  writeFileSync(join(path, ".tunacode.json"), JSON.stringify(more));
  expect(await decided("make")).toBe("ask");
  rmSync(rules);
});

test.skipIf(!sandboxed)(
  "in the sandbox git works there, and nothing of the main tree or of ours can be written or read",
  async () => {
    const main = join(project, "a.txt");
    // In a file, so that nothing but the sandbox stands in the way.
    const probes: readonly (readonly [command: string, told: string])[] = [
      ["echo changed > a.txt; git status --short", " M a.txt"],
      ["git log --oneline", " probe"],
      ["git diff --stat", "a.txt | 2 +-"],
      ["wc -c < .env || echo 0", "0\n"],
      [`echo x > ${main}`, "Read-only file system"],
      [`echo x >> ${project}/.git/config`, "Read-only file system"],
      ["echo x > .git", "Read-only file system"],
      ["git commit -qam work", "Read-only file system"],
      ["ls -A ../../..", "worktrees"],
      ["cat ../../../sessions/*", "No such file"],
      ["mkdir ../../../mine", "Read-only file system"],
    ];
    writeFileSync(join(project, ".env"), "KEY=1");
    const script = probes.map(([command], at) => `echo "<${at}>"\n(${command}) 2>&1\n`).join("");
    writeFileSync(join(project, "probe.sh"), script);
    git("add", "--all", "-f");
    git("commit", "-q", "-m", "probe");
    const asked = ["git commit -qam work", "git branch new", `echo x > ${main}`];
    const commands = ["sh probe.sh", "git status --short", ...asked];
    lab.script([...commands.map((command) => answer(call("bash", { command }))), answer("done")]);
    const { stdout } = await run([
      "run",
      "-w=box",
      "--permission",
      "auto-edit",
      "--output",
      "stream-json",
      "go",
    ]);
    const told = stdout
      .split("\n")
      .filter((line) => line.startsWith('{"type":"tool-end"'))
      .map((line) => JSON.parse(line).result.content as string);
    const parts = told[0]?.split(/<\d+>\n/).slice(1) ?? [];
    expect(
      probes.flatMap(([command, expected], at) =>
        parts[at]?.includes(expected) ? [] : [[command, parts[at]]],
      ),
    ).toEqual([]);
    expect(told[1]).toContain(" M a.txt");
    for (const each of told.slice(2)) expect(each).toContain("needs a person's yes");
    expect(told).toHaveLength(commands.length);
    expect(readFileSync(main, "utf8")).toBe("one\n");
  },
);

/** Types each answer once the text before it has appeared. */
async function inTerminal(
  args: readonly string[],
  talk: readonly (readonly [seen: string, typed: string])[],
) {
  let step = 0;
  let from = 0;
  const { code, pieces } = await runInTerminal([lab.binary, ...args], {
    columns: 100,
    rows: 30,
    cwd: project,
    env: lab.env,
    onOutput: (written, send) => {
      const [seen = "", typed = ""] = talk[step] ?? [];
      const at = seen === "" ? -1 : written.indexOf(seen, from);
      if (at === -1) return;
      step++;
      from = at + seen.length;
      setTimeout(() => send(typed), 100);
    },
  });
  return { code, written: pieces.map(({ text }) => text).join("") };
}

test("in the app: changes are offered to come along, and at the end it is merged", async () => {
  writeFileSync(join(project, "note.txt"), "not committed\n");
  lab.script([answer("hello there")]);
  const { code, written } = await inTerminal(
    ["--plain", "-w=fix", "hi"],
    [
      ["into the worktree? [y/N]: ", "y\r"],
      ["hello there", "/exit\r"],
      ["What now? [k]: ", "d\r"],
      ["What now? [k]: ", "m\r"],
      ["Commit 1 changed file first? [y/N]: ", "y\r"],
      ["What now? [k]: ", "r\r"],
      ["Remove worktree fix with", "y\r"],
      ["Really remove it? [y/N]: ", "n\r"],
      ["What now? [k]: ", "\r"],
    ],
  );
  expect(code).toBe(0);
  expect(written).toContain("+++ b/note.txt");
  // The file is still in the main tree, and not committed there.
  expect(written).toContain("note.txt would be overwritten");
  expect(written).toContain("tunacode -w=fix -c");
  expect(readFileSync(join(project, "note.txt"), "utf8")).toBe("not committed\n");
  rmSync(join(project, "note.txt"));
  const merged = await inTerminal(["worktrees", "merge", "fix"], [["first? [y/N]: ", "y\r"]]);
  expect(merged.code).toBe(0);
  expect(readFileSync(join(project, "note.txt"), "utf8")).toBe("not committed\n");
  expect(git("branch")).toBe("* main\n");
});

test("in the app on a screen: without changes it is gone at the end", async () => {
  lab.script([answer("hello there")]);
  const { code, written } = await inTerminal(["-w=fix", "hi"], [["hello there", "/exit\r"]]);
  expect(code).toBe(0);
  expect(written).toContain("Worktree fix had no changes and is removed.");
  expect(git("branch")).toBe("* main\n");
});

test(
  "killed at any moment of the making, the next start has a whole worktree and nothing is left over",
  async () => {
    for (let file = 0; file < 200; file++) writeFileSync(join(project, `file-${file}`), "x".repeat(1000));
    git("add", "--all");
    git("commit", "-q", "-m", "many");
    writeFileSync(join(project, "a.txt"), "not committed\n");
    const kills = LONG ? 60 : 2;
    for (let round = 0; round < kills; round++) {
      lab.script([answer("fine")]);
      const { child, ended } = lab.start(["run", "-w=fix", "--with-changes", "hi"], { cwd: project });
      await Bun.sleep(30 + (round / kills) * 300);
      child.kill("SIGKILL");
      await ended;
      lab.script([answer("fine")]);
      const { stdout } = await run(["run", "-w=fix", "--with-changes", "--output-json", "hi"]);
      const { success, worktree } = JSON.parse(stdout);
      expect([round, success]).toEqual([round, true]);
      expect(readFileSync(join(worktree.path, "a.txt"), "utf8")).toBe("not committed\n");
      expect(execFileSync("git", ["status", "--porcelain"], { cwd: worktree.path, encoding: "utf8" })).toBe(
        " M a.txt\n",
      );
      if (round % 2 === 0) expect((await run(["worktrees", "remove", "fix", "--yes"])).code).toBe(0);
    }
    await run(["worktrees", "remove", "fix", "--yes"]);
    expect(git("branch")).toBe("* main\n");
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(git("status", "--porcelain")).toBe(" M a.txt\n");
  },
  LONG ? 900_000 : 60_000,
);

test("two at once, with one name and with made-up ones, and a disk that is full", async () => {
  lab.script(() => answer("fine"));
  const starts = [["-w=same"], ["-w=same"], ["-w"], ["-w"]].map((args) =>
    run(["run", ...args, "--output-json", "a question"]),
  );
  const results = (await Promise.all(starts)).map(({ stdout }) => JSON.parse(stdout));
  expect(results.map(({ success }) => success)).toEqual([true, true, true, true]);
  expect(new Set(results.map(({ worktree }) => worktree.path)).size).toBe(3);
  expect(git("branch")).toBe("* main\n");

  writeFileSync(join(project, "large.bin"), Buffer.alloc(3_000_000, 7));
  const limited = [
    "-c",
    'ulimit -f 1000; exec "$0" "$@"',
    lab.binary,
    "run",
    "-w=full",
    "--with-changes",
    "hi",
  ];
  const { status, stderr } = spawnSync("bash", limited, { cwd: project, env: lab.env, encoding: "utf8" });
  expect(status).not.toBe(0);
  expect(stderr).toContain("Worktree full can't be made");
  expect(git("branch")).toBe("* main\n");
  expect(await listed()).toEqual([]);
});
