// Every key that git documents, set by a repository to a program, a secret file or a pipe: whatever git may be run
// unasked then starts no program of it, writes nothing and reads nothing from elsewhere.
import { afterAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createPermissionContext } from "../../src/app/permit.ts";
import { decide } from "../../src/permission/decide.ts";
import { git } from "../support/permission-project.ts";
import { misdeedsOf, type TracedRun, whyNotTraced } from "../support/traced-commands.ts";

const long = process.env["TUNACODE_LONG"] === "1";
const whyNot = whyNotTraced();
if (whyNot !== null) console.log(`skipped: commands can't be traced here (${whyNot})`);

const COMMANDS = [
  "status",
  "status -v",
  "diff",
  "diff HEAD --stat",
  "log -p -1",
  "log --format='%an %s' --decorate",
  "show HEAD:a.txt",
  "blame a.txt",
  "grep alpha",
  "ls-files -m",
  "stash list",
  "stash show -p",
  "branch -a -v",
  "tag -l",
  "describe --always",
  "shortlog -s HEAD",
  "reflog",
  "cat-file -p HEAD",
  "for-each-ref",
  "remote -v",
  "worktree list",
  "check-ignore -v a.txt",
  "rev-list --objects HEAD",
];

const base = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-keys-")));
// In the long mode there are thousands of repositories to remove.
afterAll(() => rmSync(base, { recursive: true, force: true }), 120_000);
const root = join(base, "project");
const evil = join(base, "CANARY-program");

function prepare(): void {
  writeFileSync(evil, `#!/bin/sh\necho x >> ${base}/CANARY-started\n`);
  chmodSync(evil, 0o755);
  writeFileSync(join(base, "CANARY-secret"), "a secret\n");
  const model = join(base, "model");
  mkdirSync(model);
  git(model, "init", "-q", "-b", "main");
  writeFileSync(join(model, ".gitattributes"), "* filter=x diff=x merge=x\n");
  writeFileSync(join(model, "a.txt"), "alpha\n");
  git(model, "add", ".");
  git(model, "commit", "-q", "-m", "first");
  writeFileSync(join(model, "a.txt"), "alpha stashed\n");
  git(model, "stash");
  writeFileSync(join(model, "a.txt"), "alpha changed\n");
  execFileSync("mkfifo", [join(base, "CANARY-pipe")]);
}

/** `filter.<driver>.clean` as the lines of a configuration. */
function lines(key: string, value: string): string {
  const [section = "", ...rest] = key.replace(/<[^>]*>|\*/g, "x").split(".");
  const name = rest.pop() ?? "";
  return `[${section}${rest.length === 0 ? "" : ` "${rest.join(".")}"`}]\n\t${name} = "${value}"\n`;
}

describe.skipIf(whyNot !== null)("keys of a repository", () => {
  test(
    "start nothing and show nothing from elsewhere",
    () => {
      prepare();
      const documented = execFileSync("git", ["help", "--config"], { encoding: "utf8" }).split("\n");
      const keys = documented.filter((line) => /^[a-z]+\.\S+$/i.test(line));
      expect(keys.length).toBeGreaterThan(400);
      const values = [evil, `!${evil}`, join(base, "CANARY-secret"), join(base, "CANARY-pipe"), "true"];
      const cases = keys.flatMap((key) => values.map((value) => ({ key, value })));
      const chosen = long ? cases : fc.sample(fc.constantFrom(...cases), { numRuns: 60, seed: 3 });
      const home = join(base, "home");
      const context = createPermissionContext({
        permission: { mode: "ask", rules: [], sandbox: "off" },
        cwd: root,
        trusted: false,
        env: { HOME: home, PATH: "/usr/bin:/bin" },
      });
      const runs: TracedRun[] = [];
      let asked = 0;
      for (const [index, { key, value }] of chosen.entries()) {
        const folder = join(root, String(index));
        cpSync(join(base, "model"), folder, { recursive: true, preserveTimestamps: true });
        appendFileSync(join(folder, ".git/config"), lines(key, value));
        const commands = long
          ? COMMANDS.slice(0, 12)
          : fc.sample(fc.constantFrom(...COMMANDS), { numRuns: 3, seed: index });
        for (const command of commands) {
          const demand = { type: "shell", command: `git ${command}`, folder, env: {} } as const;
          const { decision, rebuilt } = decide({ toolName: "bash", demands: [demand] }, context);
          if (decision !== "allow" || rebuilt === undefined) {
            asked++;
            break;
          }
          runs.push({ command: `${key}=${value}: git ${command}`, script: `cd ${folder} && ${rebuilt}` });
        }
      }
      console.log(`${chosen.length} settings: ${asked} asked about, ${runs.length} commands run`);
      expect(runs.length).toBeGreaterThan(20);
      expect(misdeedsOf(runs, root, context.environment).slice(0, 20)).toEqual([]);
    },
    long ? 60 * 60_000 : 60_000,
  );
});
