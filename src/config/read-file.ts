// One configuration file, read and checked. What is wrong names the file and the key; what is merely unknown is a
// warning.
import { statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";
import { ConfigError, errorMessage } from "../domain/error.ts";
import type { ConfigFile } from "./schema.ts";

export interface FoundFile {
  readonly path: string;
  readonly values: ConfigFile;
  /** As it is written, unknown keys included. */
  readonly raw: JsonObject;
  readonly warnings: readonly string[];
}

const MOST_BYTES = 1_000_000;
/** Deeper than anything the schema knows. */
const MOST_LEVELS = 20;

/** Null: there is none. */
export async function readConfigFile(path: string): Promise<FoundFile | null> {
  const text = await readText(path);
  if (text === null) return null;
  const raw = parseObject(path, text);
  const { checkValues } = await import("./check-values.ts");
  const { values, warnings } = checkValues(path, withoutNulls(raw));
  const open = hasKeys(values) ? await openToOthers(path) : [];
  return { path, values, raw, warnings: [...warnings, ...open] };
}

async function readText(path: string): Promise<string | null> {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return null;
    // A pipe would never end, and nobody writes this much configuration.
    if (!facts.isFile() || facts.size > MOST_BYTES) throw new Error("it is not a file of ordinary size");
    return await readFile(path, "utf8");
  } catch (error) {
    // Where a folder should be there is a file: then there is no configuration in it.
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return null;
    throw new ConfigError(`${path} can't be read: ${errorMessage(error)}`);
  }
}

function parseObject(path: string, text: string): JsonObject {
  if (text.trim() === "") return {};
  const parsed = parseJson(text.replace(/^\uFEFF/, ""));
  if (!parsed.ok) throw new ConfigError(`${path} is not valid JSON: ${parsed.problem}${habit(text)}`);
  if (!isJsonObject(parsed.value)) throw new ConfigError(`${path} must hold a JSON object.`);
  if (isTooDeep(parsed.value, MOST_LEVELS)) throw new ConfigError(`${path} is nested too deeply.`);
  return parsed.value;
}

/** What other programs allow in theirs. */
function habit(text: string): string {
  const outsideStrings = text.replace(/"(?:[^"\\\n]|\\.)*"/g, "");
  if (/\/[/*]/.test(outsideStrings)) return ". JSON has no comments: take them out.";
  return /,\s*[}\]]/.test(outsideStrings) ? ". A comma stands before a closing bracket: take it out." : "";
}

/** The old program wrote null for "not set". */
function withoutNulls(value: JsonObject): JsonObject {
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(entries.map(([key, child]): [string, JsonValue] => [key, cleaned(child)]));
}

function cleaned(value: JsonValue): JsonValue {
  return isJsonObject(value) ? withoutNulls(value) : value;
}

/** Addresses are no secret. */
function hasKeys({ env = {} }: ConfigFile): boolean {
  return Object.entries(env).some(([name, value]) => value !== "" && !/_(URL|HOST)$/.test(name));
}

async function openToOthers(path: string): Promise<string[]> {
  const { mode } = await stat(path);
  return (mode & 0o077) === 0 ? [] : [`${path} holds keys and others may read it. Remedy: chmod 600 ${path}`];
}
