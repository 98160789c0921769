// What a model is told about arguments that don't fit, and what a tool gets if they do.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../base/json.ts";
import { checkArguments } from "./check-arguments.ts";

const PROPERTIES = {
  path: { type: "string", minLength: 1 },
  limit: { type: "integer", minimum: 1, maximum: 10, default: 5 },
  mode: { enum: ["fast", "slow"] },
  tags: { type: "array", items: { type: "string" } },
  either: { anyOf: [{ type: "string" }, { type: "boolean" }] },
  edit: { $ref: "#/$defs/edit" },
};
const SCHEMA = {
  type: "object",
  properties: PROPERTIES,
  required: ["path"],
  $defs: { edit: { type: "object", properties: { from: { type: "number" } }, required: ["from"] } },
};

function check(args: JsonObject, parameters: JsonObject = SCHEMA) {
  return checkArguments({ name: "t", description: "", parameters }, args);
}

describe("a problem says where, what was expected, and what came", () => {
  test.each<[JsonObject, string]>([
    [{}, "path: missing, expected a string"],
    [{ path: null }, "path: expected a string, got null"],
    [{ path: "" }, 'path: expected some text, got ""'],
    [{ path: "a", limit: "ten" }, 'limit: expected an integer, got "ten"'],
    [{ path: "a", limit: 11 }, "limit: expected at most 10, got 11"],
    [{ path: "a", mode: "odd" }, 'mode: expected one of "fast", "slow", got "odd"'],
    [{ path: "a", tags: ["x", 5] }, "tags.1: expected a string, got 5"],
    [{ path: "a", either: 5 }, "either: expected a string or true or false, got 5"],
    [{ path: "a", edit: {} }, "edit.from: missing, expected a number"],
    [{ path: "a", edit: { from: "x" } }, 'edit.from: expected a number, got "x"'],
    [
      { limit: 0, mode: 1 },
      'path: missing, expected a string; limit: expected at least 1, got 0; mode: expected one of "fast", "slow", got 1',
    ],
  ])("%j: %s", (args, problem) => {
    expect(check(args)).toEqual({ ok: false, problem });
  });

  test("and is never a wall of text", () => {
    const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
    const parameters = { type: "object", properties: {}, required: names };
    expect(check({}, parameters)).toMatchObject({ problem: expect.stringMatching(/; and 45 more$/) });
    const long = check({ path: ["x".repeat(10_000)] });
    expect(JSON.stringify(long).length).toBeLessThan(200);
  });
});

describe("a tool gets", () => {
  test("the defaults, and nothing for null", () => {
    expect(check({ path: "a", mode: null })).toEqual({ ok: true, args: { path: "a", limit: 5 } });
  });

  test("null where the schema allows it", () => {
    const parameters = { type: "object", properties: { a: { type: ["string", "null"] } } };
    expect(check({ a: null }, parameters)).toEqual({ ok: true, args: { a: null } });
  });

  test("nothing that it doesn't know, and the model is told", () => {
    expect(check({ path: "a", pth: "b" })).toEqual({
      ok: true,
      args: { path: "a", limit: 5 },
      remark: "Passed over: pth: not known here, the arguments are path, limit, mode, tags, either, edit.",
    });
  });

  test("everything where its schema is open, and a refusal where it is closed", () => {
    expect(check({ any: 1 }, { type: "object" })).toEqual({ ok: true, args: { any: 1 } });
    const open = { type: "object", properties: {}, additionalProperties: { type: "number" } };
    expect(check({ any: 1 }, open)).toEqual({ ok: true, args: { any: 1 } });
    expect(check({ any: "x" }, open)).toMatchObject({ problem: 'any: expected a number, got "x"' });
    const closed = { type: "object", properties: {}, additionalProperties: false };
    expect(check({ any: 1 }, closed)).toMatchObject({ problem: "any: expected nothing of that name, got 1" });
  });
});

test.each<[string, JsonObject]>([
  ["Unresolved $ref", { properties: { a: { $ref: "#/nowhere" } } }],
  ["Invalid regular expression", { properties: { a: { type: "string", pattern: "(" } } }],
  ["nested without end", { $ref: "#" }],
])("a schema that is wrong is told as the tool's fault: %s", (why, parameters) => {
  const checked = check({ a: "x" }, parameters);
  const problem = checked.ok ? "" : checked.problem;
  expect(problem).toStartWith(`they can't be checked, because the schema of t is wrong: `);
  expect(problem).toContain(why);
});

test("names that every object inherits are not arguments", () => {
  const args: JsonObject = JSON.parse('{"path": "a", "__proto__": {"x": 1}, "constructor": 1}');
  expect(check(args)).toMatchObject({ ok: true, args: { path: "a", limit: 5 } });
});

test("a schema is never modified, so a frozen one works", () => {
  const frozen: JsonObject = Object.freeze({
    type: "object",
    properties: Object.freeze({ a: { $ref: "#/$defs/x" } }),
    $defs: { x: { type: "string" } },
  });
  const before = JSON.stringify(frozen);
  expect(check({ a: 5 }, frozen)).toEqual({ ok: false, problem: "a: expected a string, got 5" });
  expect(JSON.stringify(frozen)).toBe(before);
});
