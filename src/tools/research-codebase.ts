// research_codebase: a question for a subagent; who that is, the port decides.
import type { Tool } from "../domain/tool.ts";
import { defineTool, type Zod } from "./define-tool.ts";
import type { ToolPorts } from "./ports.ts";
import description from "./research-codebase.md" with { type: "text" };

export const DEFAULT_FILES = 10;
export const MAX_FILES = 50;

/** A subagent makes many model calls; each of them has deadlines of its own. */
const DEADLINE_MS = 30 * 60_000;

export const makeSchema = (z: Zod) =>
  z.object({
    query: z.string().min(1),
    directories: z.array(z.string().min(1)).default([]),
    max_files: z.int().min(1).max(MAX_FILES).default(DEFAULT_FILES),
  });

export function createResearchCodebase(ports: Pick<ToolPorts, "research">): Tool {
  return defineTool({
    name: "research_codebase",
    kind: "research",
    description,
    makeSchema,
    deadlineMs: DEADLINE_MS,
    execute: async ({ query, directories, max_files: maxFiles }, context) =>
      await ports.research(query, { directories, maxFiles }, context),
  });
}
