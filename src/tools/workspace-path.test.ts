// A path that is shown resolves to the same file again.
import { expect, test } from "bun:test";
import { homedir } from "node:os";
import type { Workspace } from "./ports.ts";
import { displayPath, resolveInWorkspace } from "./workspace-path.ts";

const workspace: Workspace = { root: "/project", cwd: () => "/project/src", setCwd: () => {} };

test.each([
  ["a.ts", "/project/src/a.ts"],
  ["../a.ts", "/project/a.ts"],
  ["/etc/hosts", "/etc/hosts"],
  ["~", homedir()],
  ["~/a", `${homedir()}/a`],
  ["~other", "/project/src/~other"],
  [".", "/project/src"],
])("%s is %s", (path, absolute) => {
  expect(resolveInWorkspace(workspace, path)).toBe(absolute);
});

test.each([
  ["/project/src/a.ts", "a.ts"],
  ["/project/src", "."],
  ["/project/a.ts", "../a.ts"],
  ["/project/src/..a", "..a"],
  ["/projects/a", "/projects/a"],
  ["/etc/hosts", "/etc/hosts"],
])("%s is shown as %s", (absolute, shown) => {
  expect(displayPath(workspace, absolute)).toBe(shown);
  expect(resolveInWorkspace(workspace, shown)).toBe(absolute);
});
