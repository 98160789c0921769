// With a rule that forbids to read a file, git shows nothing of it either: neither from the folder nor from the history.
// What runs unasked is run, and its output may not contain what the file ever held.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPermissionContext } from "../../src/app/permit.ts";
import type { Decision } from "../../src/domain/permission.ts";
import { decide } from "../../src/permission/decide.ts";
import { createPermissionProject, git } from "../support/permission-project.ts";
import { seededRandom } from "../support/random.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const project = createPermissionProject();
afterAll(project.close);
const CANARY = "CANARY-text";
const RULES = ["read(private.txt)", "read(src/**/*.hidden)", "read(docs/kept)", "read(~/.ssh/**)"];
const context = createPermissionContext({
  permission: { mode: "ask", rules: [{ source: "person", deny: RULES }], sandbox: "off" },
  cwd: project.root,
  trusted: false,
  env: { PATH: "/usr/bin:/bin", HOME: project.home },
});
const names: Record<string, string> = {};

beforeAll(() => {
  const files = ["private.txt", "src/deep/x.hidden", "docs/kept/a.md", "docs/kept/b/c.md"];
  for (const [round, file] of [...files, ...files].entries()) {
    mkdirSync(join(project.root, file, ".."), { recursive: true });
    writeFileSync(join(project.root, file), `${CANARY} ${round}\n`);
    writeFileSync(join(project.root, "a.txt"), `open ${round}\n`);
    git(project.root, "add", "a.txt", file);
    git(project.root, "commit", "-q", "-m", `change ${round}`);
  }
  const ask = (...words: string[]) =>
    execFileSync("git", words, { cwd: project.root, encoding: "utf8" }).trim();
  names["BLOB"] = ask("rev-parse", "HEAD:private.txt");
  names["TREE"] = ask("rev-parse", "HEAD:docs/kept");
  names["OLDTREE"] = ask("rev-parse", "HEAD~2:docs");
  names["COMMIT"] = ask("rev-parse", "HEAD~1");
  rmSync(join(project.root, "docs"), { recursive: true });
  writeFileSync(join(project.root, "private.txt"), `${CANARY} now\n`);
  writeFileSync(join(project.root, "a.txt"), "open now\n");
});

function decision(written: string, folder = project.root): Decision & { command: string } {
  const command = written.replace(/\b[A-Z]{4,}\b/g, (name) => names[name] ?? name);
  const demand = { type: "shell", command, folder, env: {} } as const;
  return { command, ...decide({ toolName: "bash", demands: [demand] }, context) };
}

function outputOf(script: string, folder = project.root): string {
  const { stdout, stderr } = spawnSync("bash", ["-c", script], {
    cwd: folder,
    env: context.environment,
    encoding: "utf8",
  });
  return stdout + stderr;
}

test.each([
  "git diff",
  "git diff HEAD~3",
  "git diff HEAD~3 HEAD -- a.txt",
  "git diff COMMIT",
  "git diff COMMIT..HEAD",
  "git show",
  "git show HEAD",
  "git show COMMIT",
  "git show COMMIT -- a.txt",
  "git log -p -3",
  "git log -p -- a.txt",
  "git grep open",
  "git grep -n open HEAD",
  "cd src && git diff && git log -p -1",
])("runs unasked and still shows the rest: %s", (written) => {
  const { decision: verdict, rebuilt = "", reason } = decision(written);
  expect({ verdict, reason }).toMatchObject({ verdict: "allow" });
  const output = outputOf(rebuilt);
  expect(output).not.toContain(CANARY);
  expect(output).toContain("open");
});

test.each([
  "git log --oneline",
  "git stash list",
  "git diff --stat=80",
  "git log --stat -3",
  "git diff --name-only",
  "git status",
  "git blame a.txt",
])("shows no contents, so nothing is left out: %s", (written) => {
  const { decision: verdict, rebuilt = "" } = decision(written);
  expect(verdict).toBe("allow");
  expect(rebuilt).not.toContain("exclude");
});

test.each([
  "git show HEAD:private.txt",
  "cd src && git show HEAD:private.txt",
  "git show :private.txt",
  "git cat-file -p BLOB",
  "git show HEAD^{tree}",
  "git diff OLDTREE:kept TREE",
  "git diff HEAD~3:docs HEAD:docs",
  "git grep CANARY HEAD:docs",
  "git log -p --full-diff -- a.txt",
  "git log -p --follow a.txt",
  "git --literal-pathspecs diff",
  "git stash show -p",
  "git stash list -p",
  "git cat-file blob BLOB",
  "git cat-file -p HEAD",
  "git archive HEAD",
  "git format-patch -1 --stdout",
  "git status -v",
  "git blame private.txt",
])("does not run unasked: %s", (written) => {
  expect(decision(written).decision).not.toBe("allow");
});

test("the same commands are asked about where they would run as written", () => {
  for (const sandbox of [true, false])
    for (const command of [
      "git diff; npm x",
      "git log -p > new",
      "FOO=1 git show",
      "git diff --ext-diff",
      "git log --pat; npm x",
    ]) {
      const demand = { type: "shell", command, folder: project.root, env: {} } as const;
      const rules = [...context.rules];
      const decided = decide({ toolName: "bash", demands: [demand] }, { ...context, rules, sandbox });
      expect({ command, decision: decided.decision }).toEqual({ command, decision: "ask" });
      const yolo = decide({ toolName: "bash", demands: [demand] }, { ...context, sandbox, mode: "yolo" });
      expect({ command, decision: yolo.decision }).toEqual({ command, decision: "ask" });
    }
});

test("what shows no contents is not asked about in the sandbox because of the rule", () => {
  for (const command of [
    "git status; npm x",
    "git log --oneline -3 && make",
    "git diff --stat | cat; make",
  ]) {
    const demand = { type: "shell", command, folder: project.root, env: {} } as const;
    const decided = decide({ toolName: "bash", demands: [demand] }, { ...context, sandbox: true });
    expect({ command, decision: decided.decision }).toEqual({ command, decision: "allow" });
  }
});

test("a number that isn't a commit's shows nothing, whatever the options are", () => {
  for (const options of ["--raw", "--stat", "-s", "--name-only"]) {
    const { rebuilt = "" } = decision(`git show ${options} BLOB`);
    expect(rebuilt === "" ? "" : outputOf(rebuilt)).not.toContain(CANARY);
  }
});

test("no generated command shows what is forbidden", () => {
  const random = seededRandom(LONG ? Date.now() : 1);
  const verbs = [
    "diff",
    "show",
    "log -p",
    "log",
    "grep CANARY",
    "grep -e CANARY",
    "blame",
    "cat-file -p",
    "cat-file blob",
    "reflog -p",
    "stash show",
  ];
  const words = (
    "HEAD HEAD~1 HEAD~3 HEAD:docs HEAD:private.txt BLOB TREE OLDTREE COMMIT COMMIT..HEAD COMMIT...HEAD BLOB..COMMIT " +
    "TREE..OLDTREE main main~2 -- private.txt docs docs/kept src a.txt . -p --cached -S CANARY -G CANARY --all -3 -1 " +
    "--full-diff --follow -m -c --cc --root -U3 --stat --raw --word-diff -R --name-only -W --text --no-walk --reverse " +
    "COMMIT^{tree} COMMIT^0 HEAD^ ^HEAD~3 HEAD@{1} '*.txt' 'doc*' ':/' ':(top)docs' ./private.txt -L1,2:private.txt --no-renames -C -M"
  ).split(" ");
  let run = 0;
  for (let round = 0; round < (LONG ? 20_000 : 300); round++) {
    const folder = random.below(4) === 0 ? join(project.root, "src") : project.root;
    const chosen = Array.from({ length: random.below(5) }, () => random.pick(words));
    const {
      command,
      decision: verdict,
      rebuilt,
    } = decision(`git ${random.pick(verbs)} ${chosen.join(" ")}`, folder);
    if (verdict !== "allow" || rebuilt === undefined) continue;
    run++;
    // What was asked for is in an error, too.
    const output = outputOf(rebuilt, folder).replaceAll(/CANARY(?!-text)/g, "");
    if (output.includes(CANARY)) expect({ command, rebuilt, output }).toBe(null as never);
  }
  console.log(`${run} generated git commands ran unasked`);
  expect(run).toBeGreaterThan(20);
}, 1_800_000);
