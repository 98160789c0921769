// Values of the wrong type are read as meant if there is exactly one reading that fits.
import { describe, expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { fitToSchema } from "./fit-to-schema.ts";

const SCHEMA = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer", minimum: 1 },
    ratio: { type: "number" },
    flag: { type: "boolean" },
    level: { enum: [1, 2, 3] },
    words: { type: "array", items: { type: "string" } },
    numbers: { type: "array", items: { type: "integer" } },
    edit: { $ref: "#/$defs/edit" },
    edits: { type: "array", items: { $ref: "#/$defs/edit" } },
    any: {},
    maybe: { type: ["integer", "null"] },
    either: { anyOf: [{ type: "integer" }, { type: "boolean" }] },
    one_or_many: { anyOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] },
    needed: { type: "integer" },
  },
  required: ["needed"],
  $defs: { edit: { type: "object", properties: { line: { type: "integer" } }, required: ["line"] } },
};

function fit(args: JsonObject): JsonObject {
  const { needed: _, ...rest } = fitToSchema({ needed: 0, ...args }, SCHEMA);
  return rest;
}

describe("read as meant", () => {
  test.each<[string, JsonValue, JsonValue | undefined]>([
    ["count", "10", 10],
    ["count", " 10\n", 10],
    ["count", "10.0", 10],
    ["ratio", "-1.5e3", -1500],
    ["flag", "true", true],
    ["flag", "False", false],
    ["level", "2", 2],
    ["words", '["a", "b"]', ["a", "b"]],
    ["words", "['a', 'b',]", ["a", "b"]],
    ["words", "[]", []],
    ["words", "src", ["src"]],
    ["words", "src/app.ts", ["src/app.ts"]],
    ["numbers", "[1, 2]", [1, 2]],
    ["numbers", ["1", "2"], [1, 2]],
    ["numbers", '["1", "2"]', [1, 2]],
    ["numbers", 5, [5]],
    ["numbers", "5", [5]],
    ["edit", '{"line": 3}', { line: 3 }],
    ["edit", "{'line': '3'}", { line: 3 }],
    ["edit", { line: "3" }, { line: 3 }],
    ["edits", '[{"line": "1"}, {"line": 2}]', [{ line: 1 }, { line: 2 }]],
    ["edits", { line: 1 }, [{ line: 1 }]],
    ["maybe", "7", 7],
    ["either", "7", 7],
    ["either", "true", true],
    ["count", "null", undefined],
    ["flag", "None", undefined],
  ])("%s: %j is %j", (name, given, meant) => {
    expect(fit({ [name]: given })).toEqual(meant === undefined ? {} : { [name]: meant });
  });
});

describe("left alone", () => {
  test.each<[string, JsonValue]>([
    // It fits already.
    ["text", "10"],
    ["text", "true"],
    ["text", '["a"]'],
    ["any", "10"],
    ["maybe", null],
    ["one_or_many", 1],
    // It can't be told what was meant: 1 or 1.0, one word or two, a yes or a one.
    ["text", 1],
    ["text", true],
    ["words", "a b"],
    ["words", "a, b"],
    ["words", "a|b"],
    ["words", [1]],
    ["flag", 1],
    ["flag", "1"],
    ["flag", "yes"],
    ["one_or_many", "1"],
    // It is no number, or not the same one.
    ["count", "ten"],
    ["count", "10 lines"],
    ["count", "1,000"],
    ["count", "010"],
    ["count", "0x10"],
    ["count", "1.5"],
    ["count", "0"],
    ["count", ""],
    ["ratio", "12345678901234567890"],
    ["ratio", "Infinity"],
    ["needed", "null"],
    // It is cut off.
    ["words", '["a", "b"'],
    ["edit", '{"line": 3'],
    ["edit", "3"],
    ["numbers", '["1", "x"]'],
  ])("%s: %j", (name, given) => {
    const args = { needed: 0, [name]: given };
    expect(fitToSchema(args, SCHEMA)).toEqual(args);
  });
});

test("the same object comes back if nothing changes, and what can't be helped doesn't keep the rest from being read", () => {
  const args = { needed: 1, text: "a" };
  expect(fitToSchema(args, SCHEMA)).toBe(args);
  expect(fitToSchema({ count: "5", flag: "maybe", extra: "1" }, SCHEMA)).toEqual({
    count: 5,
    flag: "maybe",
    extra: "1",
  });
});

test("thousands of wrong values are no slip, and are looked through at once", () => {
  const numbers = Array.from({ length: 20_000 }, String);
  const startedAt = performance.now();
  expect(fitToSchema({ needed: 1, numbers }, SCHEMA)).toEqual({ needed: 1, numbers });
  expect(fitToSchema({ needed: 1, numbers: JSON.stringify(numbers) }, SCHEMA)["numbers"]).toBeString();
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});
