// JSON that is nearly right is read as it was meant; nothing is added, nothing is guessed.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseJson } from "./json.ts";
import { describePlace, readNearlyJson, readOnlyNearlyJson } from "./nearly-json.ts";

const RUNS = process.env["TUNACODE_LONG"] === "1" ? 200_000 : 3_000;

test("JSON is read as JSON.parse reads it, and anything at all without a crash", () => {
  const unit = fc.constantFrom(..."{}[]:,\"'\\ \n/*`“”tn10-.eaTrueNone");
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit, maxLength: 30 }), fc.string()), (text) => {
      const exact = parseJson(text);
      const read = readOnlyNearlyJson(text);
      if (exact.ok && !read.ok) expect(read.expected).toBe("each name once");
      else if (exact.ok && read.ok) expect(read.value).toEqual(exact.value);
      if (!read.ok) expect(describePlace(text, read)).toMatch(/^line \d+, column \d+: expected /);
    }),
    { numRuns: RUNS, seed: 4 },
  );
}, 600_000);

describe("what could be read in two ways is not read, and the place is told", () => {
  test.each([
    ['{"a": "x"', 'line 1, column 10: expected a comma or "}" after `{"a": "x"`, got the end of the text'],
    [
      '{"a": "x',
      'line 1, column 9: expected the closing " of a text after `{"a": "x`, got the end of the text',
    ],
    ['{"a": [1, 2}', 'line 1, column 12: expected a comma or "]" after `{"a": [1, 2`, got `}`'],
    [
      '{\n  "a": "say "hi""\n}',
      'line 2, column 14: expected a comma or "}" after `{\n  "a": "say "`, got `hi""\n}`',
    ],
    ["{'a': 'it's'}", "line 1, column 11: expected a comma or \"}\" after `{'a': 'it'`, got `s'}`"],
    [
      '{"a": "\\d+"}',
      'an escape that JSON has (a backslash itself is written \\\\) after `{"a": "\\`, got `d+"}`',
    ],
    [`{"a": "echo 'it'\\''s'"}`, "an escape that JSON has"],
    ['{"a": "b \\\n c"}', "an escape that JSON has"],
    ['{"a": "\\u12"}', "an escape that JSON has"],
    ['{"a": 010}', 'expected a value after `{"a": `, got `010}`'],
    ['{"a": 1,000}', 'expected a name in quotes or "}"'],
    ['{"a": 60*60}', 'expected a comma or "}" after `{"a": 60`, got `*60}`'],
    ['{"a": NaN}', "expected a value"],
    ['{"a": 1e999}', "expected a value"],
    ['{"a": b}', "expected a value"],
    ['{"a": 1,, "b": 2}', 'expected a name in quotes or "}"'],
    ['{"a": 1 "b": 2}', 'expected a comma or "}"'],
    ['{"a" 1}', 'expected ":"'],
    ['{"a": }', "expected a value"],
    ["{'a': 1, 'a': 2}", "expected each name once"],
    ['{"a": 1, /* never ends }', "expected the end of a comment"],
    ['{"a": 1,} and more', 'expected nothing more after `{"a": 1,} `, got `and more`'],
    ['{"a": 1,}{"a": 2}', "expected nothing more"],
    ['{"a": 1,}]', "expected nothing more"],
    ["", "line 1, column 1: expected a value, got the end of the text"],
  ])("%s", (text, told) => {
    const read = readOnlyNearlyJson(text);
    expect(read.ok ? "read" : describePlace(text, read)).toContain(told);
  });
});

test("what follows a value is not looked at, and names that every object inherits are names", () => {
  expect(readNearlyJson('x{"a":1,}y', 1)).toEqual({ ok: true, value: { a: 1 }, end: 9 });
  const read = readNearlyJson("{'__proto__': {'x': 1}}");
  expect(read.ok && Object.keys(Object(read.value))).toEqual(["__proto__"]);
});
