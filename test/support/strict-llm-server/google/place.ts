// The three ways Google names a position: a JSON field it can't read, a name it doesn't know, a rule of the request.
import type { JsonValue } from "../../../../src/base/json.ts";
import type { Problem } from "../wire.ts";

export function request(path: string, message: string): Problem {
  return { path, message: `* GenerateContentRequest.${path}: ${message}\n` };
}

export function field(path: string, type: string, value: JsonValue | undefined): Problem {
  return { path, message: `Invalid value at '${path}' (${type}), ${JSON.stringify(value)}` };
}

export function unknownName(name: string, path: string): Problem {
  const place = path === "" ? "" : ` at '${path}'`;
  const message = `Invalid JSON payload received. Unknown name "${name}"${place}: Cannot find field.`;
  return { path: path === "" ? name : `${path}.${name}`, message };
}
