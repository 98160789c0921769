import { expect, test } from "bun:test";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import { createEffort, TooMuchToRead } from "./disk-budget.ts";
import { expandGlob } from "./shell-glob.ts";

const LENGTH = 250;
const names = Array.from({ length: 400 }, (_, index) => `${String(index).padStart(LENGTH, "a")}`);
const disk = fakeDisk({ "/p/few/x.ts": "", "/p/few/y.ts": "", ...filesIn("/p/long", names) });

function filesIn(folder: string, files: readonly string[]): Record<string, string> {
  return Object.fromEntries(files.map((name) => [`${folder}/${name}`, ""]));
}

function compared(pattern: string): number {
  let steps = 0;
  expandGlob(pattern, "/p", { disk, spend: (more) => (steps += more) });
  return steps;
}

test("many wildcards over long names take as long as the names are", () => {
  expect(compared(`long/${"*a".repeat(100)}b`)).toBeLessThan(3 * names.length * LENGTH);
});

test("a text that nearly fits everywhere is too much for one decision", () => {
  const spend = createEffort();
  const pattern = `long/*${"a".repeat(120)}b`;
  expect(() => expandGlob(pattern, "/p", { disk, spend })).toThrow(TooMuchToRead);
});

test("names that are too long to be written out are not known", () => {
  expect(expandGlob("long/*", "/p", { disk })).toBeNull();
  expect(expandGlob("long/*1", "/p", { disk })).toHaveLength(40);
  expect(expandGlob("few/*", "/p", { disk })).toEqual(["few/x.ts", "few/y.ts"]);
});
