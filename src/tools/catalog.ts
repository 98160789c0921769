// The eleven tools, made from their ports.
import type { Tool } from "../domain/tool.ts";
import { createBash } from "./bash.ts";
import { createFileAccess } from "./file-access.ts";
import { createGlob } from "./glob.ts";
import { createGrep } from "./grep.ts";
import { createListDir } from "./list-dir.ts";
import type { ToolPorts } from "./ports.ts";
import { createPresentPlan } from "./present-plan.ts";
import { createReadFile } from "./read-file.ts";
import { createResearchCodebase } from "./research-codebase.ts";
import { createSubmit } from "./submit.ts";
import { createUpdateFile } from "./update-file.ts";
import { createWebFetch } from "./web-fetch.ts";
import { createWriteFile } from "./write-file.ts";

export function createTools(ports: ToolPorts): Tool[] {
  const { diagnostics } = ports;
  const files = createFileAccess(ports.workspace, diagnostics === undefined ? {} : { diagnostics });
  return [
    createReadFile(files),
    createWriteFile(files),
    createUpdateFile(files),
    createListDir(ports),
    createGlob(ports),
    createGrep(ports),
    createBash(ports),
    createWebFetch(ports),
    createResearchCodebase(ports),
    createPresentPlan(ports),
    createSubmit(),
  ];
}
