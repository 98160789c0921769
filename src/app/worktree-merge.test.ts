// A merge loses nothing of the tree that it goes into: what stands in the way is found first, and a conflict touches
// nothing.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type WorktreeLab, worktreeLab } from "../../test/support/worktree-lab.ts";
import { mergeWorktree } from "./worktree-merge.ts";
import type { Worktree } from "./worktree-place.ts";

const FILES = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", ".gitignore": "ignored*\n" };

/** Everything of the main tree that a merge could change. */
function wholeOf(lab: WorktreeLab): string {
  const listed = lab.git(lab.root, "ls-files", "--others", "--cached", "-z").split("\0").filter(Boolean);
  const files = listed.map(
    (name) => `${name}: ${existsSync(join(lab.root, name)) && lab.read(lab.root, name)}`,
  );
  const state = [
    ["status", "--porcelain"],
    ["rev-parse", "HEAD", "main"],
    ["stash", "list"],
  ];
  return [...files, ...state.map((args) => lab.git(lab.root, ...args))].join("\n");
}

async function merge(lab: WorktreeLab, worktree: Worktree, mayCommit = true): Promise<string> {
  return mergeWorktree(await lab.open(), worktree, mayCommit);
}

test("uncommitted and committed work is merged, beside changes that it doesn't touch", async () => {
  using lab = worktreeLab(FILES);
  const worktree = await lab.make("fix");
  lab.write(worktree.path, "a.txt", "one\nTWO\nthree\n");
  lab.git(worktree.path, "commit", "-q", "-am", "second");
  lab.write(worktree.path, "new/x.txt", "new\n");
  lab.write(lab.root, "b.txt", "not committed\n");
  lab.write(lab.root, "own.txt", "untracked\n");
  await expect(merge(lab, worktree, false)).rejects.toThrow("work that is not committed");
  expect(await merge(lab, worktree)).toBe(`Worktree fix is merged into main in ${lab.root}.`);
  expect(lab.read(lab.root, "a.txt")).toBe("one\nTWO\nthree\n");
  expect(lab.read(lab.root, "new/x.txt")).toBe("new\n");
  expect(lab.git(lab.root, "status", "--porcelain")).toBe(" M b.txt\n?? own.txt\n");
  expect(lab.git(lab.root, "log", "-1", "--format=%an %s")).toBe("Somebody Work in worktree fix\n");
});

test("with other commits on both sides it is a merge of both", async () => {
  using lab = worktreeLab(FILES);
  const worktree = await lab.make("fix");
  lab.write(worktree.path, "a.txt", "ONE\ntwo\nthree\n");
  lab.write(lab.root, "a.txt", "one\ntwo\nTHREE\n");
  lab.git(lab.root, "commit", "-q", "-am", "meanwhile");
  await merge(lab, worktree);
  expect(lab.read(lab.root, "a.txt")).toBe("ONE\ntwo\nTHREE\n");
  expect(lab.git(lab.root, "log", "-1", "--format=%s")).toBe("Merge worktree fix\n");
});

type Trouble = readonly [name: string, prepare: (lab: WorktreeLab, path: string) => void, says: string];

const TROUBLES: readonly Trouble[] = [
  [
    "a conflict",
    (lab) => {
      lab.write(lab.root, "a.txt", "one\nother\nthree\n");
      lab.git(lab.root, "commit", "-q", "-am", "meanwhile");
      lab.write(lab.root, "own.txt", "untracked\n");
    },
    "conflicts in a.txt",
  ],
  ["a changed file", (lab) => lab.write(lab.root, "a.txt", "mine\n"), "a.txt would be overwritten"],
  [
    "a staged file",
    (lab) => {
      lab.write(lab.root, "a.txt", "mine\n");
      lab.git(lab.root, "add", "a.txt");
    },
    "a.txt would be overwritten",
  ],
  ["an untracked file", (lab) => lab.write(lab.root, "new.txt", "mine\n"), "new.txt would be overwritten"],
  [
    "an ignored file",
    (lab, path) => {
      lab.write(path, "ignored.txt", "x");
      lab.git(path, "add", "-f", "ignored.txt");
      lab.write(lab.root, "ignored.txt", "mine\n");
    },
    "ignored.txt would be overwritten",
  ],
  [
    "an ignored file in place of a folder",
    (lab, path) => {
      lab.write(path, "ignored/x", "x");
      lab.git(path, "add", "-f", "ignored/x");
      lab.write(lab.root, "ignored", "mine\n");
    },
    "ignored/x would be overwritten",
  ],
  [
    "an ignored folder in place of a file",
    (lab, path) => {
      lab.write(path, "ignored", "x");
      lab.git(path, "add", "-f", "ignored");
      lab.write(lab.root, "ignored/x", "mine\n");
    },
    "ignored would be overwritten",
  ],
  [
    "a file that git was told not to look at",
    (lab) => {
      lab.git(lab.root, "update-index", "--assume-unchanged", "a.txt");
      lab.write(lab.root, "a.txt", "mine\n");
    },
    "a.txt would be overwritten",
  ],
  ["a removed file", (lab) => rmSync(join(lab.root, "a.txt")), "a.txt would be overwritten"],
  [
    "a merge in the middle",
    (lab) => writeFileSync(join(lab.root, ".git/MERGE_HEAD"), `${lab.git(lab.root, "rev-parse", "HEAD")}`),
    "in the middle of a merge",
  ],
  ["a detached HEAD", (lab) => lab.git(lab.root, "checkout", "-q", "--detach"), "on no branch"],
  [
    "a nested repository",
    (lab, path) => {
      lab.write(path, "nested/x", "x");
      lab.git(join(path, "nested"), "init", "-q");
    },
    "nested/ in worktree fix is a repository of its own",
  ],
  [
    "nobody who commits",
    (lab) => writeFileSync(join(lab.env["HOME"] ?? "", ".gitconfig"), ""),
    "doesn't know who commits",
  ],
  ["a file in the way of git itself", (lab) => lab.write(lab.root, ".git/index.lock", ""), "index.lock"],
];

/** What git itself would overwrite without a word is always tried; of the rest, a part. */
const TRIED = TROUBLES.filter(
  ([name], at) => process.env["TUNACODE_LONG"] === "1" || at % 3 === 0 || /ignored|conflict/.test(name),
);

test.each(TRIED)("%s: nothing is merged and nothing is lost", async (_, prepare, says) => {
  using lab = worktreeLab(FILES);
  const worktree = await lab.make("fix");
  lab.write(worktree.path, "a.txt", "one\nTWO\nthree\n");
  lab.write(worktree.path, "new.txt", "new\n");
  prepare(lab, worktree.path);
  const before = wholeOf(lab);
  const work = lab.read(worktree.path, "a.txt");
  await expect(merge(lab, worktree)).rejects.toThrow(says);
  expect(wholeOf(lab)).toBe(before);
  expect(lab.read(worktree.path, "a.txt")).toBe(work);
});

test("an untrusted repository's own merge driver doesn't run, and doesn't drop a side", async () => {
  using lab = worktreeLab({ ...FILES, ".gitattributes": "a.txt merge=evil\n" });
  const mark = join(dirname(lab.root), "ran");
  lab.write(dirname(lab.root), "driver", `#!/bin/sh\ntouch ${mark}\nexit 0\n`);
  chmodSync(join(dirname(lab.root), "driver"), 0o755);
  lab.git(lab.root, "config", "merge.evil.driver", join(dirname(lab.root), "driver"));
  const worktree = await lab.make("fix");
  lab.write(worktree.path, "a.txt", "ONE\ntwo\nthree\n");
  lab.write(lab.root, "a.txt", "one\ntwo\nTHREE\n");
  lab.git(lab.root, "commit", "-q", "-am", "meanwhile");
  await expect(merge(lab, worktree)).rejects.toThrow("conflicts in a.txt");
  expect(existsSync(mark)).toBe(false);
  expect(lab.read(lab.root, "a.txt")).toBe("one\ntwo\nTHREE\n");
});
