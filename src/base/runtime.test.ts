import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(import.meta.dir, "..");
/** The program alone has these; the library is made of all others. */
const PROGRAM = /^(cli|tui)\/|^main\.ts$|\.test\.ts$/;
const RUNTIME = ["base/bun-on-node.ts", "base/runtime.ts"];

test("the library's sources use Bun in one place", () => {
  const naming = [...new Bun.Glob("**/*.ts").scanSync(SOURCES)].filter((file) => {
    const text = readFileSync(join(SOURCES, file), "utf8");
    return !PROGRAM.test(file) && /\bBun\.\w|\bnew (Worker|HTMLRewriter)\(/.test(text);
  });
  expect(naming.toSorted()).toEqual(RUNTIME);
});
