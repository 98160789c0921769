// Reads and checks one configuration file. An invalid value is an error that names the file and the key. An unknown
// key is only a warning.
import { defined } from "../base/defined.ts";
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";
import { readPlainFile } from "../base/plain-file.ts";
import { ConfigError } from "../domain/error.ts";
import type { ConfigFile } from "./schema.ts";

interface FoundFile {
  readonly values: ConfigFile;
  /** The file's content as written, including unknown keys. */
  readonly raw: JsonObject;
  readonly warnings: readonly string[];
}

const MOST_BYTES = 1_000_000;
/** More than the schema ever needs. */
const MOST_LEVELS = 20;

/**
 * Returns null if the file doesn't exist. A project's file must be inside the project; one that isn't, or that can't be
 * read, is as good as none, and a warning says so.
 */
export async function readConfigFile(path: string, project?: string): Promise<FoundFile | null> {
  const found = await readPlainFile(path, { mostBytes: MOST_BYTES, ...defined({ inside: project }) });
  if (found.type === "missing") return null;
  if (found.type === "refused") {
    if (project === undefined) throw new ConfigError(`${path} can't be read: it ${found.why}.`);
    return { values: {}, raw: {}, warnings: [`${path} ${found.why}, so it has no effect.`] };
  }
  const raw = parseObject(path, found.bytes.toString("utf8"));
  const { checkValues } = await import("./check-values.ts");
  const { values, warnings } = checkValues(path, withoutNulls(raw));
  if (!hasKeys(values) || (found.mode & 0o077) === 0) return { values, raw, warnings };
  const open = `${path} holds keys and others may read it. Remedy: chmod 600 ${path}`;
  return { values, raw, warnings: [...warnings, open] };
}

function parseObject(path: string, text: string): JsonObject {
  if (text.trim() === "") return {};
  const parsed = parseJson(text.replace(/^\uFEFF/, ""));
  if (!parsed.ok) throw new ConfigError(`${path} is not valid JSON: ${parsed.problem}${habit(text)}`);
  if (!isJsonObject(parsed.value)) throw new ConfigError(`${path} must hold a JSON object.`);
  if (isTooDeep(parsed.value, MOST_LEVELS)) throw new ConfigError(`${path} is nested too deeply.`);
  return parsed.value;
}

/** Explains comments and trailing commas, which other programs allow in their configuration. */
function habit(text: string): string {
  const outsideStrings = text.replace(/"(?:[^"\\\n]|\\.)*"/g, "");
  if (/\/[/*]/.test(outsideStrings)) return ". JSON has no comments: remove them.";
  return /,\s*[}\]]/.test(outsideStrings) ? ". There is a comma before a closing bracket: remove it." : "";
}

/** The old program wrote null for "not set". */
function withoutNulls(value: JsonObject): JsonObject {
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(
    entries.map(([key, child]) => [key, isJsonObject(child) ? withoutNulls(child) : child]),
  );
}

/** Addresses are not secret. */
function hasKeys({ env = {} }: ConfigFile): boolean {
  return Object.entries(env).some(([name, value]) => value !== "" && !/_(URL|HOST)$/.test(name));
}
