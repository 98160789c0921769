import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { git } from "../../test/support/permission-project.ts";
import { madeFrom, mainTreeOf, projectIdOf, projectIdsOf, projectRoot, projectWorktrees } from "./project.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-project-")));
const at = (path: string) => join(root, path);
const write = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
const id = (path: string) => createHash("sha256").update(at(path)).digest("hex").slice(0, 16);
mkdirSync(at("repository/.git"), { recursive: true });
mkdirSync(at("repository/src/deep"), { recursive: true });
write("worktree/.git", "gitdir: elsewhere");
mkdirSync(at("worktree/src"));
mkdirSync(at("plain/inside"), { recursive: true });
symlinkSync(at("repository/src"), at("link"));
mkdirSync(at("main"));
git(at("main"), "init", "-q");
git(at("main"), "commit", "-q", "--allow-empty", "-m", "first");
git(at("main"), "worktree", "add", "-q", "../second");
mkdirSync(at("second/src"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a project's root is the real path of the git top level, and a worktree has its own", () => {
  expect(projectRoot(at("repository/src/deep"))).toBe(at("repository"));
  expect(projectRoot(at("worktree/src"))).toBe(at("worktree"));
  expect(projectRoot(at("link/deep"))).toBe(at("repository"));
});

test("without git a project is the folder itself, even if that is gone", () => {
  expect(projectRoot(at("plain/inside"))).toBe(at("plain/inside"));
  expect(projectRoot(at("gone"))).toBe(at("gone"));
});

test("a project's id is the first 16 digits of the path's sha256", () => {
  expect(projectIdOf(at("repository"))).toBe(id("repository"));
});

test("a worktree has the id of its main tree, and sessions under its own id are still found from both", () => {
  expect(projectIdOf(at("second/src"))).toBe(id("main"));
  expect(projectIdsOf(at("second/src"))).toEqual([id("main"), id("second")]);
  expect(projectIdsOf(at("main"))).toEqual([id("main"), id("second")]);
  expect(projectIdsOf(at("plain"))).toEqual([id("plain")]);
});

test("the worktrees of a bare repository belong to that", () => {
  git(root, "clone", "-q", "--bare", "main", "bare.git");
  git(at("bare.git"), "worktree", "add", "-q", "../of-bare");
  expect(mainTreeOf(at("of-bare"))).toBe(at("bare.git"));
  expect(projectIdsOf(at("of-bare"))).toEqual([id("bare.git"), id("of-bare")]);
});

test("a worktree of a submodule belongs to that, not to the repository above", () => {
  mkdirSync(at("above"));
  git(at("above"), "init", "-q");
  git(at("above"), "-c", "protocol.file.allow=always", "submodule", "add", "-q", at("main"), "sub");
  git(at("above/sub"), "worktree", "add", "-q", at("of-sub"));
  expect(projectIdOf(at("of-sub"))).toBe(id("above/sub"));
  expect(projectIdOf(at("above/sub"))).toBe(id("above/sub"));
});

test("no folder can claim the sessions of another project", () => {
  const entry = at("main/.git/worktrees/second");
  // It names the entry of another worktree, which doesn't name it.
  write("claims/.git", `gitdir: ${entry}\n`);
  // It brings a repository that says all it likes about itself.
  write("brings/.git", `gitdir: ${at("brings/fake/worktrees/x")}\n`);
  write("brings/fake/worktrees/x/commondir", "../..\n");
  write("brings/fake/worktrees/x/gitdir", `${at("brings/.git")}\n`);
  write("brings/fake/config", `[core]\n\tworktree = ${at("main")}\n`);
  // It names the folder of the other repository as what is shared.
  write("shares/.git", `gitdir: ${at("shares/fake/worktrees/x")}\n`);
  write("shares/fake/worktrees/x/commondir", `${at("main/.git")}\n`);
  write("shares/fake/worktrees/x/gitdir", `${at("shares/.git")}\n`);
  for (const name of ["claims", "brings", "shares"]) expect(projectIdOf(at(name))).toBe(id(name));
  // A repository that lists another project as its worktree doesn't get that one's sessions.
  write("lists/.git/worktrees/x/gitdir", `${at("main/.git")}\n`);
  write("lists/.git/worktrees/y/gitdir", `${at("second/.git")}\n`);
  expect(projectIdsOf(at("lists"))).toEqual([id("lists")]);
});

test("what can't be read is no worktree, and keeps nobody waiting", () => {
  mkdirSync(at("pipe"));
  Bun.spawnSync(["mkfifo", at("pipe/.git")]);
  expect(mainTreeOf(at("pipe"))).toBe(at("pipe"));
});

test("only what this program made is trusted like its main tree", () => {
  const env = { XDG_DATA_HOME: at("data") };
  const path = join(projectWorktrees(env, at("main")), "fix");
  git(at("main"), "worktree", "add", "-q", path);
  expect(madeFrom(env, path)).toBe(at("main"));
  expect(madeFrom(env, at("second"))).toBeUndefined();
  expect(madeFrom(env, at("main"))).toBeUndefined();
  expect(madeFrom({ XDG_DATA_HOME: at("elsewhere") }, path)).toBeUndefined();
});
