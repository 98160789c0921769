// Generates random commands and runs each one that needs no question, in bubblewrap and under strace. None may try to
// write, connect, or start a program that isn't on the list.
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { createPermissionContext } from "../../src/app/permit.ts";
import { decide } from "../../src/permission/decide.ts";
import { createPermissionProject } from "../support/permission-project.ts";
import { shellCommand, tokenSoup } from "../support/shell-grammar.ts";
import { misdeedsOf, whyNotTraced } from "../support/traced-commands.ts";

const project = createPermissionProject();
afterAll(project.close);

const long = process.env["TUNACODE_LONG"] === "1";
const wanted = long ? 10_000 : 150;
const whyNot = whyNotTraced();
if (whyNot !== null) console.log(`skipped: commands can't be traced here (${whyNot})`);

test.skipIf(whyNot !== null)(
  `${wanted} commands that run unasked only read`,
  () => {
    const seed = long ? Date.now() : 1;
    const allowed = allowedCommands(wanted, seed);
    expect(allowed.length).toBe(wanted);
    const misdeeds = misdeedsOf(allowed, project.root, project.home);
    expect({ seed, misdeeds }).toEqual({ seed, misdeeds: [] });
  },
  long ? 60 * 60_000 : 120_000,
);

test.skipIf(whyNot !== null)("a command that does more leaves a trace", () => {
  const found = misdeedsOf(
    ["ls", "touch out.txt", "python3 -c 1", "echo x > a.txt"],
    project.root,
    project.home,
  );
  expect([...new Set(found.map((misdeed) => misdeed.command))]).toEqual(
    expect.arrayContaining(["touch out.txt", "echo x > a.txt"]),
  );
  expect(found.map((misdeed) => misdeed.command)).not.toContain("ls");
});

const anyCommand = fc.oneof({ weight: 4, arbitrary: shellCommand }, { weight: 1, arbitrary: tokenSoup });

function allowedCommands(count: number, seed: number): readonly string[] {
  const context = createPermissionContext({
    permission: { mode: "ask", rules: [], sandbox: "off" },
    cwd: project.root,
    trusted: false,
    env: { PATH: "/usr/bin:/bin", HOME: project.home },
  });
  const allowed = new Set<string>();
  for (let round = 0; allowed.size < count && round < 200; round++) {
    for (const command of fc.sample(anyCommand, { numRuns: 1_000, seed: seed + round })) {
      if (allowed.size >= count) break;
      const { decision, commands = [] } = decide(
        { toolName: "bash", demands: [{ type: "shell", command, folder: project.root, env: {} }] },
        context,
      );
      if (decision === "allow" && commands.length > 0) allowed.add(command);
    }
  }
  return [...allowed];
}
