// Worktrees of real repositories: made, taken up again, brought up to date, and removed when they hold nothing.
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { NOT_STOPPED, worktreeLab } from "../../test/support/worktree-lab.ts";
import { removeWorktree, worktreeDiff } from "./worktree-end.ts";
import { discardUnfinished, enterWorktree } from "./worktree-making.ts";
import { freeWorktreeName } from "./worktree-name.ts";
import { isWorktreeName, noteWorktree, worktreeNames } from "./worktree-place.ts";
import { describeState, hasWork, worktreeState } from "./worktree-state.ts";
import { userOf } from "./worktree-turns.ts";

test("a worktree is outside the project, on a branch of its own, and nothing else of the repository changes", async () => {
  using lab = worktreeLab();
  lab.write(lab.root, "a.txt", "changed\n");
  lab.write(lab.root, "new.txt", "new\n");
  lab.git(lab.root, "add", "new.txt");
  const index = readFileSync(join(lab.root, ".git/index"));
  const { path, branch } = await lab.make("fix");
  expect(path.startsWith(join(lab.env["HOME"] ?? "", ".local/share/tunacode/worktrees/"))).toBe(true);
  expect(lab.git(path, "status", "--porcelain", "--branch")).toBe(`## ${branch}\n`);
  expect(lab.read(path, "a.txt")).toBe("one\n");
  expect(lab.git(lab.root, "status", "--porcelain")).toBe(" M a.txt\nA  new.txt\n");
  expect(readFileSync(join(lab.root, ".git/index")).equals(index)).toBe(true);
  expect(lab.git(lab.root, "branch", "--format=%(refname:short)")).toBe("main\ntunacode/fix\n");
});

test("a name that is there is taken up with all that is in it", async () => {
  using lab = worktreeLab();
  const first = await lab.make("fix");
  lab.write(first.path, "work.txt", "work\n");
  const second = await lab.make("fix");
  expect(second.path).toBe(first.path);
  expect(lab.read(second.path, "work.txt")).toBe("work\n");
});

test("what is not committed comes along, byte for byte and mode for mode", async () => {
  using lab = worktreeLab({
    "a.txt": "one\n",
    "gone/deep.txt": "x",
    "kept.txt": "kept",
    "becomes-folder": "x",
    "folder/x": "x",
    "becomes-link": "x",
    "link-becomes-folder/x": "x",
    ".gitignore": "ignored\n",
  });
  const { root } = lab;
  lab.write(root, "a.txt", "two\r\n");
  rmSync(join(root, "gone"), { recursive: true });
  rmSync(join(root, "becomes-folder"));
  lab.write(root, "becomes-folder/y", "y");
  rmSync(join(root, "folder"), { recursive: true });
  lab.write(root, "folder", "now a file");
  rmSync(join(root, "becomes-link"));
  symlinkSync("a.txt", join(root, "becomes-link"));
  lab.write(root, "deep/new folder/ü 'name'\n.txt", "odd");
  lab.write(root, "run.sh", "true");
  chmodSync(join(root, "run.sh"), 0o755);
  symlinkSync("/nowhere", join(root, "broken"));
  lab.write(root, "staged.txt", "staged");
  lab.git(root, "add", "staged.txt");
  lab.write(root, "ignored", "secret");
  mkdirSync(join(root, "nested"));
  lab.git(join(root, "nested"), "init", "-q");
  lab.write(root, "nested/x", "x");
  const before = lab.git(root, "status", "--porcelain", "-z");

  const { path } = await lab.make("fix", { withChanges: true });
  expect(lab.git(root, "status", "--porcelain", "-z")).toBe(before);
  for (const name of [
    "a.txt",
    "becomes-folder/y",
    "folder",
    "deep/new folder/ü 'name'\n.txt",
    "run.sh",
    "staged.txt",
  ])
    expect([name, lab.read(path, name)]).toEqual([name, lab.read(root, name)]);
  expect(lstatSync(join(path, "run.sh")).mode & 0o777).toBe(lstatSync(join(root, "run.sh")).mode & 0o777);
  expect(readlinkSync(join(path, "becomes-link"))).toBe("a.txt");
  expect(readlinkSync(join(path, "broken"))).toBe("/nowhere");
  for (const name of ["gone", "ignored", "nested"]) expect(existsSync(join(path, name))).toBe(false);
  expect(lab.read(path, "kept.txt")).toBe("kept");
});

test("a link that leads out of the worktree is replaced, not written through", async () => {
  using lab = worktreeLab({ "a.txt": "one\n" });
  const outside = join(dirname(lab.root), "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(lab.root, "folder"));
  lab.git(lab.root, "add", "folder");
  lab.git(lab.root, "commit", "-q", "-m", "link");
  rmSync(join(lab.root, "folder"));
  lab.write(lab.root, "folder/x", "x");
  const { path } = await lab.make("fix", { withChanges: true });
  expect(existsSync(join(outside, "x"))).toBe(false);
  expect(lab.read(path, "folder/x")).toBe("x");
});

test("an untrusted repository runs nothing when a worktree is made, looked at and removed", async () => {
  using lab = worktreeLab({ "a.txt": "one\n", ".gitattributes": "*.txt filter=evil\n" });
  const mark = join(dirname(lab.root), "ran");
  const evil = join(lab.root, ".git/hooks/evil");
  for (const hook of ["post-checkout", "reference-transaction", "pre-commit", "evil"])
    lab.write(lab.root, `.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${mark}\ncat\n`);
  for (const hook of ["post-checkout", "reference-transaction", "pre-commit", "evil"])
    chmodSync(join(lab.root, ".git/hooks", hook), 0o755);
  for (const key of ["filter.evil.clean", "filter.evil.smudge", "core.fsmonitor", "core.editor"])
    lab.git(lab.root, "config", key, evil);
  const worktree = await lab.make("fix");
  expect(lab.read(worktree.path, "a.txt")).toBe("one\n");
  const project = await lab.open();
  expect(await worktreeDiff(project, worktree)).toBe("");
  await removeWorktree(project, worktree);
  expect(existsSync(mark)).toBe(false);

  // In a trusted folder, a filter is part of a right checkout. Hooks are not.
  const trusted = await lab.open({ trusted: true });
  const { release } = await enterWorktree(trusted, "fix", { bring: [], signal: NOT_STOPPED });
  await release();
  expect(new Set(readFileSync(mark, "utf8").trim().split("\n"))).toEqual(new Set(["evil"]));
});

test("a repository that git may be told anything by is refused until it is trusted", async () => {
  using lab = worktreeLab();
  lab.git(lab.root, "config", "core.worktree", dirname(lab.root));
  await expect(lab.make("fix")).rejects.toThrow("sets core.worktree");
});

test.each(["kill", "damage"] as const)(
  "what a %s left of the making is cleaned up, and what was handed over is kept",
  async (what) => {
    using lab = worktreeLab();
    const worktree = await lab.make("fix");
    const project = await lab.open();
    lab.write(worktree.path, "work.txt", "work\n");
    if (what === "damage") writeFileSync(`${worktree.path}.json`, '{"base": "');
    else {
      await noteWorktree(project, worktree, false);
      rmSync(join(worktree.path, ".git"));
      lab.write(lab.root, ".git/worktrees/fix/locked", "initializing");
    }
    if (what === "kill") {
      await discardUnfinished(project);
      expect(lab.git(lab.root, "worktree", "list").trim().split("\n")).toHaveLength(1);
      expect(lab.git(lab.root, "branch")).toBe("* main\n");
    }
    const again = await lab.make("fix");
    expect(existsSync(join(again.path, "work.txt"))).toBe(what === "damage");
    expect(lab.git(again.path, "rev-parse", "--abbrev-ref", "HEAD")).toBe("tunacode/fix\n");
  },
);

test("a folder that was removed by hand is made again from its branch", async () => {
  using lab = worktreeLab();
  const { path } = await lab.make("fix");
  lab.write(path, "a.txt", "two\n");
  lab.git(path, "commit", "-q", "-am", "second");
  rmSync(path, { recursive: true });
  expect(lab.read((await lab.make("fix")).path, "a.txt")).toBe("two\n");
});

test("a branch that is checked out elsewhere is not taken", async () => {
  using lab = worktreeLab();
  lab.git(lab.root, "checkout", "-q", "-b", "tunacode/fix");
  await expect(lab.make("fix")).rejects.toThrow(`checked out in ${lab.root}`);
});

test("it needs a repository with a commit, and a detached HEAD is enough", async () => {
  using lab = worktreeLab();
  lab.git(lab.root, "checkout", "-q", "--detach");
  expect(existsSync((await lab.make("fix")).path)).toBe(true);
  const empty = join(dirname(lab.root), "empty");
  mkdirSync(empty);
  await expect(lab.open({ root: empty })).rejects.toThrow("not a git repository");
  lab.git(empty, "init", "-q");
  const project = await lab.open({ root: empty });
  const making = enterWorktree(project, "fix", { bring: [], signal: NOT_STOPPED });
  await expect(making).rejects.toThrow("no commit yet");
  await making.catch(() => {});
  expect(worktreeNames(project)).toEqual([]);
});

test("two at once get one worktree for one name, and two for two", async () => {
  using lab = worktreeLab();
  const [one, two, other] = await Promise.all([lab.make("fix"), lab.make("fix"), lab.make("other")]);
  expect(one.path).toBe(two.path);
  expect(worktreeNames(await lab.open())).toEqual(["fix", "other"]);
  expect(lab.git(other.path, "status", "--porcelain")).toBe("");
});

test("names are short, readable and safe in paths and branches", async () => {
  using lab = worktreeLab();
  const free = await freeWorktreeName(await lab.open());
  expect(free).toMatch(/^[a-z]+-[a-z]+$/);
  for (const name of [free, "fix", "Größe-2", "v1.2_x"])
    expect([name, isWorktreeName(name)]).toEqual([name, true]);
  for (const name of [
    "",
    ".",
    "..",
    "a..b",
    "a/b",
    "-x",
    "a b",
    "x.lock",
    "x.json",
    "x.",
    "a\nb",
    "x".repeat(61),
    "~",
  ])
    expect([name, isWorktreeName(name)]).toEqual([name, false]);
});

test("what is nowhere else keeps it: files, commits, a merge, a repository of its own", async () => {
  using lab = worktreeLab({ "a.txt": "one\n", ".gitignore": "ignored\n" });
  const worktree = await lab.make("fix");
  const { path } = worktree;
  const project = await lab.open();
  const state = async () => describeState(await worktreeState(project, worktree));
  expect(await state()).toBe("no changes");
  lab.write(path, "ignored", "x");
  expect(await state()).toBe("no changes");
  lab.write(path, "new.txt", "x");
  lab.write(path, "a.txt", "two\n");
  expect(await state()).toBe("2 uncommitted files");
  await expect(removeWorktree(project, worktree)).rejects.toThrow("has 2 uncommitted files. It is kept.");
  lab.git(path, "add", "--all");
  lab.git(path, "commit", "-q", "-m", "second");
  expect(await state()).toBe("1 commit that no other branch has");
  lab.git(path, "checkout", "-q", "--detach");
  expect(await state()).toBe("1 commit that no other branch has");
  lab.git(path, "branch", "elsewhere");
  expect(await state()).toBe("no changes");
  writeFileSync(join(lab.git(path, "rev-parse", "--absolute-git-dir").trim(), "MERGE_HEAD"), "");
  expect(await state()).toBe("a merge that is not finished");
  rmSync(join(lab.git(path, "rev-parse", "--absolute-git-dir").trim(), "MERGE_HEAD"));
  mkdirSync(join(path, "nested"));
  lab.git(join(path, "nested"), "init", "-q");
  lab.write(path, "nested/x", "x");
  expect(await state()).toBe("1 repository of its own");
  rmSync(join(path, "nested"), { recursive: true });
  expect(hasWork(await worktreeState(project, worktree))).toBe(false);
  await removeWorktree(project, worktree);
  expect(existsSync(path)).toBe(false);
  expect(existsSync(project.folder)).toBe(false);
  expect(lab.git(lab.root, "branch", "--format=%(refname:short)")).toBe("elsewhere\nmain\n");
  expect(lab.git(lab.root, "worktree", "list").trim().split("\n")).toHaveLength(1);
});

test("it is not removed while somebody works in it, but a killed process counts for nothing", async () => {
  using lab = worktreeLab();
  const project = await lab.open();
  const { worktree, release } = await enterWorktree(project, "fix", { bring: [], signal: NOT_STOPPED });
  expect(await userOf(project, "fix")).toBe(process.pid);
  await expect(removeWorktree(project, worktree, true)).rejects.toThrow(
    `Process ${process.pid} works in worktree fix`,
  );
  await release();
  const mark = JSON.stringify({ pid: 999_999_999, started: "1", host: "", boot: "", namespace: "" });
  const { hostname } = await import("node:os");
  writeFileSync(
    join(project.folder, "fix.users/killed"),
    mark.replace('"host":""', `"host":"${hostname()}"`),
  );
  expect(await userOf(project, "fix")).toBeNull();
  await removeWorktree(project, worktree);
});

test("one that git has forgotten is kept, and removed only on demand", async () => {
  using lab = worktreeLab();
  const worktree = await lab.make("fix");
  rmSync(join(lab.root, ".git/worktrees"), { recursive: true });
  const project = await lab.open();
  await expect(removeWorktree(project, worktree)).rejects.toThrow("git no longer knows it");
  await expect(lab.make("fix")).rejects.toThrow("git doesn't know it");
  await removeWorktree(project, worktree, true);
  expect(existsSync(worktree.path)).toBe(false);
});

test("the diff has what is committed and what isn't, and leaves the index alone", async () => {
  using lab = worktreeLab();
  const worktree = await lab.make("fix");
  const { path } = worktree;
  lab.write(path, "a.txt", "two\n");
  lab.git(path, "commit", "-q", "-am", "second");
  lab.write(path, "new.txt", "new\n");
  lab.write(lab.root, "elsewhere.txt", "x\n");
  lab.git(lab.root, "add", "elsewhere.txt");
  lab.git(lab.root, "commit", "-q", "-m", "meanwhile");
  const diff = await worktreeDiff(await lab.open(), worktree);
  expect(diff).toContain("-one\n+two\n");
  expect(diff).toContain("+++ b/new.txt\n");
  expect(diff).not.toContain("elsewhere");
  expect(lab.git(path, "status", "--porcelain")).toBe("?? new.txt\n");
});
