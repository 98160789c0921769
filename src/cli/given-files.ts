// The files that flags name: read before anything else happens, so that a wrong one is an error of the command line.
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";
import type { AttachedFile } from "../front/prepared-prompt.ts";
import type { Console } from "./console.ts";
import type { ConfiguredPlace } from "./place.ts";

/** The files of --file. Paths begin where the command was typed, which is where the shell completes them. */
export async function givenFiles(
  paths: readonly string[] | undefined,
  console: Console,
  { cwd }: ConfiguredPlace,
): Promise<readonly AttachedFile[]> {
  if (paths === undefined) return [];
  const { readGivenFile } = await import("../app/attachment.ts");
  const typedIn = console.cwd();
  return Promise.all(
    paths.map(async (given) => {
      // The model works in another folder, where the path would lead elsewhere.
      const path = cwd === typedIn ? given : resolve(typedIn, given);
      return { path, item: await readGivenFile(typedIn, path) };
    }),
  );
}

/** The JSON Schema of --output-schema. */
export async function givenSchema(
  path: string | undefined,
  console: Console,
): Promise<JsonObject | undefined> {
  if (path === undefined) return undefined;
  const wrong = (why: string) => new TunacodeError("usage", `--output-schema: ${path} ${why}.`);
  const text = await beginningOfFile(resolve(console.cwd(), path)).catch((error) => {
    throw wrong(`can't be read (${errorMessage(error)})`);
  });
  if (text.length > LONGEST_SCHEMA) throw wrong(`is longer than ${LONGEST_SCHEMA} characters`);
  const parsed = parseJson(text);
  if (!parsed.ok) throw wrong(`is not JSON (${parsed.problem})`);
  const { value: schema } = parsed;
  if (!isJsonObject(schema) || isTooDeep(schema)) throw wrong("must be a JSON object, not nested too deeply");
  const { schemaFault } = await import("../base/json-schema.ts");
  const fault = schemaFault(schema);
  if (fault !== null) throw wrong(`is no valid JSON Schema (${fault})`);
  return schema;
}

const LONGEST_SCHEMA = 1_000_000;

/** A stream: a shell's `<(...)` is a pipe, and a device has no end. */
async function beginningOfFile(path: string): Promise<string> {
  let text = "";
  for await (const piece of createReadStream(path, { encoding: "utf8", end: 4 * LONGEST_SCHEMA }))
    text += piece;
  return text;
}
