// Runs ripgrep for the search tools: finds the embedded program, streams its records, turns its errors into remarks.
import type { OutputVerdict } from "../base/process-start.ts";
import { errorMessage, ToolError } from "../domain/error.ts";
import { findProgram } from "./find-program.ts";
import { stuckIgnoreFile } from "./stuck-ignore-file.ts";

/** Includes hidden files but not .git, respects ignore files outside git, and ignores the person's own rg settings. */
export const WALK_FLAGS = ["--no-config", "--hidden", "--no-require-git", "--glob=!.git"];

export interface RipgrepRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly separator: "\n" | "\0";
  /** Called with many records at a time: one call per record would cost more than the search. */
  readonly onRecords: (records: readonly string[]) => OutputVerdict | Promise<OutputVerdict>;
}

export interface RipgrepResult {
  /** 0: found, 1: nothing found, 2: an error; null if it was stopped. */
  readonly exitCode: number | null;
  readonly complaints: string;
}

/** Longer records, such as a match in a line of megabytes, are cut. */
const MAX_RECORD_CHARACTERS = 1_000_000;
const MAX_COMPLAINT_CHARACTERS = 4_000;
/** Most searches end before. */
const SILENT_MS = 2_000;

export async function runRipgrep(request: RipgrepRequest): Promise<RipgrepResult> {
  const { runProcess } = await import("../base/process.ts");
  const { program, args, cwd, signal, separator, onRecords } = request;
  const decoder = new TextDecoder();
  const errors = new TextDecoder();
  let open = "";
  let complaints = "";
  const stuck = new AbortController();
  const waiting = setTimeout(async () => {
    const path = await stuckIgnoreFile(cwd);
    if (path !== null)
      stuck.abort(
        new ToolError(
          `${path} is no plain file, and the search waits for it. Search in another directory, or tell the person.`,
        ),
      );
  }, SILENT_MS);
  const { exitCode, end } = await runProcess({
    argv: [program, ...args],
    cwd,
    signal: AbortSignal.any([signal, stuck.signal]),
    onOutput: (piece) => {
      waiting.refresh();
      const [first = "", ...others] = decoder.decode(piece, { stream: true }).split(separator);
      if (open.length < MAX_RECORD_CHARACTERS) open += first;
      const next = others.pop();
      if (next === undefined) return undefined;
      const records = [open, ...others];
      open = next;
      return onRecords(records);
    },
    onErrorOutput: (piece) => {
      complaints = (complaints + errors.decode(piece, { stream: true })).slice(0, MAX_COMPLAINT_CHARACTERS);
      return undefined;
    },
  }).finally(() => clearTimeout(waiting));
  if (end === "stopped") return { exitCode: null, complaints };
  if (exitCode === 0 || exitCode === 1 || exitCode === 2) return { exitCode, complaints };
  const said = complaints.trim() || "no message";
  throw new ToolError(`ripgrep failed with exit code ${exitCode}: ${said}`);
}

/** Without the lines about files that may not be read. */
export function complaintsAbout(complaints: string, mayRead: (path: string) => boolean): string {
  const lines = complaints.split("\n").filter((line) => {
    const path = /^rg: \.\/(.+?): /.exec(line)?.[1];
    return path === undefined || mayRead(path);
  });
  return lines.join("\n");
}

/** ripgrep's error about its arguments, as opposed to about single files. */
export function argumentProblem({ exitCode, complaints }: RipgrepResult): string | null {
  if (exitCode !== 2 || complaints.trim() === "" || complaintLines(complaints).some(isAboutFile)) return null;
  return complaints.replace(/^rg: /, "").trim();
}

/** Errors about single files, such as an unreadable folder, are reported but don't fail the search. */
export function complaintRemark(complaints: string): string | null {
  const lines = complaintLines(complaints).filter(isAboutFile);
  if (lines.length === 0) return null;
  const shown = lines.slice(0, MAX_COMPLAINTS).map((line) => line.slice("rg: ".length).replace(/^\.\//, ""));
  const more = lines.length > shown.length ? ` and ${lines.length - shown.length} more` : "";
  return `[Not searched: ${shown.join("; ")}${more}.]`;
}

const MAX_COMPLAINTS = 3;

function complaintLines(complaints: string): string[] {
  return complaints.split("\n").filter((line) => line.startsWith("rg: "));
}

function isAboutFile(line: string): boolean {
  return /\(os error \d+\)|File system loop/.test(line);
}

/** Looks for the program once per process. */
export function createRipgrepPath(): () => Promise<string> {
  let path: Promise<string> | null = null;
  return () => {
    path ??= findRipgrep();
    return path;
  };
}

async function findRipgrep(): Promise<string> {
  try {
    const { extractEmbedded } = await import("../base/embedded-file.ts");
    return await extractEmbedded("rg", await embeddedRipgrep());
  } catch (error) {
    // No platform package, or nowhere to extract the program: fall back to the PATH.
    const installed = await findProgram("rg", process.env["PATH"] ?? "");
    if (installed !== null) return installed;
    throw new ToolError(
      `Searching needs ripgrep, which is not available (${errorMessage(error)}). Ask the person to install rg, or use bash with find and grep.`,
    );
  }
}

/** The build keeps only its own platform's branch: one program is embedded, and the others needn't exist. */
async function embeddedRipgrep(): Promise<string> {
  if (process.platform === "linux" && process.arch === "x64")
    return (await import("@vscode/ripgrep-linux-x64/bin/rg", { with: { type: "file" } })).default;
  if (process.platform === "linux" && process.arch === "arm64")
    return (await import("@vscode/ripgrep-linux-arm64/bin/rg", { with: { type: "file" } })).default;
  if (process.platform === "darwin" && process.arch === "x64")
    return (await import("@vscode/ripgrep-darwin-x64/bin/rg", { with: { type: "file" } })).default;
  if (process.platform === "darwin" && process.arch === "arm64")
    return (await import("@vscode/ripgrep-darwin-arm64/bin/rg", { with: { type: "file" } })).default;
  throw new Error(`there is no ripgrep for ${process.platform} on ${process.arch}`);
}
