// Over the whole schema: a key of an untrusted project changes nothing, unless it is on the list of those that count.
import { expect, test } from "bun:test";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { checkValues } from "./check-values.ts";
import { DEFAULT_LAYER, deepMerge } from "./layers.ts";
import { resolveConfig } from "./resolve.ts";
import { type ConfigFile, configJsonSchema } from "./schema.ts";
import { restrictUntrusted } from "./untrusted.ts";

/** The person has set everything, so that anything a project changes would show. */
const person: ConfigFile = {
  default_model: "mine:big",
  fallback: ["mine:small"],
  small_model: "mine:small",
  env: { KEY: "mine" },
  providers: { mine: { api: "openai-chat", base_url: "https://mine", models: ["big"] } },
  permissions: { mode: "ask", allow: ["bash(ls)"] },
  sandbox: "auto",
  settings: {
    max_retries: 3,
    max_iterations: 50,
    max_tool_calls: 60,
    request_delay: 2,
    global_request_timeout: 600,
    timeouts: { connect: 10, first_byte: 20, idle: 30 },
    guide_file: "MINE.md",
    theme: "dark",
    notifications: "auto",
    keys: { stop: ["ctrl+x"] },
    max_command_output: 9_000,
    max_tokens: 4_000,
    lsp: { enabled: true, timeout: 5 },
    undo: { enabled: true, file_mb: 9, session_mb: 99, machine_mb: 999 },
    sessions: { keep_days: 90, keep_count: 500, keep_mb: 5_000 },
  },
};

const COUNTING =
  /^(?:\$schema|sandbox|permissions\.(?:mode|ask|deny)|settings\.(?:guide_file|max_iterations|max_tool_calls))$/;

test("every key of the schema", () => {
  const tried = keysOf(configJsonSchema() as JsonObject);
  expect(tried.length).toBeGreaterThan(40);
  for (const { key, value } of tried) {
    const project = checkValues("file", nested(key.split("."), value)).values;
    const { values, withheld } = restrictUntrusted(project, person);
    const before = resolveConfig([DEFAULT_LAYER, { source: "person", values: person }], false);
    const after = resolveConfig(
      [DEFAULT_LAYER, { source: "person", values: person }, { source: "project", values }],
      false,
    );
    if (COUNTING.test(key)) continue;
    expect({ key, withheld: withheld.some((each) => key === each || key.startsWith(`${each}.`)) }).toEqual({
      key,
      withheld: true,
    });
    // Allow rules are kept for an explanation; matching skips them.
    const rules = (config: typeof before) =>
      config.permission.rules.filter(({ source }) => source !== "project");
    expect({ key, ...after, permission: { ...after.permission, rules: rules(after) } }).toEqual({
      key,
      ...before,
    });
  }
});

test("what counts only ever tightens", () => {
  const loosened: JsonObject[] = [
    { permissions: { mode: "auto-edit" } },
    { permissions: { mode: "auto" } },
    { permissions: { mode: "yolo" } },
    { sandbox: "off" },
    { settings: { max_iterations: 51 } },
    { settings: { max_tool_calls: 61 } },
    { settings: { guide_file: "/etc/passwd" } },
    { settings: { guide_file: "~/.netrc" } },
    { settings: { guide_file: "a/../../b" } },
  ];
  for (const values of loosened)
    expect([values, restrictUntrusted(values as ConfigFile, person).withheld.length]).toEqual([values, 1]);
  const tightened = {
    permissions: { mode: "read-only", deny: ["bash"] },
    sandbox: "on",
    settings: { max_iterations: 5 },
  };
  expect(restrictUntrusted(tightened as ConfigFile, person)).toEqual({
    values: tightened as ConfigFile,
    withheld: [],
  });
});

interface TriedKey {
  readonly key: string;
  readonly value: JsonValue;
}

/** Every key of a JSON Schema with values of its type; a map of names gets a name. */
function keysOf(schema: JsonObject, path: readonly string[] = []): TriedKey[] {
  const { properties, additionalProperties, anyOf } = schema;
  if (isJsonObject(properties))
    return Object.entries(properties).flatMap(([name, inner]) =>
      isJsonObject(inner) && !(path.length === 0 && name === "$schema") ? keysOf(inner, [...path, name]) : [],
    );
  if (isJsonObject(additionalProperties) && isJsonObject(additionalProperties["properties"]))
    return keysOf(additionalProperties, [...path, "evil"]);
  const key = path.join(".");
  if (isJsonObject(additionalProperties)) return [{ key, value: { evil: "evil" } }];
  return valuesOf(schema, Array.isArray(anyOf) ? anyOf : []).map((value) => ({ key, value }));
}

function valuesOf(schema: JsonObject, alternatives: readonly JsonValue[]): JsonValue[] {
  if (alternatives.length > 0) return alternatives.filter(isJsonObject).flatMap((each) => valuesOf(each, []));
  if (Array.isArray(schema["enum"])) return [...schema["enum"]];
  switch (schema["type"]) {
    case "boolean":
      return [true, false];
    case "array":
      return [["evil"]];
    case "number":
    case "integer":
      return [2_000, 100_000];
    default:
      return ["evil"];
  }
}

function nested([name = "", ...rest]: readonly string[], value: JsonValue): JsonObject {
  return deepMerge({}, { [name]: rest.length === 0 ? value : nested(rest, value) });
}
