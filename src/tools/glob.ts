// glob: finds files by name, most recently changed first.
import { statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ToolError } from "../domain/error.ts";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import description from "./glob.md" with { type: "text" };
import { globReach, globStart, readGlobPattern } from "./glob-pattern.ts";
import { requireDirectory } from "./granted-path.ts";
import { refuseNul } from "./nul.ts";
import { argumentProblem, complaintRemark, runRipgrep, WALK_FLAGS } from "./ripgrep.ts";
import { displayPath, pathDemand } from "./workspace-path.ts";

export const MAX_FILES_FOUND = 200;
/** Each match costs a stat. With more matches than this, a better pattern helps more than their order. */
const MAX_MATCHES = 10_000;
/** This many take a few milliseconds. */
const SLICE = 1_000;
const DEADLINE_MS = 60_000;

interface Match {
  readonly path: string;
  readonly modified: number;
}

export const glob = defineTool({
  name: "glob",
  kind: "read",
  description,
  schema: z.object({ pattern: z.string().min(1), directory: z.string().min(1).optional() }),
  deadlineMs: DEADLINE_MS,
  isOffered: () => true,
  demands({ pattern, directory = "." }, { workspace }) {
    const places = [directory, globStart(directory, pattern), ...globReach(directory, pattern)];
    return places.map((place) => pathDemand(workspace, place, "read", "names"));
  },
  ruleTopic: "read",
  label: labelOf("Find", "pattern", "directory"),
  resultStyle: "count",
  names: { hooks: "Glob", editors: "search" },
  async execute({ pattern, directory = "." }, { signal, grant }, { workspace, ripgrepPath }) {
    refuseNul({ pattern });
    const { walkFlags, matches } = readGlobPattern(pattern);
    const start = await requireDirectory(workspace, globStart(directory, pattern), grant);
    const found: Match[] = [];
    const result = await runRipgrep({
      program: await ripgrepPath(),
      args: [...WALK_FLAGS, "--files", "--null", ...walkFlags],
      cwd: start,
      signal,
      separator: "\0",
      onRecords: async (paths) => {
        for (const [index, path] of paths.entries()) {
          if (matches(path)) found.push({ path, modified: modifiedAt(join(start, path)) });
          if (found.length >= MAX_MATCHES) return "stop";
          if (index % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
        }
        return undefined;
      },
    });
    const problem = argumentProblem(result);
    if (problem !== null) throw new ToolError(`The pattern can't be used: ${problem}`);
    const newest = found
      .sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
      .slice(0, MAX_FILES_FOUND)
      .map(({ path }) => displayPath(workspace, join(start, path)));
    const lines = [...newest, countRemark(found.length, pattern), complaintRemark(result.complaints)];
    const content = lines.filter((line) => line !== null).join("\n");
    return { content, details: { type: "count", count: newest.length, of: "file" } };
  },
});

/** Synchronous, because that takes 2 µs instead of 4; it is called in slices. */
function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    // Deleted since, or in a folder that can be listed but not entered: sorted as the oldest.
    return 0;
  }
}

function countRemark(count: number, pattern: string): string | null {
  if (count === 0)
    return `No file matches ${pattern}. Files named in .gitignore are left out; without a slash a pattern matches at any depth; brackets in a name are written \\[ and \\].`;
  if (count >= MAX_MATCHES)
    return `[The newest ${MAX_FILES_FOUND} of the first ${MAX_MATCHES} matches; there may be more, and newer ones. Use a narrower pattern or directory.]`;
  if (count > MAX_FILES_FOUND)
    return `[The newest ${MAX_FILES_FOUND} of ${count} matches. Use a narrower pattern or directory.]`;
  return null;
}
