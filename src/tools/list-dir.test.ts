import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { boundTool } from "../../test/support/bound-tool.ts";
import { runTool } from "../../test/support/run-tool.ts";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { listDir } from "./list-dir.ts";
import { createRipgrepPath } from "./ripgrep.ts";

const ripgrepPath = createRipgrepPath();

function project(...names: string[]) {
  const workspace = tempWorkspace(Object.fromEntries(names.map((name) => [name, "x"])));
  const tool = boundTool(listDir, { workspace, ripgrepPath });
  const list = async (directory?: string) =>
    (await runTool(tool, directory === undefined ? {} : { directory })).text;
  return { workspace, list, [Symbol.dispose]: workspace[Symbol.dispose] };
}

const many = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/f${index}`);

test("folders come first, ignored entries are marked or left out, symlinks are shown", async () => {
  using set = project("b.txt", "a/c/d.txt", "node_modules/x/y.js", "debug.log", ".env", ".git/config");
  set.workspace.write(".gitignore", "node_modules\n*.log\n");
  mkdirSync(set.workspace.path("empty"));
  symlinkSync("b.txt", set.workspace.path("link"));
  symlinkSync("..", set.workspace.path("a", "loop"));
  expect(await set.list()).toBe(
    [
      "./",
      "  a/",
      "    c/",
      "      d.txt",
      "    loop -> ..",
      "  empty/ (ignored or empty)",
      "  node_modules/ (ignored or empty)",
      "  .env",
      "  .gitignore",
      "  b.txt",
      "  link -> b.txt",
    ].join("\n"),
  );
});

test("upper levels are shown before deeper ones, and what doesn't fit is counted", async () => {
  using set = project(...many("large/deep", 300), ...many("small/deep", 3), "large/a.txt");
  const text = await set.list();
  expect(text).toBe(
    "./\n  large/\n    deep/ (300 files)\n    a.txt\n  small/\n    deep/\n      f0\n      f1\n      f2",
  );
});

test("a directory with more entries than fit", async () => {
  using set = project(...many("wide", 250));
  const lines = (await set.list("wide")).split("\n");
  expect(lines).toHaveLength(202);
  expect(lines.at(-1)).toBe("  ... 50 more; use glob to find one by name");
});

test("an empty one, a missing one, and a file", async () => {
  using set = project("file.txt");
  mkdirSync(set.workspace.path("empty"));
  expect(await set.list("empty")).toBe("empty/\n  (empty)");
  expect(await set.list("Empty")).toContain("Did you mean: empty?");
  expect(await set.list("file.txt")).toContain("is a file, not a directory");
});

test("names can't break the layout", async () => {
  using set = project("a\nb", "\x1b[31mred", "ä ö 漢");
  expect(await set.list()).toBe("./\n  red\n  a?b\n  ä ö 漢");
});
