// Generates random commands and runs what is rebuilt of each one that needs no question, in bubblewrap and under strace.
// None may try to write, connect, start a program that isn't on the list, or open a file that must not be read. Each
// class of attack has its own generator, in a project that somebody made for them, and each program's table of options
// is tried against the program. In the long mode 100,000 are run.
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createPermissionContext } from "../../src/app/permit.ts";
import { decide } from "../../src/permission/decide.ts";
import { harmlessCommand } from "../support/harmless-commands.ts";
import { ATTACKS, gitCommand } from "../support/hostile-commands.ts";
import { createHostileProject } from "../support/hostile-project.ts";
import { optionCommands } from "../support/option-commands.ts";
import { type Misdeed, misdeedsOf, type TracedRun, whyNotTraced } from "../support/traced-commands.ts";

const long = process.env["TUNACODE_LONG"] === "1";
/** How many commands of each kind run, and how many are tried to find them. */
const wanted = long ? { attack: 16_000, program: 600 } : { attack: 12, program: 1 };
const MOST_TRIED = 3;
/** The trace of so many fits in memory. */
const BATCH = 1_000;
const TIMEOUT_MS = long ? 90 * 60_000 : 120_000;
const whyNot = whyNotTraced();
if (whyNot !== null) console.log(`skipped: commands can't be traced here (${whyNot})`);

const project = createHostileProject({ quick: true });
afterAll(project.close);
const context = createPermissionContext({
  permission: { mode: "ask", rules: [], sandbox: "off" },
  cwd: project.root,
  trusted: false,
  env: project.env,
});
const seed = long ? Date.now() : 1;
let total = 0;

describe.skipIf(whyNot !== null)("commands that run unasked only read", () => {
  const attacks = { ...ATTACKS, harmless: harmlessCommand, git: gitCommand(project.repositories) };
  test.each(Object.entries(attacks))(
    "attacks: %s",
    (name, commands) => {
      const { runs, tried } = allowedRuns(commands, wanted.attack);
      console.log(`${name}: ${runs.length} of ${tried} run unasked`);
      expect(runs.length).toBeGreaterThan(0);
      expect({ seed, misdeeds: misdeeds(runs) }).toEqual({ seed, misdeeds: [] });
    },
    TIMEOUT_MS,
  );

  test(
    "options of every program",
    () => {
      const found = Object.entries(optionCommands()).map(([name, commands]) => ({
        name,
        ...allowedRuns(commands, wanted.program),
      }));
      if (long)
        console.log(found.map(({ name, runs, tried }) => `${name} ${runs.length}/${tried}`).join(", "));
      // A program that is never allowed would not be tried at all.
      expect(found.filter(({ runs }) => runs.length === 0).map(({ name }) => name)).toEqual([]);
      const runs = found.flatMap((each) => each.runs);
      console.log(`${runs.length} commands of ${found.length} programs`);
      expect({ seed, misdeeds: misdeeds(runs) }).toEqual({ seed, misdeeds: [] });
    },
    TIMEOUT_MS,
  );

  test("a command that does more leaves a trace", () => {
    const written = [
      "ls",
      "touch out.txt",
      "echo x > a.txt",
      "cat link-out",
      "cat .env",
      "evil/ls",
      "git -C repositories/fsmonitor status",
      "git -C repositories/linked-shallow log",
      "git -C repositories/touched diff",
      "xxd a.txt -p",
    ];
    const runs = written.map((command) => ({ command, script: command }));
    const bare = { PATH: "/usr/bin:/bin", HOME: project.home };
    const found = new Set(misdeedsOf(runs, project.root, bare).map(({ command }) => command));
    expect([...found].sort()).toEqual(written.slice(1).sort());
    console.log(`${total} commands ran unasked`);
  });
});

function misdeeds(runs: readonly TracedRun[]): readonly Misdeed[] {
  const found: Misdeed[] = [];
  for (let first = 0; first < runs.length; first += BATCH) {
    found.push(...misdeedsOf(runs.slice(first, first + BATCH), project.root, context.environment));
    total += Math.min(BATCH, runs.length - first);
  }
  return found.slice(0, 20);
}

/** Few commands of a kind may be allowed at all. */
function allowedRuns(commands: fc.Arbitrary<string>, most: number) {
  const found = new Map<string, TracedRun>();
  let tried = 0;
  for (let round = 0; found.size < most && round < Math.max(MOST_TRIED, most / 50); round++) {
    for (const command of fc.sample(commands, { numRuns: 200, seed: seed + round })) {
      if (found.size >= most) break;
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
