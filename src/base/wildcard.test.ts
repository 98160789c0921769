import { expect, test } from "bun:test";
import { matchesSteps, wildcardSteps } from "./wildcard.ts";

const matches = (pattern: string, name: string) => matchesSteps(wildcardSteps(pattern, false), [...name]);

test.each<[string, string, boolean]>([
  ["", "", true],
  ["*", "", true],
  ["*", "abc", true],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["*.ts", "a.ts", true],
  ["*.ts", "a.tsx", false],
  ["a*b*c", "aXbYc", true],
  ["a*b*c", "aXcYb", false],
  ["?", "\u{1F41F}", true],
])("%s and %s: %p", (pattern, name, expected) => {
  expect(matches(pattern, name)).toBe(expected);
});

test("case is ignored if wanted", () => {
  expect(matchesSteps(wildcardSteps("*.ENV", true), [..."a.env"])).toBe(true);
});

test("many wildcards on a long name end soon", () => {
  const startedAt = performance.now();
  expect(matches(`${"*a".repeat(40)}*b`, "a".repeat(250))).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
