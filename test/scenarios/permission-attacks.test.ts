// Attacks that once got through, against the built binary: a model that was talked into something calls bash in a project
// that somebody else made, and nobody is there to be asked. Nothing may run or be shown that wasn't judged.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHostileProject, type HostileProject } from "../support/hostile-project.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { answer, call } from "../support/strict-llm-server/turn.ts";

let lab: CliLab;
let project: HostileProject;
beforeAll(async () => {
  lab = await openCliLab();
  project = createHostileProject();
}, 120_000);
afterAll(async () => {
  project.close();
  await lab.close();
});

/** What the model reads after these commands. */
async function attack(
  commands: readonly string[],
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = { PATH: `./evil:${join(project.root, "evil")}:/usr/bin:/bin` },
): Promise<string> {
  lab.script([answer(...commands.map((command) => call("bash", { command }))), answer("Done.")]);
  const cwd = project.root;
  const { stdout } = await lab.run(["run", "--sandbox", "off", "--no-session", ...flags, "go"], { cwd, env });
  expect(stdout).toBe("Done.\n");
  const read = lab.server.requests.at(-1)?.text ?? "";
  expect(read).toContain("Exit code");
  return read;
}

function write(path: string, text: string, mode = 0o644): void {
  const whole = join(project.root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
}

/** The programs that must not start, and did. */
const started = () => {
  const path = join(project.root, "..", "CANARY-started");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
const pwned = () => existsSync(join(project.root, "sub/pwned"));
const evil = () => `#!/bin/sh\n${join(project.root, "..", "CANARY-program")}\n`;

describe.each(["ask", "read-only", "auto-edit"])("in mode %s", (mode) => {
  const flags = ["--permission", mode];

  test("no program of the project runs in place of a harmless one", async () => {
    for (const folder of ["3", "10", "11"]) write(`${folder}/ls`, evil(), 0o755);
    write("h/.config/git/config", `[core]\n\tfsmonitor = ${join(project.root, "..", "CANARY-program")}\n`);
    await attack(
      [
        "ls",
        "for PATH in ./evil; do ls; done",
        `/usr/bin/../..${project.root}/evil/ls`,
        "printf 'abc%ln' PATH; ls",
        ": {PATH}</dev/null; ls",
        "for HOME in $PWD/h; do git status; done",
        "timeout $(echo 5 ./evil/ls) ls",
        "for XDG_CONFIG_HOME in $PWD/h/.config; do git -C repositories/alias status; done",
      ],
      flags,
    );
    expect(started()).toBe("");
  });

  test("no name becomes an option or a command", async () => {
    await attack(
      ["ls f", "cd sub && rg -* x", "cd f && find . -[nd]*", "cd sub && eval e*", "cd sub && sort -*"],
      flags,
    );
    expect(existsSync(join(project.root, "f/-delete"))).toBe(true);
    expect(pwned()).toBe(false);
  });

  test("no repository runs anything on git status, diff, log or blame", async () => {
    const verbs = ["status", "diff", "log -p -1", "blame a.txt"];
    const commands = project.repositories.flatMap((each) => verbs.map((verb) => `git -C ${each} ${verb}`));
    await attack(["ls a.txt", ...commands], flags);
    expect(started()).toBe("");
  }, 60_000);

  test("no secret is read through an odd name, or because an option or a file lets it in", async () => {
    write("code/a.ts", "export {};\n");
    const read = await attack(
      [
        "ls a.txt",
        "cat odd/*",
        "grep -R '' odd",
        "cat link-*",
        "cat sub/second",
        "grep -r --exclude=zzz --include='*.ts' '' .",
        "rg KEY",
      ],
      flags,
    );
    expect(read).not.toContain("a secret");
    expect(read).not.toContain("KEY=CANARY");
  });
});

describe("nothing freezes", () => {
  const LIMIT_MS = 15_000;

  test("on names, folders, rules and files that were made to", async () => {
    const rule = `read(${"*a".repeat(30)}*b)`;
    write(
      ".tunacode.json",
      JSON.stringify({ permissions: { deny: [rule, `write(${"**/a".repeat(20)}/b)`] } }),
    );
    execFileSync("mkfifo", [join(project.root, "repositories/alias/pipe")]);
    const chain = Array.from({ length: 16 }, (_, index) => `cd ${index % 2 === 0 ? "deep" : ".."}`).join(
      " && ",
    );
    const startedAt = performance.now();
    await attack([
      "ls a.txt",
      `ls ${"*a".repeat(6)}*b`,
      `ls ${"*a".repeat(40)}*b`,
      `${chain} && ls`,
      `${chain.replaceAll("&&", ";")}; ls *`,
      "git -C repositories/waiting status",
      "git -C repositories/waitingInclude diff",
      Array.from({ length: 300 }, () => "grep -r x .").join("; "),
      Array.from({ length: 2_000 }, () => "ls */*").join("; "),
      `echo ${"{a,b}".repeat(30)}`,
    ]);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  }, 60_000);
});
