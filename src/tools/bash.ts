// bash: runs a command in the project, with a person's shell and none of its surprises.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessResult } from "../base/process.ts";
import { ToolError } from "../domain/error.ts";
import type { Tool, ToolContext, ToolOutput } from "../domain/tool.ts";
import { argumentText, variableText } from "./argument-text.ts";
import description from "./bash.md" with { type: "text" };
import { createBashOutput, MAX_OUTPUT_CHARACTERS, outputCharacters } from "./bash-output.ts";
import { createBashProgress } from "./bash-progress.ts";
import { type ArgumentsOf, defineTool, type Zod } from "./define-tool.ts";
import { errorNumber } from "./file-problem.ts";
import type { Shell, ToolPorts, Workspace } from "./ports.ts";
import { requireDirectory } from "./require-directory.ts";

export const DEFAULT_TIMEOUT_SECONDS = 120;
export const MAX_TIMEOUT_SECONDS = 600;
/** For what happens around the command: the tool's own timeout should come first, because it says more. */
const DEADLINE_MARGIN_MS = 10_000;

/** Nothing waits for a key, opens an editor, asks for a password, or paints. */
const ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  // Or `git status`, which only looks, would write the index.
  GIT_OPTIONAL_LOCKS: "0",
  // With it, `cd` may go somewhere else than it says.
  CDPATH: undefined,
  GCM_INTERACTIVE: "never",
  SSH_ASKPASS_REQUIRE: "never",
  DEBIAN_FRONTEND: "noninteractive",
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  CLICOLOR_FORCE: undefined,
  TERM: "dumb",
  PYTHONUNBUFFERED: "1",
  npm_config_update_notifier: "false",
};

export const makeSchema = (z: Zod) =>
  z.object({
    command: argumentText(z),
    cwd: z.string().min(1).optional(),
    env: z
      .record(
        variableText(z).regex(/^[^=]+$/, "a variable's name can't be empty or hold a ="),
        variableText(z),
      )
      .optional(),
    timeout: z.number().positive().max(MAX_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS),
  });

type BashPorts = Pick<ToolPorts, "workspace" | "shell" | "spillFolder" | "mask" | "maxCommandOutput">;

export function createBash(ports: BashPorts): Tool {
  return defineTool({
    name: "bash",
    kind: "write",
    description: describe(ports.maxCommandOutput),
    makeSchema,
    deadlineMs: MAX_TIMEOUT_SECONDS * 1_000 + DEADLINE_MARGIN_MS,
    execute: async (args, context) => await runCommand(ports, args, context),
  });
}

/** The prose names the cap that holds. */
function describe(maxCommandOutput: number | undefined): string {
  // Writing a number with its commas loads the languages of the world, 2 ms and a megabyte.
  if (maxCommandOutput === undefined) return description;
  const [usual, own] = [MAX_OUTPUT_CHARACTERS, outputCharacters(maxCommandOutput)];
  return description.replace(usual.toLocaleString("en"), own.toLocaleString("en"));
}

export const plainShell: Shell = {
  async wrapCommand(script) {
    // Most systems have it there; on those that don't (NixOS), PATH decides.
    const program = existsSync("/bin/bash") ? "/bin/bash" : "bash";
    return { argv: [program, "-c", script], sandboxed: false };
  },
};

async function runCommand(
  ports: BashPorts,
  { command, cwd, env, timeout }: ArgumentsOf<typeof makeSchema>,
  { signal, progress }: ToolContext,
): Promise<ToolOutput> {
  const { runProcess } = await import("../base/process.ts");
  const start = await findStart(ports.workspace, cwd);
  const reporter = createBashProgress(progress);
  const output = createBashOutput({ ...ports, onText: reporter.push });
  const folder = await mkdtemp(join(tmpdir(), "tunacode-bash-"));
  const cwdFile = join(folder, "cwd");
  try {
    const script = `${tellCwd(cwdFile)} ${command}`;
    const wrapped = await ports.shell.wrapCommand(script, start.directory, signal, command);
    const result = await runProcess({
      argv: wrapped.argv,
      cwd: start.directory,
      env: { ...ENVIRONMENT, ...env, ...wrapped.env },
      signal,
      timeoutMs: timeout * 1_000,
      family: true,
      onOutput: async (piece) => {
        await output.push(piece);
        return undefined;
      },
    }).catch(explainStart);
    const text = await output.finish();
    reporter.flush();
    const failed = result.end !== "exited" || result.exitCode !== 0;
    const remarks = [
      start.remark,
      ending(result, timeout),
      // In the sandbox its own relays would be counted, too.
      wrapped.sandboxed ? null : backgroundRemark(result),
      cwd === undefined ? await followCwd(ports.workspace, cwdFile) : null,
      failed && wrapped.sandboxed ? SANDBOX_REMARK : null,
    ];
    return {
      content: [text.trimEnd() || "(no output)", ...remarks.filter((remark) => remark !== null)].join("\n"),
      failed,
    };
  } finally {
    reporter.stop();
    const tidied = Promise.allSettled([output.close(), rm(folder, { recursive: true, force: true })]);
    // Whoever aborts gets control back at once.
    if (!signal.aborted) await tidied;
  }
}

/** Linux takes 128 KB in one argument, and other systems not much more. */
function explainStart(error: unknown): never {
  if (errorNumber(error) !== "E2BIG") throw error;
  throw new ToolError(
    "execution",
    "The command and its variables are too long for one call. Write it to a file with write_file and run that.",
    { cause: error },
  );
}

const SANDBOX_REMARK =
  "[It ran in a sandbox: only the project and the temporary folders can be written, and the network may be closed.]";

/** The shell itself says where it ended, and in a file, so that nothing in the output can pretend to. */
function tellCwd(file: string): string {
  return `trap ${quote(`pwd -P 2>/dev/null >${quote(file)}`)} EXIT;`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

async function findStart(
  workspace: Workspace,
  cwd: string | undefined,
): Promise<{ directory: string; remark: string | null }> {
  if (cwd !== undefined) return { directory: await requireDirectory(workspace, cwd), remark: null };
  const kept = workspace.cwd();
  if (await isDirectory(kept)) return { directory: kept, remark: null };
  workspace.setCwd(workspace.root);
  return {
    directory: workspace.root,
    remark: `[The working directory ${kept} is gone; the command ran in ${workspace.root}.]`,
  };
}

async function followCwd(workspace: Workspace, file: string): Promise<string | null> {
  // Missing when the shell was killed, or replaced itself by another program.
  const path = (await readFile(file, "utf8").catch(() => "")).replace(/\n$/, "");
  if (path === "" || path === workspace.cwd() || !(await isDirectory(path))) return null;
  workspace.setCwd(path);
  return `[The working directory is now ${path}.]`;
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function ending({ end, exitCode, signalName, durationMs }: ProcessResult, timeout: number): string {
  const took = `${(durationMs / 1_000).toFixed(1)} s`;
  if (end === "timed-out")
    return `[Timed out after ${timeout} s; the command and everything it started was ended. Give a longer timeout (at most ${MAX_TIMEOUT_SECONDS} s) or do less at once.]`;
  if (signalName !== null) return `[Ended by ${signalName} after ${took}.]`;
  return `[Exit code ${exitCode}${signalHint(exitCode ?? 0)}, ${took}.]`;
}

/** How a shell reports that its command was killed. */
function signalHint(exitCode: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return name === undefined ? "" : ` (${name})`;
}

function backgroundRemark({ endedInBackground: count }: ProcessResult): string | null {
  if (count === 0) return null;
  const what = count === 1 ? "1 process was" : `${count} processes were`;
  return `[${what} still running in the background and ended with the call. What needs them has to be in the same command.]`;
}
