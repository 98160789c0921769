// Compiles the tools' zod schemas to the JSON Schemas that models are sent: src/tools/parameters.data.json.
// Run it after a change of a tool's schema: `bun scripts/compile-parameters.ts`. A test compares the two.
import { writeFileSync } from "node:fs";
import { z } from "zod";
import * as bash from "../src/tools/bash.ts";
import * as glob from "../src/tools/glob.ts";
import * as grep from "../src/tools/grep.ts";
import * as listDir from "../src/tools/list-dir.ts";
import * as presentPlan from "../src/tools/present-plan.ts";
import * as readFile from "../src/tools/read-file.ts";
import * as research from "../src/tools/research-codebase.ts";
import * as submit from "../src/tools/submit.ts";
import * as updateFile from "../src/tools/update-file.ts";
import * as webFetch from "../src/tools/web-fetch.ts";
import * as writeFile from "../src/tools/write-file.ts";

export const PARAMETERS_FILE = new URL("../src/tools/parameters.data.json", import.meta.url);

export const SCHEMAS = {
  read_file: readFile.makeSchema,
  write_file: writeFile.makeSchema,
  update_file: updateFile.makeSchema,
  list_dir: listDir.makeSchema,
  glob: glob.makeSchema,
  grep: grep.makeSchema,
  bash: bash.makeSchema,
  web_fetch: webFetch.makeSchema,
  research_codebase: research.makeSchema,
  present_plan: presentPlan.makeSchema,
  submit: submit.makeSchema,
};

export function compileParameters(): string {
  const compiled = Object.entries(SCHEMAS).map(([name, makeSchema]) => {
    const { $schema: _dialect, ...parameters } = z.toJSONSchema(makeSchema(z), { io: "input", override });
    return [name, parameters];
  });
  return `${JSON.stringify(Object.fromEntries(compiled), null, 2)}\n`;
}

/** That a whole number is no larger than JavaScript can count needs no words. */
function override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

if (import.meta.main) writeFileSync(PARAMETERS_FILE, compileParameters());
