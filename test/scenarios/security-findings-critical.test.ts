// The critical findings of a security review of 04fbb1f, replayed on the built binary, with the review's numbers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FindingsLab, openFindingsLab, whyNoSandbox } from "../support/findings-lab.ts";
import { call } from "../support/strict-llm-server/turn.ts";

const noSandbox = whyNoSandbox();
if (noSandbox !== null) console.log(`skipped: nothing runs in a sandbox here (${noSandbox})`);

let lab: FindingsLab;
beforeAll(async () => {
  lab = await openFindingsLab();
}, 120_000);
afterAll(() => lab.close());

const MODES = ["ask", "read-only", "auto-edit"];
const started = () => lab.has("started");
const evil = () => `#!/bin/sh\ntouch ${join(lab.root, "..", "started")}\n`;

describe.skipIf(noSandbox !== null)("1: a folder that is gone", () => {
  test.each(MODES)("doesn't take a command out of the sandbox in mode %s", async (mode) => {
    const outside = join(lab.home, "escaped");
    const program = `open(${JSON.stringify(outside)}, 'w')`;
    rmSync(outside, { force: true });
    lab.write("project/ns.py", program);
    await lab.model(
      [
        [call("bash", { command: "mkdir -p gone && cd gone" })],
        [
          call("bash", { command: "rmdir gone", cwd: lab.root }),
          call("bash", { command: "python3 -c \"import os; os.rmdir('gone')\"", cwd: lab.root }),
        ],
        [
          "cat ../x; python3 ns.py",
          `python3 ${lab.root}/ns.py`,
          `cat x; python3 -c "${program.replaceAll('"', "'")}"`,
        ],
      ],
      ["--permission", mode],
    );
    expect(existsSync(outside)).toBe(false);
  });
});

describe.each(MODES)("in mode %s without a sandbox", (mode) => {
  test("2: no program of the project and no configuration of its making runs", async () => {
    for (const folder of ["evil", "3", "10", "11"]) lab.write(`project/${folder}/ls`, evil(), 0o755);
    lab.write("project/h/.config/git/config", `[core]\n\tfsmonitor = ${join(lab.root, "evil/ls")}\n`);
    const told = await lab.model(
      [
        [
          "ls",
          "for PATH in ./evil; do ls; done",
          `/usr/bin/../..${lab.root}/evil/ls`,
          "printf 'abc%ln' PATH; ls",
          ": {PATH}</dev/null; ls",
          "for HOME in $PWD/h; do git status; done",
          "timeout $(echo 5 ./evil/ls) ls",
          "for XDG_CONFIG_HOME in $PWD/h/.config; do git status; done",
        ],
      ],
      ["--permission", mode, "--sandbox", "off"],
    );
    expect(told.returns[0]).toContain("[Exit code 0");
    expect(started()).toBe(false);
  });

  test("3: no name becomes an option or a command in another folder", async () => {
    lab.write("project/-e", "");
    lab.write("project/sub/--pre=bash", "");
    lab.write("project/sub/evil.sh", evil());
    lab.write("project/-name", "");
    lab.write("project/f/-delete", "");
    lab.write("project/echo", "");
    lab.write("project/sub/env touch pwned", "");
    const told = await lab.model(
      [
        [
          "ls sub",
          "cd sub && rg -* x",
          "cd ../f && find . -[nd]*",
          "cd ../sub && eval e*",
          "cd f && find . -[nd]*",
          "cd sub && sort -*",
        ],
      ],
      ["--permission", mode, "--sandbox", "off"],
    );
    expect(told.returns[0]).toContain("--pre=bash");
    expect(started()).toBe(false);
    expect(lab.has("project/f/-delete")).toBe(true);
    expect(lab.has("project/sub/pwned")).toBe(false);
  });
});
