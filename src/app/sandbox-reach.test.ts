import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { git } from "../../test/support/permission-project.ts";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { createPermissionContext } from "./permit.ts";
import { sandboxReach } from "./sandbox-reach.ts";

function contextIn(cwd: string, home: string, allow: readonly string[] = []) {
  return createPermissionContext({
    cwd,
    env: { HOME: home, PATH: process.env["PATH"] },
    permission: { mode: "ask", rules: [{ source: "command line", allow }], sandbox: "on" },
    trusted: false,
  });
}

test("what git obeys in the project besides .git can't be written", () => {
  using project = tempWorkspace({ "hooks/pre-commit": "true", "conf/git.inc": "" });
  using home = tempWorkspace();
  git(project.root, "init", "-q");
  expect(sandboxReach(contextIn(project.root, home.root)).unwritable).toEqual([]);
  git(project.root, "config", "core.hooksPath", "hooks");
  git(project.root, "config", "include.path", "../conf/git.inc");
  expect(sandboxReach(contextIn(project.root, home.root)).unwritable).toEqual(
    ["hooks", "conf/git.inc"].map((name) => project.path(name)),
  );
});

test("a rule for a cache opens no folder that programs obey, where the cache is a symlink to one", () => {
  using project = tempWorkspace({ x: "" });
  using home = tempWorkspace({ ".npm/x": "", ".cache/x": "", ".local/bin/x": "", "disk/pip/x": "" });
  symlinkSync(home.path(".local"), home.path(".npm/_cacache"));
  symlinkSync(home.path("disk/pip"), home.path(".cache/pip"));
  const context = contextIn(project.root, home.root, ["write(~/.npm/_cacache/**)", "write(~/.cache/pip/**)"]);
  const { writableFolders, caches } = sandboxReach(context);
  expect([writableFolders, caches]).toEqual([[home.path("disk/pip")], [home.path("disk/pip")]]);
});
