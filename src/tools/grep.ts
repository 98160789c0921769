// grep: finds lines that match a pattern, or the files that contain one.
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { ToolError } from "../domain/error.ts";
import type { Grant } from "../domain/grant.ts";
import { labelOf } from "./call-label.ts";
import { defineTool } from "./define-tool.ts";
import { globReach, globStart, readGlobPattern } from "./glob-pattern.ts";
import { requireDirectory, requireGranted } from "./granted-path.ts";
import description from "./grep.md" with { type: "text" };
import { createGrepReport, type GrepReportOptions } from "./grep-report.ts";
import { refuseNul } from "./nul.ts";
import type { Workspace } from "./ports.ts";
import {
  argumentProblem,
  complaintRemark,
  complaintsAbout,
  type RipgrepRequest,
  type RipgrepResult,
  runRipgrep,
  WALK_FLAGS,
} from "./ripgrep.ts";
import { displayPath, pathDemand, resolveInWorkspace } from "./workspace-path.ts";

export const DEFAULT_RESULTS = 100;
export const MAX_MATCHES = 1_000;
export const MAX_CONTEXT_LINES = 10;
const DEADLINE_MS = 60_000;

const schema = z.object({
  pattern: z.string().min(1),
  directory: z.string().min(1).optional(),
  glob: z.string().min(1).optional(),
  case_insensitive: z.boolean().default(false),
  literal: z.boolean().default(false),
  context: z.int().min(0).max(MAX_CONTEXT_LINES).default(0),
  files_only: z.boolean().default(false),
  max_results: z.int().min(1).max(MAX_MATCHES).default(DEFAULT_RESULTS),
});
type Arguments = z.output<typeof schema>;

export const grep = defineTool({
  name: "grep",
  kind: "read",
  description,
  schema,
  deadlineMs: DEADLINE_MS,
  isOffered: () => true,
  demands({ directory = ".", glob }, { workspace }) {
    const within = glob === undefined ? [] : [globStart(directory, glob), ...globReach(directory, glob)];
    return [directory, ...within].map((place) => pathDemand(workspace, place, "read", "file"));
  },
  ruleTopic: "read",
  label: labelOf("Search", "pattern", "directory"),
  resultStyle: "count",
  names: { hooks: "Grep", editors: "search" },
  async execute(args, { signal, grant }, { workspace, ripgrepPath }) {
    refuseNul({ pattern: args.pattern, glob: args.glob });
    const scope = await findScope(workspace, args, grant);
    const { start: cwd } = scope;
    const shown = new Map<string, boolean>();
    // Permission is checked once per file with a match. Files that need a person's yes are left out, and nothing tells
    // whether there was a match in one: that alone says something about what is in it.
    const accepts = (path: string) => {
      if (!scope.accepts(path)) return false;
      if (!shown.has(path)) shown.set(path, scope.isGranted || grant.mayRead(join(cwd, path)));
      return shown.get(path) === true;
    };
    const show = (path: string) => displayPath(workspace, join(cwd, path));
    const search = { program: await ripgrepPath(), cwd, signal, args: searchArgs(args, scope) };
    const find = args.files_only ? findFiles : findLines;
    const found = await find(search, { maxMatches: args.max_results, accepts, show });
    // An error about a file may depend on what is in it.
    const complaints = complaintsAbout(
      found.result.complaints,
      (path) => scope.isGranted || grant.mayRead(join(cwd, path)),
    );
    const problem = argumentProblem({ ...found.result, complaints });
    if (problem !== null) throw new ToolError(explainPattern(problem));
    const remarks = [countRemark(found, args), complaintRemark(complaints)];
    const content = [...found.lines, ...remarks.filter((remark) => remark !== null)].join("\n");
    const of = args.files_only ? "file" : "match";
    return { content, details: { type: "count", count: found.count, of } };
  },
});

interface Scope {
  readonly start: string;
  /** What ripgrep searches, relative to `start`. */
  readonly target: string;
  readonly flags: readonly string[];
  readonly accepts: (path: string) => boolean;
  /** It is one file, about which the person was asked if need be. */
  readonly isGranted: boolean;
}

interface Found {
  readonly lines: readonly string[];
  readonly count: number;
  readonly result: RipgrepResult;
}

type Search = Pick<RipgrepRequest, "program" | "cwd" | "signal" | "args">;

async function findScope(
  workspace: Workspace,
  { directory = ".", glob }: Arguments,
  grant: Grant,
): Promise<Scope> {
  const everything = { target: "./", flags: [], accepts: () => true, isGranted: false };
  const place = resolveInWorkspace(workspace, directory);
  if (await isFile(place)) {
    requireGranted(workspace, place, grant);
    return { ...everything, start: dirname(place), target: `./${basename(place)}`, isGranted: true };
  }
  if (glob === undefined) return { ...everything, start: await requireDirectory(workspace, place, grant) };
  const { walkFlags, matches } = readGlobPattern(glob);
  const start = await requireDirectory(workspace, globStart(directory, glob), grant);
  return { ...everything, start, flags: walkFlags, accepts: matches };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}

function searchArgs(args: Arguments, { target, flags }: Scope): string[] {
  return [
    ...WALK_FLAGS,
    ...flags,
    // Falls back to PCRE2 for what ripgrep's own engine lacks: look-around and back references.
    args.literal ? "--fixed-strings" : "--engine=auto",
    ...(args.case_insensitive ? ["--ignore-case"] : []),
    ...(/\\n|\n/.test(args.pattern) ? ["--multiline"] : []),
    ...(args.files_only
      ? ["--files-with-matches", "--null"]
      : ["--json", `--context=${args.context}`, `--max-count=${args.max_results}`]),
    `--regexp=${args.pattern}`,
    "--",
    target,
  ];
}

async function findLines(search: Search, wanted: GrepReportOptions): Promise<Found> {
  const report = createGrepReport(wanted);
  const result = await runRipgrep({
    ...search,
    separator: "\n",
    onRecords: (records) => (records.some(report.add) ? "stop" : undefined),
  });
  return { lines: report.lines(), count: report.matches(), result };
}

async function findFiles(search: Search, { maxMatches, accepts, show }: GrepReportOptions): Promise<Found> {
  const files: string[] = [];
  const result = await runRipgrep({
    ...search,
    separator: "\0",
    onRecords: (paths) => {
      files.push(...paths.map((path) => path.replace(/^\.\//, "")).filter(accepts));
      return files.length >= maxMatches ? "stop" : undefined;
    },
  });
  const shown = files.slice(0, maxMatches).sort();
  return { lines: shown.map(show), count: shown.length, result };
}

function explainPattern(problem: string): string {
  // ripgrep prints several paragraphs; one line names the mistake.
  const mistake = /^error: (.+)$/m.exec(problem)?.[1] ?? problem.slice(0, MAX_PROBLEM_CHARACTERS);
  return `The pattern can't be used: ${mistake}. Escape characters that have a meaning in regular expressions (as in \\( or \\.), or set literal to true to search for it as plain text.`;
}

const MAX_PROBLEM_CHARACTERS = 500;

function countRemark({ count, result }: Found, args: Arguments): string | null {
  const what = args.files_only ? "files" : "matches";
  if (result.exitCode === null)
    return `[Stopped at ${count} ${what}; there may be more. Narrow the pattern, directory or glob${count < MAX_MATCHES ? ", or raise max_results" : ""}.]`;
  if (count > 0) return null;
  const where = [args.directory, args.glob].filter((part) => part !== undefined && part !== ".").join(", ");
  return `No matches for ${args.pattern}${where === "" ? "" : ` in ${where}`}. Files named in .gitignore, binary files and files where secrets are kept are not searched.`;
}
