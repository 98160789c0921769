import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { worktreeLab } from "../../test/support/worktree-lab.ts";
import type { MachineCheck } from "./machine-checks.ts";
import { checkWorktrees } from "./worktree-checks.ts";

test("a worktree whose folder, branch or repository is gone is told with what to do", async () => {
  using lab = worktreeLab();
  const checks = async () => {
    const found: MachineCheck[] = [];
    for await (const check of checkWorktrees(lab.env)) found.push(check);
    return found.map(({ status, message }) => `${status} ${message}`);
  };
  expect(await checks()).toEqual([]);
  const gone = await lab.make("gone");
  const branchless = await lab.make("branchless");
  const unknown = await lab.make("unknown");
  await lab.make("whole");
  expect(await checks()).toEqual([expect.stringMatching(/^ok 4 worktrees in /)]);
  rmSync(gone.path, { recursive: true });
  lab.git(lab.root, "update-ref", "-d", `refs/heads/${branchless.branch}`);
  writeFileSync(join(unknown.path, ".git"), "gitdir: /nowhere\n");
  expect((await checks()).toSorted()).toEqual([
    expect.stringMatching(/^ok 1 worktree in /),
    `warning branchless in ${lab.root}: its branch tunacode/branchless is gone.`,
    `warning gone in ${lab.root}: its folder ${gone.path} is gone.`,
    `warning unknown: git no longer knows ${unknown.path}.`,
  ]);
});
