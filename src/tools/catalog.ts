// Lists all tools. A new tool is its own file, its prose, and a line here.
import type { Tool } from "../domain/tool.ts";
import { bash } from "./bash.ts";
import type { DefinedTool } from "./define-tool.ts";
import { FileAccess } from "./file-access.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { listDir } from "./list-dir.ts";
import type { ToolPorts } from "./ports.ts";
import { presentPlan } from "./present-plan.ts";
import { readFile } from "./read-file.ts";
import { researchCodebase } from "./research-codebase.ts";
import { submit } from "./submit.ts";
import { updateFile } from "./update-file.ts";
import { webFetch } from "./web-fetch.ts";
import { writeFile } from "./write-file.ts";

export const CATALOG: readonly DefinedTool[] = [
  readFile,
  writeFile,
  updateFile,
  listDir,
  glob,
  grep,
  bash,
  webFetch,
  researchCodebase,
  presentPlan,
  submit,
];

export function createTools(ports: ToolPorts, catalog: readonly DefinedTool[] = CATALOG): Tool[] {
  const files = new FileAccess(ports);
  return catalog.map((tool) => tool.bind({ ...ports, files }));
}
