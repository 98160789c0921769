import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import { git } from "../../test/support/permission-project.ts";
import { createDiskView } from "./disk.ts";
import { gitDanger } from "./git-repository.ts";

const ORDINARY = `[core]
\trepositoryformatversion = 0
\tfilemode = true
[remote "origin"]
\turl = https://example.com/x.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
[user]
\tname = A ; comment
`;

function danger(config: string, more: Record<string, string> = {}, folder = "/p"): string | null {
  const files = { "/p/.git/HEAD": "ref: x", "/p/.git/config": config, "/p/src/a": "", ...more };
  return gitDanger(folder, "/p", true, fakeDisk(files));
}

describe("a repository is harmless", () => {
  test.each<[string, string, Record<string, string>?]>([
    ["with ordinary settings", ORDINARY],
    ["with fsmonitor switched off", "[core]\n\tfsmonitor = false\n"],
    [
      "with hooks that don't run when looking",
      "[core]\n\thooksPath = .husky\n",
      { "/p/.husky/pre-commit": "x" },
    ],
    ["with aliases, which can't replace a command", "[alias]\n\tstatus = !touch /tmp/x\n"],
  ])("%s", (...[, config, more]) => {
    expect(danger(config, more)).toBeNull();
  });

  test("from a folder inside it, and outside any repository", () => {
    expect(danger(ORDINARY, {}, "/p/src")).toBeNull();
    expect(gitDanger("/q", "/q", true, fakeDisk({}))).toBeNull();
  });
});

describe("a repository may run something", () => {
  test.each<[string, string, Record<string, string>?, string?]>([
    ["a file system monitor", "[core]\n\tfsmonitor = ./x\n"],
    ["the same, after its section on one line", "[core] fsmonitor = ./x\n"],
    ["the same, in capitals", "[CORE]\n\tFSMonitor = ./x\n"],
    ["an external diff", "[diff]\n\texternal = ./x\n"],
    ["a text conversion", '[diff "x"]\n\ttextconv = ./x\n'],
    ["a filter", '[filter "x"]\n\tclean = ./x\n'],
    ["another file of settings", "[include]\n\tpath = ../x\n"],
    ["a pager", "[core]\n\tpager = ./x\n"],
    ["a signature program", "[gpg]\n\tprogram = ./x\n"],
    ["a partial clone, which fetches", '[remote "o"]\n\tpromisor = true\n'],
    ["another work tree", "[core]\n\tworktree = /\n"],
    ["a line that goes on", "[user]\n\tname = a\\\n"],
    ["a line that is nothing", "[core]\n\t= x\n"],
    ["a hook that runs when looking", ORDINARY, { "/p/.git/hooks/post-index-change": "x" }],
    ["such a hook elsewhere", "[core]\n\thooksPath = h\n", { "/p/h/post-index-change": "x" }],
    ["settings of a work tree", ORDINARY, { "/p/.git/config.worktree": "[core]\nfsmonitor = x\n" }],
    ["a bare repository below", ORDINARY, { "/p/b/HEAD": "", "/p/b/config": "" }, "/p/b"],
    [
      "a pointer to a folder",
      ORDINARY,
      { "/p/s/.git": "gitdir: ../g\n", "/p/g/HEAD": "", "/p/g/config": "[core]\nfsmonitor=x" },
      "/p/s",
    ],
  ])("%s", (...[, config, more, folder]) => {
    expect(danger(config, more, folder)).toBeString();
  });
});

describe("submodules", () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-submodule-")));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  const disk = createDiskView("/usr/bin:/bin");

  test("are found in a real index, because git would follow their configuration", () => {
    git(base, "init", "-q", "outer");
    git(base, "init", "-q", "outer/inner");
    const outer = join(base, "outer");
    git(join(outer, "inner"), "commit", "-q", "--allow-empty", "-m", "x");
    expect(gitDanger(outer, outer, true, disk)).toBeNull();
    git(outer, "add", "inner");
    expect(gitDanger(outer, outer, true, disk)).toContain("submodules");
    expect(gitDanger(outer, outer, false, disk)).toBeNull();
  });
});
