// The command line of permission decisions.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runCommand } from "../../test/support/command.ts";
import { createPermissionProject } from "../../test/support/permission-project.ts";

const project = createPermissionProject();
afterAll(project.close);

const run = (args: readonly string[], stdin?: string) =>
  runCommand(["permit", ...args], {
    cwd: project.root,
    env: { PATH: "/usr/bin:/bin", HOME: project.home },
    ...(stdin === undefined ? {} : { stdin }),
  });

describe("tunacode permit", () => {
  test("answers in words", async () => {
    const { code, stdout } = await run(["cat a.txt | rm"]);
    expect(code).toBe(0);
    expect(stdout).toStartWith("ask    cat a.txt | rm\n");
    expect(stdout).toContain("- rm");
  });

  test("answers as one JSON object a line, with every key", async () => {
    const { stdout } = await run(["--output", "json", "--deny", "bash(rm)", "ls && rm x"]);
    expect(JSON.parse(stdout)).toEqual({
      command: "ls && rm x",
      decision: "deny",
      reason: expect.any(String),
      rule: "bash(rm)",
      sandboxed: false,
      commands: ["ls", "rm x"],
    });
  });

  test("explains what would run in place of a command that only reads", async () => {
    const { stdout } = await run(["--explain", "cat *.md && git push"]);
    expect(stdout).not.toContain("It would run as");
    const { stdout: words } = await run(["--explain", "cat *.md"]);
    expect(words).toEndWith("It would run as: hash -p '/usr/bin/cat' 'cat'; 'cat' 'README.md'\n");
    const { stdout: json } = await run(["--explain", "--output", "json", "cd src && pwd"]);
    expect(JSON.parse(json).rebuilt).toBe("{ 'cd' 'src' || exit; } && 'pwd'");
  });

  test("reads a command a line, or separated by NUL", async () => {
    const lines = await run(["-", "--output-json"], "ls\ngit push\n\nécho x");
    const decisions = lines.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).decision);
    expect(decisions).toEqual(["allow", "ask", "ask"]);
    const separated = await run(["-0", "--output-json"], "ls\nrm x\0pwd\0");
    expect(
      separated.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).commands),
    ).toEqual([["ls", "rm x"], ["pwd"]]);
  });

  test.each<[readonly string[], string]>([
    [["--permission", "yolo", "rm x"], "allow"],
    [["--permission", "read-only", "rm x"], "deny"],
    [["--allow", "bash(rm x)", "rm x"], "allow"],
    [["--allow", "bash(rm:*)", "--deny", "bash(rm)", "rm x"], "deny"],
    [["--ask", "bash(ls)", "ls"], "ask"],
    [["--sandbox", "on", "npm test"], "allow"],
    [["--sandbox", "auto", "npm test"], "ask"],
    [["--cwd", "vendor/trap", "git status"], "ask"],
    [["--cwd", "src", "cat main.ts"], "allow"],
    [["--cwd", join("..", "home"), "cat notes.txt"], "allow"],
    [["--", "-x"], "ask"],
  ])("%j: %s", async (args, decision) => {
    expect(JSON.parse((await run(["--output", "json", ...args])).stdout)).toMatchObject({ decision });
  });

  test.each<[readonly string[], string]>([
    [[], "No command"],
    [["git", "status"], "in quotes"],
    [["--permission", "maybe", "ls"], 'not "maybe"'],
    [["--output", "xml", "ls"], 'not "xml"'],
    [["--sandbox", "perhaps", "ls"], "--sandbox"],
    [["--allow", "bash(", "ls"], 'The allow rule "bash(" can\'t be used'],
    [["--unknown", "ls"], "--unknown"],
  ])("%j is a usage error: %s", async (args, problem) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });

  test("control characters are shown, not obeyed", async () => {
    const { stdout } = await run(["ls \u001b[2Kx"]);
    expect(stdout).toContain("⟨U+001B⟩[2Kx");
  });
});
