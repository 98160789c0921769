import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { boundTool } from "../../test/support/bound-tool.ts";
import { runTool } from "../../test/support/run-tool.ts";
import { tempWorkspace } from "../../test/support/temp-workspace.ts";
import type { JsonObject } from "../base/json.ts";
import { UNJUDGED } from "../domain/grant.ts";
import { grep } from "./grep.ts";
import { createRipgrepPath } from "./ripgrep.ts";

const ripgrepPath = createRipgrepPath();

function project(files: Readonly<Record<string, string | Uint8Array>>) {
  const workspace = tempWorkspace(files);
  const tool = boundTool(grep, { workspace, ripgrepPath });
  const search = async (pattern: string, more: JsonObject = {}) => await runTool(tool, { pattern, ...more });
  return { workspace, grep: search, [Symbol.dispose]: workspace[Symbol.dispose] };
}

const FILES = {
  "a.ts": "one\nTwo\nthree (3)\n",
  "src/b.md": "two one\r\n",
  "src/deep/c.ts": "one\n",
  ".hidden": "one\n",
  ".git/x": "one\n",
  "out/d.ts": "one\n",
  ".gitignore": "out\n",
};

describe("what is found", () => {
  const CASES: Readonly<Record<string, readonly [JsonObject, string]>> = {
    "lines by file, in order": [
      { pattern: "one" },
      ".hidden|1: one|a.ts|1: one|src/b.md|1: two one|src/deep/c.ts|1: one",
    ],
    "in a directory": [{ pattern: "one", directory: "src" }, "src/b.md|1: two one|src/deep/c.ts|1: one"],
    "in a file": [{ pattern: "t", directory: "a.ts" }, "a.ts|3: three (3)"],
    "in an ignored directory when it is named": [{ pattern: "one", directory: "out" }, "out/d.ts|1: one"],
    "in files of a kind": [{ pattern: "one", glob: "*.ts" }, "a.ts|1: one|src/deep/c.ts|1: one"],
    "in files of a kind, not ignored ones": [
      { pattern: "one", glob: "**/*.ts" },
      "a.ts|1: one|src/deep/c.ts|1: one",
    ],
    "in files on a path": [{ pattern: "one", glob: "src/*/*.ts" }, "src/deep/c.ts|1: one"],
    "whatever the case": [{ pattern: "TWO", case_insensitive: true }, "a.ts|2: Two|src/b.md|1: two one"],
    "plain text": [{ pattern: "(3)", literal: true }, "a.ts|3: three (3)"],
    "with lines around it": [{ pattern: "Two", context: 1 }, "a.ts|1- one|2: Two|3- three (3)"],
    "files alone": [{ pattern: "one", files_only: true, glob: "*.ts" }, "a.ts|src/deep/c.ts"],
    "over several lines": [{ pattern: "one\\nTwo" }, "a.ts|1: one|2: Two"],
    "with look-around": [{ pattern: "(?<=t)wo" }, "src/b.md|1: two one"],
    "a pattern that looks like a flag": [{ pattern: "--help|Two" }, "a.ts|2: Two"],
  };
  for (const [name, [args, expected]] of Object.entries(CASES))
    test(name, async () => {
      using set = project(FILES);
      const { pattern, ...more } = args;
      const { text } = await set.grep(String(pattern), more);
      expect(
        text
          .split("\n")
          .map((line) => line.trim())
          .join("|"),
      ).toBe(expected);
    });
});

test("finding nothing is not a failure, and the result says what was not searched", async () => {
  using set = project(FILES);
  expect(await set.grep("nowhere", { glob: "*.ts" })).toMatchObject({
    failed: false,
    text: "No matches for nowhere in *.ts. Files named in .gitignore, binary files and files where secrets are kept are not searched.",
  });
});

test("it stops at the limit and says how to see more", async () => {
  using set = project({ "a.txt": "x\n".repeat(500), "b.txt": "x\n".repeat(500) });
  const lines = (await set.grep("x", { max_results: 5 })).text.split("\n");
  expect(lines.filter((line) => line.endsWith(": x"))).toHaveLength(5);
  expect(lines.at(-1)).toBe(
    "[Stopped at 5 matches; there may be more. Narrow the pattern, directory or glob, or raise max_results.]",
  );
});

test("a mistake in the pattern is explained, with a way out", async () => {
  using set = project(FILES);
  const run = await set.grep("foo(");
  expect(run).toMatchObject({ failed: true });
  expect(run.text).toMatch(/^The pattern can't be used: unclosed group\. Escape .* literal to true/);
});

describe("odd files", () => {
  test("a long line is cut around the match", async () => {
    using set = project({ "min.js": `${"ä".repeat(5_000)}needle${"b".repeat(5_000)}` });
    const { text } = await set.grep("needle");
    expect(text).toMatch(/^min\.js\n {2}1: …ä{80}needleb{164}…$/);
  });

  test("a line of megabytes is mentioned but not shown", async () => {
    using set = project({ "huge.js": `needle ${"x".repeat(3_000_000)}\nneedle\n` });
    expect((await set.grep("needle")).text).toBe(
      "huge.js\n  a match in a line too long to show\n  2: needle",
    );
  });

  test("bytes that are not text", async () => {
    using set = project({
      "latin1.txt": Buffer.from("needle caf\xe9\n", "latin1"),
      "binary.bin": Buffer.from("\0\0needle\0\n"),
      "utf16.txt": Buffer.from("\ufeffneedle\n", "utf16le"),
      "escapes.txt": "needle \x1b[31mred\x1b]0;title\x07\n",
    });
    const { text } = await set.grep("needle");
    expect(text).toBe(
      "escapes.txt\n  1: needle red\nlatin1.txt\n  1: needle caf\uFFFD\nutf16.txt\n  1: needle",
    );
  });

  test("names with spaces and other scripts", async () => {
    using set = project({ "ein ordner/ä 漢.txt": "needle\n" });
    expect((await set.grep("needle", { directory: "ein ordner" })).text).toBe(
      "ein ordner/ä 漢.txt\n  1: needle",
    );
  });

  test("many long matches stay under the cap of a return", async () => {
    using set = project({ "a.txt": `${"needle ".repeat(60)}\n`.repeat(2_000) });
    const { text } = await set.grep("needle", { max_results: 1_000 });
    expect(text.length).toBeLessThan(42_000);
    expect(text).toContain("[Stopped at");
  });
});

test("files that need a person's yes are left out, and nothing tells whether there was a match in them", async () => {
  using workspace = tempWorkspace({ "a.ts": "key here\n", ".env": "key=secret\nkey2=secret\n" });
  const asked: string[] = [];
  const mayRead = (path: string) => {
    asked.push(path);
    return !path.endsWith(".env");
  };
  const tool = boundTool(grep, { workspace, ripgrepPath });
  for (const files_only of [false, true]) {
    const { text } = await runTool(tool, { pattern: "key", files_only }, undefined, { ...UNJUDGED, mayRead });
    expect(text).toContain("a.ts");
    expect(text).not.toContain("secret");
    expect(text).not.toContain(".env");
    const patterns = ["secret", "nothing like it", "(?=(s+)+$)secret"];
    const texts = patterns.map(async (pattern) => {
      const ran = await runTool(tool, { pattern, files_only }, undefined, { ...UNJUDGED, mayRead });
      return ran.text.replace(pattern, "");
    });
    expect(new Set(await Promise.all(texts)).size).toBe(1);
  }
  expect(asked).toContain(workspace.path(".env"));
});

test.skipIf(process.platform === "win32")(
  "a pipe as an ignore file is named, and not waited for",
  async () => {
    using place = project({ "a/b/c.ts": "one\n" });
    const pipe = join(place.workspace.root, "a/b/.gitignore");
    execFileSync("mkfifo", [pipe]);
    expect((await place.grep("one")).text).toContain(`${pipe} is no plain file`);
  },
  20_000,
);
