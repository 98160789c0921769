// JSON that is nearly right is read as it was meant, whatever the damage; what is cut off never is.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAMAGES, type Damage, damaged, jsonObject } from "../../test/support/damaged-json.ts";
import { decodeArgs, readArguments } from "./call-args.ts";

const RUNS = process.env["TUNACODE_LONG"] === "1" ? 20_000 : 150;
const LIMIT_MS = 600_000;

test.each([
  ['{"a":1}', { a: 1 }],
  ["", {}],
  [" ", {}],
  ["null", {}],
  [null, {}],
  [{ a: 1 }, { a: 1 }],
  // Some models write the object as a JSON string.
  ['"{\\"a\\":1}"', { a: 1 }],
  ['{"a":', null],
  ["[1]", null],
  ["3", null],
  [3, null],
  ['"words"', null],
  ['{"a":1}{"a":2}', null],
  // Nearly right.
  ["{'a': 1,}", { a: 1 }],
  ['```json\n{"a": "x\ny"}\n```', { a: "x\ny" }],
  ['{"a":1}}', { a: 1 }],
  ['{\\"a\\": \\"b\\"}', { a: "b" }],
  ["\"{'a': 1}\"", { a: 1 }],
  ["None", {}],
  ['"{\\"a\\": "', null],
  ['{\\"a\\": \\"b', null],
])("%j", (given, expected) => {
  expect(decodeArgs(given)).toEqual(expected);
});

test.each([
  ["[1]", "expected an object, got a list"],
  [3, "expected an object, got a number"],
  ['"3"', "expected an object, got a number"],
  ["{oops", 'line 1, column 6: expected ":" after `{oops`, got the end of the text'],
  [`${'{"a":'.repeat(600)}1${"}".repeat(600)}`, "nested more than 500 levels deep"],
])("%j is told: %s", (given, problem) => {
  expect(readArguments(given)).toEqual({ ok: false, problem });
});

test.each(["{", "["])("arguments nested too deeply in %s are rejected", (open) => {
  const close = open === "{" ? "}" : "]";
  const step = open === "{" ? '{"a":' : "[";
  const input = `${step.repeat(90_000)}1${close.repeat(90_000)}`;
  expect(decodeArgs(input)).toBeNull();
  expect(decodeArgs(JSON.stringify(input))).toBeNull();
});

test.each(DAMAGES.map((damage) => [damage]))(
  "%s: what was meant is read",
  (damage) => {
    fc.assert(
      fc.property(jsonObject, (value) => {
        expect(decodeArgs(damaged(value, [damage]))).toEqual(value);
      }),
      { numRuns: RUNS, seed: 1 },
    );
  },
  LIMIT_MS,
);

/** Two kinds of quotes are not used together, and what was escaped as a whole was right before. */
const together: fc.Arbitrary<readonly Damage[]> = fc.subarray(
  DAMAGES.filter((damage) => damage !== "typographic quotes" && damage !== "escaped as a text"),
);

test(
  "several kinds of damage together",
  () => {
    fc.assert(
      fc.property(jsonObject, together, (value, damages) => {
        expect(decodeArgs(damaged(value, damages))).toEqual(value);
      }),
      { numRuns: RUNS * 3, seed: 2 },
    );
  },
  LIMIT_MS,
);

test(
  "a text that was cut off is never read, wherever the cut is, and whatever else is wrong",
  () => {
    const inside = together.map((damages) =>
      damages.filter((damage) => damage !== "code fence" && damage !== "surplus braces"),
    );
    fc.assert(
      fc.property(
        jsonObject,
        fc.oneof(inside, fc.constantFrom<Damage[]>(["escaped as a text"], ["typographic quotes"])),
        (value, damages) => {
          const whole = damaged(value, damages).trimEnd();
          const cuts = Array.from({ length: whole.length - 1 }, (_, index) => whole.slice(0, index + 1));
          expect(cuts.filter((cut) => decodeArgs(cut) !== null)).toEqual([]);
        },
      ),
      { numRuns: Math.min(RUNS, 5_000), seed: 3 },
    );
  },
  LIMIT_MS,
);

test.each([
  '"',
  "'",
  "“",
  "\\",
  "{",
  "[",
  "{'a':",
  "[1,",
  "/*",
  "//\n",
  "\\n",
  " ",
  "}",
  '"a":',
  "a",
  "0",
  '{"a":"',
  "```",
])("megabytes of %j are read once, and deep nesting doesn't crash", (piece) => {
  const long = piece.repeat(1_000_000 / piece.length);
  const startedAt = performance.now();
  for (const text of [long, `{"a":${long}`, `{"a":"${long}"}`, `{"a":'${long}'}`]) decodeArgs(text);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});
