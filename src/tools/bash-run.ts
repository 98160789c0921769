// One run of a shell command: started as its place says, its output collected, and looked after when it has ended.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessResult } from "../base/process.ts";
import { noteEnding, settleProcesses } from "../base/process-endings.ts";
import { shellQuoted } from "../base/shell-program.ts";
import { ToolError } from "../domain/error.ts";
import type { ToolContext } from "../domain/tool.ts";
import { followCwd } from "./bash-folder.ts";
import { createBashOutput } from "./bash-output.ts";
import { createBashProgress } from "./bash-progress.ts";
import type { DefinitionPorts } from "./define-tool.ts";
import { errorNumber } from "./file-problem.ts";
import type { Aftermath, ShellPlace, WrappedCommand } from "./ports.ts";

interface RunRequest {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The next call starts where this one ends. */
  readonly movesCwd: boolean;
}

export interface CommandRun {
  readonly result: ProcessResult;
  /** Its output for the model. */
  readonly text: string;
  readonly keptIn?: string;
  /** Says that the working directory changed. */
  readonly moved: string | null;
  readonly aftermath: Aftermath;
}

export async function runOnce(
  { script, env, timeoutMs, movesCwd }: RunRequest,
  place: ShellPlace,
  { signal, progress, grant: { rebuilt }, pausedWhile }: ToolContext,
  ports: DefinitionPorts,
): Promise<CommandRun> {
  const { runProcess } = await import("../base/process.ts");
  const reporter = createBashProgress(progress);
  const output = createBashOutput({ ...ports, onText: reporter.push });
  const ground = rebuilt === undefined ? ENVIRONMENT : onlyThese(rebuilt.environment);
  const folder = await mkdtemp(join(tmpdir(), "tunacode-bash-"));
  const cwdFile = join(folder, "cwd");
  let unended: WrappedCommand | null = null;
  try {
    const wrapped = await ports.shell(`${tellCwd(cwdFile)} ${script}`, { ...place, scratch: folder }, signal);
    unended = wrapped;
    const result = await runProcess({
      argv: wrapped.argv,
      cwd: place.folder,
      // Without PWD the shell would use ours, which may lead through a symlink.
      env: { ...ground, ...env, ...wrapped.env, PWD: place.folder },
      signal,
      timeoutMs,
      family: true,
      onOutput: output.push,
    }).catch(explainStart);
    const { text, ...kept } = await output.finish();
    reporter.flush();
    unended = null;
    const aftermath = await pausedWhile(() => wrapped.ended({ failed: hasFailed(result), output: text }));
    const isLast = aftermath.again === undefined || place.reach !== undefined;
    const moved = movesCwd && isLast ? await followCwd(ports.workspace, cwdFile) : null;
    return { result, text, ...kept, moved, aftermath };
  } finally {
    reporter.stop();
    const tidied = Promise.allSettled([
      output.close(),
      rm(folder, { recursive: true, force: true }),
      endedEarly(unended),
    ]);
    // An abort must return at once.
    if (!signal.aborted) await tidied;
  }
}

export function hasFailed({ end, exitCode }: ProcessResult): boolean {
  return end !== "exited" || exitCode !== 0;
}

/** For a command that was aborted, or could not start. What it started may take a moment to end. */
async function endedEarly(wrapped: WrappedCommand | null): Promise<void> {
  if (wrapped === null) return;
  const ending = settleProcesses().then(() => wrapped.ended({ failed: true, output: "" }));
  noteEnding(ending);
  await ending;
}

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

/** None of our own variables is passed on, such as a key of a provider. */
function onlyThese(
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string | undefined>> {
  const ours = Object.keys(process.env).map((name) => [name, undefined]);
  return { ...Object.fromEntries(ours), ...ENVIRONMENT, ...variables };
}

/** Linux accepts 128 KB in one argument, and other systems not much more. */
function explainStart(error: unknown): never {
  if (errorNumber(error) !== "E2BIG") throw error;
  throw new ToolError(
    "The command and its variables are too long for one call. Write it to a file with write_file and run that.",
    { cause: error },
  );
}

/** The shell writes its last working directory to a file, because output could fake it. */
function tellCwd(file: string): string {
  return `trap ${shellQuoted(`pwd -P 2>/dev/null >${shellQuoted(file)}`)} EXIT;`;
}
