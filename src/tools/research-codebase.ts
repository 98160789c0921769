// research_codebase: gives a question to a subagent, which the port provides.
import { z } from "zod";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import { listDir } from "./list-dir.ts";
import description from "./research-codebase.md" with { type: "text" };
import { pathDemand } from "./workspace-path.ts";

export const DEFAULT_FILES = 10;
export const MAX_FILES = 50;

/** A subagent makes many model calls, and each has its own deadlines. */
const DEADLINE_MS = 30 * 60_000;

export const researchCodebase = defineTool({
  name: "research_codebase",
  kind: "research",
  description,
  schema: z.object({
    query: z.string().min(1),
    directories: z.array(z.string().min(1)).default([]),
    max_files: z.int().min(1).max(MAX_FILES).default(DEFAULT_FILES),
  }),
  deadlineMs: DEADLINE_MS,
  // The subagent has to ask for itself before it reads anything in there.
  demands: ({ directories }, { workspace }) =>
    (directories.length === 0 ? ["."] : directories).map((folder) => ({
      ...pathDemand(workspace, folder, "read", "names"),
      countsAs: listDir.name,
    })),
  label: labelOf("Research", "query"),
  names: { hooks: "Task", editors: "search" },
  execute: async ({ query, directories, max_files: maxFiles }, context, ports) =>
    await ports.research(query, { directories, maxFiles }, context),
});
