// What runs in place of a command that only reads does what the command itself would: the same output and exit code,
// over a project with odd names.
import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createPermissionContext } from "../../src/app/permit.ts";
import { shellProgram } from "../../src/base/shell-program.ts";
import { decide } from "../../src/permission/decide.ts";
import { createRipgrepPath } from "../../src/tools/ripgrep.ts";
import { createOddProject, harmlessCommand } from "../support/harmless-commands.ts";

const project = createOddProject();
afterAll(project.close);

const long = process.env["TUNACODE_LONG"] === "1";
const wanted = long ? 2_000 : 120;

const QUIET = { GIT_OPTIONAL_LOCKS: "0", GIT_PAGER: "cat", TERM: "dumb" };
const person = { PATH: "/usr/bin:/bin", HOME: project.home };
const context = createPermissionContext({
  permission: { mode: "ask", rules: [], sandbox: "off" },
  cwd: project.root,
  trusted: false,
  env: person,
});

function rebuiltOf(command: string): string | null {
  const demand = { type: "shell", command, folder: project.root, env: {} } as const;
  return decide({ toolName: "bash", demands: [demand] }, context).rebuilt ?? null;
}

function run(script: string, env: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = spawnSync(shellProgram(), ["-c", script], {
    cwd: project.root,
    env: { ...QUIET, ...env, PWD: project.root },
    encoding: "latin1",
  });
  // A rebuilt script has one line, and the shell names it where it complains itself.
  return { status, stdout, stderr: stderr.replaceAll(/: line \d+:/g, ": line 1:") };
}

/** A pipe that is closed early may cut off what a command says, once so and once so. */
function doesTheSame(command: string, expected: ReturnType<typeof run>): boolean {
  for (let attempt = 0; attempt < 10; attempt++)
    if (Bun.deepEquals(run(command, person), expected)) return true;
  return false;
}

test(
  `${wanted} harmless commands do the same when they are rebuilt`,
  () => {
    const seed = long ? Date.now() : 7;
    let compared = 0;
    let asked = 0;
    for (let round = 0; compared < wanted && round < 50; round++)
      for (const command of fc.sample(harmlessCommand, { numRuns: 500, seed: seed + round })) {
        if (compared >= wanted) break;
        const script = rebuiltOf(command);
        if (script === null) {
          asked++;
          continue;
        }
        compared++;
        const rebuilt = run(script, context.environment);
        if (doesTheSame(command, rebuilt)) continue;
        expect({ seed, command, script, ...rebuilt }).toEqual({
          seed,
          command,
          script,
          ...run(command, person),
        });
      }
    console.log(`${compared} compared, ${asked} would have been asked about`);
    expect(compared).toBe(wanted);
  },
  long ? 15 * 60_000 : 120_000,
);

test("ripgrep shows no secret that a project's file lets in again, and everything else", async () => {
  writeFileSync(join(project.root, ".ignore"), "!.env\n!.hidden\n");
  writeFileSync(join(project.root, ".env"), "alpha\n");
  const ripgrep = `hash -p '${await createRipgrepPath()()}' rg; `;
  const { stdout } = run(ripgrep + rebuiltOf("rg -l alpha"), context.environment);
  const found = stdout.split("\n");
  expect(run(`${ripgrep}rg -l alpha`, person).stdout.split("\n")).toContain(".env");
  expect(found).toContain(".hidden");
  expect(found).not.toContain(".env");
});
