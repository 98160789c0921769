import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectIdOf, projectRoot } from "./project.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-project-")));
mkdirSync(join(root, "repository/.git"), { recursive: true });
mkdirSync(join(root, "repository/src/deep"), { recursive: true });
mkdirSync(join(root, "worktree/src"), { recursive: true });
writeFileSync(join(root, "worktree/.git"), "gitdir: elsewhere");
mkdirSync(join(root, "plain/inside"), { recursive: true });
symlinkSync(join(root, "repository/src"), join(root, "link"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a project is the real path of the git top level, and a worktree has its own", () => {
  expect(projectRoot(join(root, "repository/src/deep"))).toBe(join(root, "repository"));
  expect(projectRoot(join(root, "worktree/src"))).toBe(join(root, "worktree"));
  expect(projectRoot(join(root, "link/deep"))).toBe(join(root, "repository"));
});

test("without git a project is the folder itself, even if that is gone", () => {
  expect(projectRoot(join(root, "plain/inside"))).toBe(join(root, "plain/inside"));
  expect(projectRoot(join(root, "gone"))).toBe(join(root, "gone"));
});

test("a project's id is the first 16 digits of the path's sha256", () => {
  const path = join(root, "repository");
  expect(projectIdOf(path)).toBe(createHash("sha256").update(path).digest("hex").slice(0, 16));
});
