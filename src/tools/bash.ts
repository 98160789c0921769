// bash: runs a command in the project, without prompts, pagers, editors or colours.
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { defined } from "../base/defined.ts";
import type { ProcessResult } from "../base/process.ts";
import { ToolError } from "../domain/error.ts";
import type { ToolContext, ToolOutput } from "../domain/tool.ts";
import type { ToolDetails } from "../domain/tool-details.ts";
import description from "./bash.md" with { type: "text" };
import { findStart, followCwd, startFolder } from "./bash-folder.ts";
import { createBashOutput, MAX_OUTPUT_CHARACTERS, outputCharacters } from "./bash-output.ts";
import { createBashProgress } from "./bash-progress.ts";
import { labelOf, textOf } from "./call-label.ts";
import { type DefinitionPorts, defineTool } from "./define-tool.ts";
import { errorNumber } from "./file-problem.ts";
import { refuseNul } from "./nul.ts";

export const DEFAULT_COMMAND_SECONDS = 120;
export const MAX_COMMAND_SECONDS = 600;
/** Time for the work around the command. The tool's own timeout comes first, because it has the better message. */
const DEADLINE_MARGIN_MS = 10_000;

/** Keeps programs from waiting for a key, opening an editor, asking for a password, or printing colours. */
const ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  // Without this, `git status` would write the index.
  GIT_OPTIONAL_LOCKS: "0",
  // With CDPATH, `cd` may go somewhere else than it says.
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

const schema = z.object({
  command: z.string().min(1),
  cwd: z.string().min(1).optional(),
  env: z.record(z.string().regex(/^[^=]+$/), z.string()).optional(),
  timeout: z.number().positive().max(MAX_COMMAND_SECONDS).default(DEFAULT_COMMAND_SECONDS),
});

export const bash = defineTool({
  name: "bash",
  kind: "write",
  description: describe,
  schema,
  deadlineMs: MAX_COMMAND_SECONDS * 1_000 + DEADLINE_MARGIN_MS,
  demands({ command, cwd, env = {} }, { workspace }) {
    return [{ type: "shell", command, folder: startFolder(workspace, cwd), env }];
  },
  ruleTopic: "command",
  label: (args) => ({ ...labelOf("Run", "command", "cwd")(args), whole: textOf(args["command"]) }),
  question: "May this command run?",
  resultStyle: "tail",
  names: { hooks: "Bash", editors: "execute" },
  execute: runCommand,
});

/** The prose names the cap that applies. */
function describe({ maxCommandOutput }: DefinitionPorts): string {
  // toLocaleString loads the locale data, which takes 2 ms and a megabyte, so it runs only if needed.
  if (maxCommandOutput === undefined) return description;
  const [usual, own] = [MAX_OUTPUT_CHARACTERS, outputCharacters(maxCommandOutput)];
  return description.replace(usual.toLocaleString("en"), own.toLocaleString("en"));
}

async function runCommand(
  { command, cwd, env = {}, timeout }: z.output<typeof schema>,
  { signal, progress, grant, pausedWhile }: ToolContext,
  ports: DefinitionPorts,
): Promise<ToolOutput> {
  refuseNul({ command, ...env, "a variable's name": Object.keys(env).join("") });
  const { runProcess } = await import("../base/process.ts");
  const start = await findStart(ports.workspace, cwd, grant);
  const reporter = createBashProgress(progress);
  const output = createBashOutput({ ...ports, onText: reporter.push });
  const ground = grant.rebuilt === undefined ? ENVIRONMENT : onlyThese(grant.rebuilt.environment);
  const folder = await mkdtemp(join(tmpdir(), "tunacode-bash-"));
  const cwdFile = join(folder, "cwd");
  try {
    const script = grant.rebuilt?.script ?? command;
    const place = {
      folder: start.folder,
      sandboxed: grant.sandboxed,
      scratch: folder,
      asked: {
        toolName: "bash",
        args: { command },
        label: { verb: "Run", subject: command },
        command: { script, env, folder: start.folder, sandboxed: grant.sandboxed },
      },
    };
    const wrapped = await ports.shell(`${tellCwd(cwdFile)} ${script}`, place, signal);
    const result = await runProcess({
      argv: wrapped.argv,
      cwd: start.folder,
      // Without PWD the shell would use ours, which may lead through a symlink.
      env: { ...ground, ...env, ...wrapped.env, PWD: start.folder },
      signal,
      timeoutMs: timeout * 1_000,
      family: true,
      onOutput: output.push,
    }).catch(explainStart);
    const { text, ...kept } = await output.finish();
    reporter.flush();
    const failed = result.end !== "exited" || result.exitCode !== 0;
    const { remarks } = await pausedWhile(() => wrapped.ended({ failed, output: text }));
    const moved = cwd === undefined ? await followCwd(ports.workspace, cwdFile) : null;
    // In the sandbox, its own relay processes would be counted too.
    const background = grant.sandboxed ? null : backgroundRemark(result);
    const printed = text.trimEnd();
    const sandbox = failed && grant.sandboxed ? SANDBOX_REMARK : null;
    const ended = ending(result, timeout);
    const lines = [printed || "(no output)", start.remark, ended, background, moved, sandbox, ...remarks];
    return {
      content: lines.filter((line) => line !== null).join("\n"),
      failed,
      details: commandDetails(result, grant.sandboxed, [printed, start.remark, background, moved]),
      ...kept,
    };
  } finally {
    reporter.stop();
    const tidied = Promise.allSettled([output.close(), rm(folder, { recursive: true, force: true })]);
    // An abort must return at once.
    if (!signal.aborted) await tidied;
  }
}

/** None of our own variables is passed on, such as a key of a provider. */
function onlyThese(
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string | undefined>> {
  const ours = Object.keys(process.env).map((name) => [name, undefined]);
  return { ...Object.fromEntries(ours), ...ENVIRONMENT, ...variables };
}

/** A person sees only the end; keeping all of it would double the size of the session's file. */
const MOST_DETAIL_CHARACTERS = 2_000;

function commandDetails(
  { exitCode, signalName, end }: ProcessResult,
  sandboxed: boolean,
  lines: readonly (string | null)[],
): ToolDetails {
  const text = lines.filter((line) => line !== null && line !== "").join("\n");
  const output = text.slice(-MOST_DETAIL_CHARACTERS).toWellFormed();
  const earlier = text.slice(0, text.length - output.length).split("\n").length - 1;
  const isTimedOut = end === "timed-out";
  return defined({
    type: "command" as const,
    exitCode: isTimedOut || signalName !== null ? null : exitCode,
    signal: signalName ?? undefined,
    timedOut: isTimedOut || undefined,
    sandboxed,
    output,
    earlierLines: earlier || undefined,
  });
}

/** Linux accepts 128 KB in one argument, and other systems not much more. */
function explainStart(error: unknown): never {
  if (errorNumber(error) !== "E2BIG") throw error;
  throw new ToolError(
    "The command and its variables are too long for one call. Write it to a file with write_file and run that.",
    { cause: error },
  );
}

const SANDBOX_REMARK =
  "[It ran in a sandbox: only the project and the temporary folders can be written, and the network may be closed.]";

/** The shell writes its last working directory to a file, because output could fake it. */
function tellCwd(file: string): string {
  return `trap ${quote(`pwd -P 2>/dev/null >${quote(file)}`)} EXIT;`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function ending({ end, exitCode, signalName, durationMs }: ProcessResult, timeout: number): string {
  const took = `${(durationMs / 1_000).toFixed(1)} s`;
  if (end === "timed-out")
    return `[Timed out after ${timeout} s; the command and everything it started was ended. Give a longer timeout (at most ${MAX_COMMAND_SECONDS} s) or do less at once.]`;
  if (signalName !== null) return `[Ended by ${signalName} after ${took}.]`;
  return `[Exit code ${exitCode}${signalHint(exitCode ?? 0)}, ${took}.]`;
}

/** A shell reports a command that was killed with an exit code of 128 plus the signal's number. */
function signalHint(exitCode: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return name === undefined ? "" : ` (${name})`;
}

function backgroundRemark({ endedInBackground: count }: ProcessResult): string | null {
  if (count === 0) return null;
  const what = count === 1 ? "1 process was" : `${count} processes were`;
  return `[${what} still running in the background and ended with the call. What needs them has to be in the same command.]`;
}
