import { expect, test } from "bun:test";
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { sandboxMounts } from "./sandbox-mounts.ts";
import type { SandboxReach } from "./sandboxed-command.ts";

const NOTHING_OURS = { programs: [], private: [] };

function reachOf(root: string, home: string, more: Partial<SandboxReach> = {}): SandboxReach {
  const none = { writableFolders: [], allowedHosts: [], deniedHosts: [], unreadable: [], unwritable: [] };
  return { root, home, ...none, ...more };
}

test("guards what exists in the project, in further folders and at home", async () => {
  using project = tempWorkspace({ ".git/config": "", "a/.env": "", "a/secret.txt": "", "gen/x": "" });
  using other = tempWorkspace({ ".vscode/x": "" });
  using home = tempWorkspace({ ".ssh/id": "", ".netrc": "", "own/x": "" });
  const { writable, readOnly, hidden, watched, gap } = await sandboxMounts(
    reachOf(project.root, home.root, {
      writableFolders: [other.root, home.path(".ssh")],
      unreadable: [project.path("a/secret.txt"), project.path("a/missing")],
      unwritable: [project.path("gen"), "/usr"],
    }),
    { programs: [project.path("gen/x")], private: [home.path("own")] },
  );
  expect(writable).toEqual([project.root, other.root]);
  expect([...readOnly].sort()).toEqual(
    [project.path(".git"), project.path("gen"), other.path(".vscode")].sort(),
  );
  expect([...hidden].sort()).toEqual(
    [
      project.path("a/.env"),
      project.path("a/secret.txt"),
      home.path(".ssh"),
      home.path(".netrc"),
      home.path("own"),
    ].sort(),
  );
  expect(watched).toContain(other.root);
  expect(gap).toBeNull();
});

test("says where it can't hold a command", async () => {
  using home = tempWorkspace({ ".config/project/x": "", "p/x": "", "linked/.npmrc": "", "many/x": "" });
  linkSync(home.path("linked/.npmrc"), home.path("linked/second"));
  for (let index = 0; index < 250; index++) home.write(`many/${index}/.envrc`, "");
  const gapIn = async (name: string, more: Partial<SandboxReach> = {}) =>
    (await sandboxMounts(reachOf(home.path(name), home.root, more), NOTHING_OURS)).gap;
  expect(await gapIn("p")).toBeNull();
  expect(await gapIn(".config/project")).toContain("may not write or read");
  expect(await gapIn("p", { unreadable: [home.root] })).toContain("may not write or read");
  expect(await gapIn("linked")).toContain("second name");
  expect(await gapIn("many")).toContain("too many files that must be guarded");
});

test("of the folder with our sessions, a worktree that we made there is open", async () => {
  using home = tempWorkspace({
    ".local/share/tunacode/sessions/x": "",
    ".local/share/tunacode/worktrees/0123456789abcdef/fix/.git": "gitdir: /main/.git/worktrees/fix",
    ".local/share/tunacode/worktrees/0123456789abcdef/fix/.env": "",
  });
  const data = home.path(".local/share/tunacode");
  const root = join(data, "worktrees/0123456789abcdef/fix");
  const own = { programs: [], private: [data] };
  const mounts = await sandboxMounts(
    reachOf(root, home.root, { writableFolders: [join(data, "sessions")] }),
    own,
  );
  const { writable, readOnly, hidden, around, gap } = mounts;
  expect({ writable, readOnly, hidden, around, gap }).toEqual({
    writable: [root],
    readOnly: [join(root, ".git")],
    hidden: [join(root, ".env")],
    around: [data],
    gap: null,
  });
  const inside = await sandboxMounts(reachOf(join(data, "sessions"), home.root), own);
  expect(inside.gap).toContain("may not write or read");
});

test("packages in a known cache are not guarded, but what a rule forbids there is", async () => {
  using project = tempWorkspace({ x: "" });
  using home = tempWorkspace({ "go/pkg/mod/secret/x": "", ".ssh/id": "" });
  for (let index = 0; index < 410; index++) home.write(`go/pkg/mod/m${index}/.github/ci.yml`, "");
  const cache = home.path("go/pkg/mod");
  const forbidden = home.path("go/pkg/mod/secret");
  const { writable, readOnly, hidden, watched, gap } = await sandboxMounts(
    reachOf(project.root, home.root, { writableFolders: [cache], caches: [cache], unreadable: [forbidden] }),
    NOTHING_OURS,
  );
  expect([writable, readOnly, watched, gap]).toEqual([[project.root, cache], [], [project.root], null]);
  expect([...hidden].sort()).toEqual([home.path(".ssh"), forbidden].sort());
});

test("a project with folders that programs obey for their place is not held", async () => {
  using home = tempWorkspace({ "work/x": "" });
  const gapIn = async (root: string, more: Partial<SandboxReach> = {}) =>
    (await sandboxMounts(reachOf(root, home.root, more), NOTHING_OURS)).gap;
  // Whether there is a .config by now or not: it could be made.
  expect(await gapIn(home.root)).toContain(home.path(".config"));
  expect(await gapIn(dirname(home.path("work")))).toContain(home.path(".config"));
  home.write(".local/x", "");
  expect(await gapIn(home.path(".local"))).toContain(home.path(".local/bin"));
  expect(await gapIn("/etc/ssl")).toContain("/etc");
  expect(await gapIn(home.path("work"), { addedFolders: [home.path(".local")] })).toContain(".local/bin");
  expect(await gapIn(home.path("work"))).toBeNull();
});

test.skipIf(process.platform === "darwin")("a folder whose name is not UTF-8 can't be guarded", async () => {
  using project = tempWorkspace({ "a/x": "" });
  using home = tempWorkspace();
  const gap = async () => (await sandboxMounts(reachOf(project.root, home.root), NOTHING_OURS)).gap;
  writeFileSync(Buffer.concat([Buffer.from(project.path("a/file")), Buffer.of(0xff)]), "");
  expect(await gap()).toBeNull();
  mkdirSync(Buffer.concat([Buffer.from(project.path("a/folder")), Buffer.of(0xff)]));
  expect(await gap()).toContain("not UTF-8");
});
