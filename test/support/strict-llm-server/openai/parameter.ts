// The sentences OpenAI refuses a parameter with; chat and Responses share them.
import type { JsonValue } from "../../../../src/base/json.ts";
import { typeName } from "../json-access.ts";
import type { Problem } from "../wire.ts";

export function missing(path: string): Problem {
  return { path, message: `Missing required parameter: '${path}'.`, code: "missing_required_parameter" };
}

export function unknown(path: string): Problem {
  return { path, message: `Unknown parameter: '${path}'.`, code: "unknown_parameter" };
}

export function wrongType(path: string, expected: string, value: JsonValue | undefined): Problem {
  const message = `Invalid type for '${path}': expected ${expected}, but got ${typeName(value)} instead.`;
  return { path, message, code: "invalid_type" };
}

export function badValue(path: string, value: JsonValue | undefined, supported: readonly string[]): Problem {
  const list = supported.map((name) => `'${name}'`).join(", ");
  const message = `Invalid value: '${String(value)}'. Supported values are: ${list}.`;
  return { path, message, code: "invalid_value" };
}

export function badPattern(path: string, pattern: string): Problem {
  const message = `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '${pattern}'.`;
  return { path, message, code: "invalid_value" };
}

export function emptyArray(path: string): Problem {
  const message = `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  return { path, message, code: "empty_array" };
}

export function* checkId(path: string, value: JsonValue | undefined, longest: number): Generator<Problem> {
  if (value === undefined) yield missing(path);
  else if (typeof value !== "string") yield wrongType(path, "a string", value);
  else if (value === "") {
    const message = `Invalid '${path}': empty string. Expected a string with minimum length 1, but got an empty string instead.`;
    yield { path, message, code: "empty_string" };
  } else if (value.length > longest) yield tooLong(path, value, longest);
}

export function* checkFunctionName(path: string, value: JsonValue | undefined): Generator<Problem> {
  yield* checkId(path, value, 64);
  if (typeof value === "string" && value !== "" && !/^[a-zA-Z0-9_-]+$/.test(value)) {
    yield badPattern(path, "^[a-zA-Z0-9_-]+$");
  }
}

export function* checkString(path: string, value: JsonValue | undefined): Generator<Problem> {
  if (value === undefined) yield missing(path);
  else if (typeof value !== "string") yield wrongType(path, "a string", value);
  else if (value.length > MAX_STRING) yield tooLong(path, value, MAX_STRING);
}

const MAX_STRING = 10_485_760;

function tooLong(path: string, value: string, longest: number): Problem {
  const message = `Invalid '${path}': string too long. Expected a string with maximum length ${longest}, but got a string with length ${value.length} instead.`;
  return { path, message, code: "string_above_max_length" };
}
