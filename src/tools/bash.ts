// bash: runs a command in the project, without prompts, pagers, editors or colours.
import { constants } from "node:os";
import { z } from "zod";
import { defined } from "../base/defined.ts";
import type { ProcessResult } from "../base/process.ts";
import type { ToolContext, ToolOutput } from "../domain/tool.ts";
import type { ToolDetails } from "../domain/tool-details.ts";
import description from "./bash.md" with { type: "text" };
import { findStart, requireSameFolder, startFolder } from "./bash-folder.ts";
import { MAX_OUTPUT_CHARACTERS, outputCharacters } from "./bash-output.ts";
import { type CommandRun, hasFailed, runOnce } from "./bash-run.ts";
import { labelOf, textOf } from "./call-label.ts";
import { type DefinitionPorts, defineTool } from "./define-tool.ts";
import { refuseNul } from "./nul.ts";
import type { ShellPlace } from "./ports.ts";

export const DEFAULT_COMMAND_SECONDS = 120;
export const MAX_COMMAND_SECONDS = 600;
/** A command that failed in the sandbox may run a second time, if the person says so. */
const MAX_RUNS = 2;
/** Time for the work around the command. The tool's own timeout comes first, because it has the better message. */
const DEADLINE_MARGIN_MS = 10_000;

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
  deadlineMs: MAX_RUNS * MAX_COMMAND_SECONDS * 1_000 + DEADLINE_MARGIN_MS,
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
  context: ToolContext,
  ports: DefinitionPorts,
): Promise<ToolOutput> {
  refuseNul({ command, ...env, "a variable's name": Object.keys(env).join("") });
  const { grant } = context;
  const { folder, remark } = await findStart(ports.workspace, cwd, grant);
  const { sandboxed, rebuilt } = grant;
  const run = {
    script: rebuilt?.script ?? command,
    env,
    timeoutMs: timeout * 1_000,
    movesCwd: cwd === undefined,
  };
  const args = { command, ...defined({ cwd }), ...(Object.keys(env).length > 0 && { env }) };
  const shown = { script: run.script, env, folder, sandboxed };
  const asked = { toolName: bash.name, args, label: bash.label(args), command: shown };
  const first: ShellPlace = { folder, sandboxed, asked, ...(rebuilt !== undefined && { onlyReads: true }) };
  const inside = await runOnce(run, first, context, ports);
  const again = inside.aftermath.again;
  if (again === undefined) return outputOf(inside, first, { remark, timeout, earlier: [] });
  await requireSameFolder(ports.workspace, again.folder);
  context.progress(`[It runs again, ${again.sandboxed ? "inside" : "outside"} the sandbox.]\n`);
  const second = await runOnce(run, again, context, ports);
  return outputOf(second, again, { remark, timeout, earlier: inside.aftermath.remarks });
}

interface Surroundings {
  readonly remark: string | null;
  readonly timeout: number;
  /** Remarks about an earlier run of the same call. */
  readonly earlier: readonly string[];
}

function outputOf(
  { result, text, keptIn, moved, aftermath }: CommandRun,
  { sandboxed }: ShellPlace,
  { remark, timeout, earlier }: Surroundings,
): ToolOutput {
  const failed = hasFailed(result);
  // In the sandbox, its own relay processes would be counted too.
  const background = sandboxed ? null : backgroundRemark(result);
  const printed = text.trimEnd();
  const sandbox = failed && sandboxed ? SANDBOX_REMARK : null;
  const remarks = [...earlier, ...aftermath.remarks];
  const lines = [printed || "(no output)", remark, ending(result, timeout), background, moved, sandbox];
  return {
    content: [...lines, ...remarks].filter((line) => line !== null).join("\n"),
    failed,
    details: commandDetails(result, sandboxed, [printed, remark, background, moved, ...remarks]),
    ...defined({ keptIn }),
  };
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

const SANDBOX_REMARK =
  "[It ran in a sandbox: only the project and the temporary folders can be written, and the network may be closed.]";

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
