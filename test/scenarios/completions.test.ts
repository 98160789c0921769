// Asks each shell itself what it completes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND_NAMES } from "../../src/cli/commands.ts";
import { bashCompletions } from "../../src/cli/completions/bash.ts";
import { fishCompletions } from "../../src/cli/completions/fish.ts";
import { zshCompletions } from "../../src/cli/completions/zsh.ts";
import { FLAG_LIST } from "../../src/cli/flags.ts";

const CASES: [line: string, offered: readonly string[]][] = [
  ["", COMMAND_NAMES],
  ["ru", ["run"]],
  ["run --out", ["--output", "--output-json", "--output-schema"]],
  ["run --output ", ["text", "json", "stream-json"]],
  ["run --permission r", ["read-only"]],
  ["--permission r", ["read-only"]],
  ["config s", ["show", "schema"]],
  ["completions ", ["bash", "zsh", "fish"]],
  ["help comp", ["completions"]],
  ["permit --a", ["--add-dir", "--allow", "--ask"]],
  ["run --add-dir a", ["a folder"]],
  ["run --cwd a", ["a folder"]],
  ["run --file a", ["a file", "a folder"]],
  ["run --model ", []],
  ["demo --", ["--help"]],
  ["run --work", ["--worktree"]],
  ["worktrees m", ["merge"]],
];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tunacode-completions-"));
  mkdirSync(join(folder, "a folder"));
  writeFileSync(join(folder, "a file"), "");
  writeFileSync(join(folder, "bash"), bashCompletions());
  writeFileSync(join(folder, "fish"), fishCompletions());
  writeFileSync(join(folder, "_tunacode"), zshCompletions());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("bash", () => {
  for (const [line, offered] of CASES)
    test(`tunacode ${line}<Tab>`, () => {
      const words = ["tunacode", ...line.split(" ")];
      const script = `. ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tunacode; printf "%s\\n" "\${COMPREPLY[@]}"`;
      expect(linesOf("bash", ["-c", script, "bash", ...words])).toEqual([...offered].sort());
    });

  test("a value after = is completed, although bash splits the word there", () => {
    const script = `. ./bash; COMP_WORDS=(tunacode run --output = j); COMP_CWORD=4; _tunacode; echo "\${COMPREPLY[@]}"`;
    expect(linesOf("bash", ["-c", script])).toEqual(["json"]);
  });
});

describe.skipIf(isMissing("fish"))("fish", () => {
  for (const [line, offered] of CASES)
    test(`tunacode ${line}<Tab>`, () => {
      const script = `source ./fish; complete -C 'tunacode ${line}'`;
      const lines = linesOf("fish", ["--no-config", "-c", script]).map((text) => text.split("\t")[0] ?? "");
      expect(lines.map((text) => text.replace(/\/$/, "").replaceAll("\\ ", " "))).toEqual(
        [...offered].sort(),
      );
    });
});

describe.skipIf(isMissing("zsh"))("zsh", () => {
  test("accepts the script", () => {
    const { status, stderr } = spawnSync("zsh", ["-f", "-n", "_tunacode"], { cwd: folder, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

test("every flag and every command is in every script", () => {
  for (const script of [bashCompletions(), fishCompletions(), zshCompletions()]) {
    for (const [name] of FLAG_LIST) expect(script).toMatch(new RegExp(`(?:--|-l )${name}\\b`));
    for (const name of COMMAND_NAMES) expect(script).toContain(name);
  }
});

function linesOf(shell: string, args: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(shell, args, { cwd: folder, encoding: "utf8", timeout: 20_000 });
  expect(stderr).toBe("");
  return stdout.split("\n").filter(Boolean).sort();
}

function isMissing(shell: string): boolean {
  const missing = spawnSync(shell, ["--version"]).error !== undefined;
  if (missing) console.log(`skipped: there is no ${shell} here`);
  return missing;
}
