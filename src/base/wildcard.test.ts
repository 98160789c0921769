import { expect, test } from "bun:test";
import fc from "fast-check";
import { createWildcard, literalStep, matchesFreely, matchesSteps } from "./wildcard.ts";

const matches = (pattern: string, name: string) => createWildcard(pattern, false)(name);

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
  expect(createWildcard("*.ENV", true)("a.env")).toBe(true);
});

test("the short ways and the one step by step agree", () => {
  const letters = fc.array(fc.constantFrom("a", "b", "*", "?"), { maxLength: 12 });
  const names = fc.array(fc.constantFrom("a", "b"), { maxLength: 12 });
  fc.assert(
    fc.property(letters, names, (pattern, name) => {
      const steps = pattern.map((letter) =>
        /[*?]/.test(letter) ? { many: letter === "*", takes: () => true } : literalStep(letter),
      );
      const answers = [matchesSteps(steps, name), matchesFreely(steps, name)];
      return answers.every((each) => each === matches(pattern.join(""), name.join("")));
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

test("many wildcards on a long name end soon", () => {
  const startedAt = performance.now();
  for (let round = 0; round < 1_000; round++)
    expect(matches(`${"*a".repeat(400)}*b`, "a".repeat(250))).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
