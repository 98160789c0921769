import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { boundTool } from "../../test/support/bound-tool.ts";
import { runTool } from "../../test/support/run-tool.ts";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import { glob } from "./glob.ts";
import { createRipgrepPath } from "./ripgrep.ts";

const ripgrepPath = createRipgrepPath();

/** Files in the order of their age, the newest first. */
function project(...names: string[]) {
  const workspace = tempWorkspace(Object.fromEntries(names.map((name) => [name, "x"])));
  for (const [index, name] of names.entries()) utimesSync(workspace.path(name), 0, 2_000_000_000 - index);
  const tool = boundTool(glob, { workspace, ripgrepPath });
  const find = async (pattern: string, directory?: string) =>
    await runTool(tool, { pattern, ...(directory === undefined ? {} : { directory }) });
  return { workspace, glob: find, [Symbol.dispose]: workspace[Symbol.dispose] };
}

const FILES = [
  "src/new.ts",
  "a.ts",
  "src/deep/old.test.ts",
  "src/b.js",
  ".env",
  ".config/c.ts",
  "app/[id]/page.ts",
  "with space/ä ö.ts",
  "dist/out.ts",
  ".git/config.ts",
  "e.log",
];

/** pattern -> what is found, in this order. dist and *.log are ignored. */
const PATTERNS: Readonly<Record<string, string>> = {
  "*.ts": "src/new.ts a.ts src/deep/old.test.ts .config/c.ts app/[id]/page.ts with_space/ä_ö.ts",
  "**/*.ts": "src/new.ts a.ts src/deep/old.test.ts .config/c.ts app/[id]/page.ts with_space/ä_ö.ts",
  "./*.ts": "a.ts",
  "src/*.ts": "src/new.ts",
  "src/**/*.ts": "src/new.ts src/deep/old.test.ts",
  "src/**": "src/new.ts src/deep/old.test.ts src/b.js",
  "src/": "src/new.ts src/deep/old.test.ts src/b.js",
  "**/deep/**": "src/deep/old.test.ts",
  "*/deep/*.ts": "src/deep/old.test.ts",
  "*.{js,test.ts}": "src/deep/old.test.ts src/b.js",
  "{src/deep,.config}/*.ts": "src/deep/old.test.ts .config/c.ts",
  "src/new.ts": "src/new.ts",
  "new.ts": "src/new.ts",
  "n?w.[tj]s": "src/new.ts",
  ".env": ".env",
  ".e*": ".env",
  "app/\\[id\\]/*.ts": "app/[id]/page.ts",
  "dist/*.ts": "dist/out.ts",
  "*.log": "",
  "**/out.ts": "",
  "config.ts": "",
};

describe("patterns", () => {
  for (const [pattern, expected] of Object.entries(PATTERNS))
    test(`${pattern} finds ${expected || "nothing"}`, async () => {
      using own = project(...FILES);
      own.workspace.write(".gitignore", "dist/\n*.log\n");
      const { text } = await own.glob(pattern);
      const found = text.startsWith("No file matches") ? "" : text.replaceAll(" ", "_").split("\n").join(" ");
      expect(found).toBe(expected);
    });
});

test("a pattern may be absolute", async () => {
  using set = project("src/a.ts");
  expect((await set.glob(`${set.workspace.root}/**/*.ts`)).text).toBe("src/a.ts");
});

test("paths are read and shown from the working directory", async () => {
  using set = project("src/a.ts", "b.ts");
  set.workspace.setCwd(set.workspace.path("src"));
  expect((await set.glob("*.ts")).text).toBe("a.ts");
  expect((await set.glob("*.ts", "..")).text).toBe("a.ts\n../b.ts");
});

test("matches beyond the limit are counted", async () => {
  using set = project(...Array.from({ length: 250 }, (_, index) => `f${index}.ts`));
  const lines = (await set.glob("*.ts")).text.split("\n");
  expect(lines.slice(0, 3)).toEqual(["f0.ts", "f1.ts", "f2.ts"]);
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toContain("newest 200 of 250");
});

test("a mistake in the pattern is explained", async () => {
  using set = project();
  expect(await set.glob("[a")).toMatchObject({
    text: expect.stringContaining("missing ']'"),
  });
});

test("a symlink loop is harmless", async () => {
  using set = project("a/b.ts");
  symlinkSync("..", set.workspace.path("a", "loop"));
  expect((await set.glob("**/*.ts")).text).toBe("a/b.ts");
});

test.skipIf(process.getuid?.() === 0)("a folder that can't be read is named in a remark", async () => {
  using set = project("a.ts");
  mkdirSync(set.workspace.path("closed"));
  chmodSync(set.workspace.path("closed"), 0);
  const { text, failed } = await set.glob("*.ts");
  chmodSync(set.workspace.path("closed"), 0o700);
  expect(failed).toBe(false);
  expect(text).toMatch(/^a\.ts\n\[Not searched: .*closed/);
});
