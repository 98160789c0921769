// Generates random commands and runs what is rebuilt of each one that needs no question, in bubblewrap and under strace.
// None may try to write, connect, start a program that isn't on the list, or open a file that must not be read. Each
// class of attack has its own generator, in a project that somebody made for them.
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createPermissionContext } from "../../src/app/permit.ts";
import { decide } from "../../src/permission/decide.ts";
import { ATTACKS, gitCommand } from "../support/hostile-commands.ts";
import { createHostileProject } from "../support/hostile-project.ts";
import { type Misdeed, misdeedsOf, type TracedRun, whyNotTraced } from "../support/traced-commands.ts";

const long = process.env["TUNACODE_LONG"] === "1";
const wanted = long ? 25_000 : 40;
const mostTried = long ? 400_000 : 4_000;
/** The trace of so many fits in memory. */
const BATCH = 2_000;
const whyNot = whyNotTraced();
if (whyNot !== null) console.log(`skipped: commands can't be traced here (${whyNot})`);

const project = createHostileProject();
afterAll(project.close);
const context = createPermissionContext({
  permission: { mode: "ask", rules: [], sandbox: "off" },
  cwd: project.root,
  trusted: false,
  env: project.env,
});

const CLASSES = { ...ATTACKS, git: gitCommand(project.repositories) };

describe.skipIf(whyNot !== null)("commands that run unasked only read", () => {
  test.each(Object.entries(CLASSES))(
    "%s",
    (name, commands) => {
      const seed = long ? Date.now() : 1;
      const { runs, tried } = allowedRuns(commands, seed);
      console.log(`${name}: ${runs.length} of ${tried} run unasked`);
      expect(runs.length).toBeGreaterThan(0);
      const misdeeds: Misdeed[] = [];
      for (let first = 0; first < runs.length; first += BATCH)
        misdeeds.push(...misdeedsOf(runs.slice(first, first + BATCH), project.root, context.environment));
      expect({ seed, misdeeds }).toEqual({ seed, misdeeds: [] });
    },
    long ? 90 * 60_000 : 120_000,
  );

  test("a command that does more leaves a trace", () => {
    const written = [
      "ls",
      "touch out.txt",
      "echo x > a.txt",
      "cat link-out",
      "evil/ls",
      "git -C repositories/fsmonitor status",
    ];
    const runs = written.map((command) => ({ command, script: command }));
    const bare = { PATH: "/usr/bin:/bin", HOME: project.home };
    const found = new Set(misdeedsOf(runs, project.root, bare).map(({ command }) => command));
    expect([...found].sort()).toEqual(written.slice(1).sort());
  });
});

/** Few commands of a class may be allowed at all. */
function allowedRuns(commands: fc.Arbitrary<string>, seed: number) {
  const found = new Map<string, TracedRun>();
  let tried = 0;
  for (let round = 0; found.size < wanted && tried < mostTried; round++) {
    for (const command of fc.sample(commands, { numRuns: 500, seed: seed + round })) {
      if (found.size >= wanted) break;
      tried++;
      if (found.has(command)) continue;
      const demand = { type: "shell", command, folder: project.root, env: {} } as const;
      const { decision, rebuilt } = decide({ toolName: "bash", demands: [demand] }, context);
      if (decision !== "allow") continue;
      expect({ command, rebuilt }).toEqual({ command, rebuilt: expect.any(String) });
      if (rebuilt !== undefined) found.set(command, { command, script: rebuilt });
    }
  }
  return { runs: [...found.values()], tried };
}
