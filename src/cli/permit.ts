// `tunacode permit`: would this shell command run, be asked about or be denied here, and why. It runs nothing.
import { isAbsolute, join } from "node:path";
import { parseArgs } from "node:util";
import { createPermissionContext, type WrittenRules } from "../app/permit.ts";
import { errorMessage } from "../domain/error.ts";
import { type Decision, PERMISSION_MODES, type PermissionMode } from "../domain/permission.ts";
import { decide } from "../permission/decide.ts";

export interface PermitInput {
  readonly arguments: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** From the configuration files. */
  readonly mode?: PermissionMode;
  readonly rules?: readonly WrittenRules[];
  readonly trusted?: boolean;
}

const USAGE = `Usage: tunacode permit COMMAND | - | -0
  COMMAND               one shell command, in quotes
  -                     one command a line from standard input; -0: separated by NUL
  --permission MODE     ask, auto-edit, read-only or yolo
  --allow RULE, --ask RULE, --deny RULE   may be repeated
  --sandbox on          as if the sandbox were there
  --cwd DIR             where it would run
  --output text|json`;

const DONE = 0;
const USAGE_ERROR = 2;

export async function permitCommand(input: PermitInput): Promise<number> {
  const parsed = parseFlags(input.arguments);
  if (typeof parsed === "string") {
    input.stderr(`${parsed}\n${USAGE}\n`);
    return USAGE_ERROR;
  }
  const { flags, positionals } = parsed;
  const result = createPermissionContext({
    mode: flags.mode ?? input.mode ?? "ask",
    rules: [...(input.rules ?? []), { source: "command line", ...flags.rules }],
    cwd: flags.cwd === undefined ? input.cwd : isAbsolute(flags.cwd) ? flags.cwd : join(input.cwd, flags.cwd),
    trusted: input.trusted ?? false,
    sandbox: flags.sandbox,
    environment: input.environment,
  });
  if (!result.ok) {
    input.stderr(`${result.problems.join("\n")}\n`);
    return USAGE_ERROR;
  }
  for await (const command of commandsOf(positionals[0] ?? "", flags.separator, input.stdin)) {
    const decision = decide({ toolName: "bash", args: { command } }, result.context);
    input.stdout(flags.json ? jsonLine(command, decision) : textLines(command, decision));
  }
  return DONE;
}

interface Flags {
  readonly mode: PermissionMode | undefined;
  readonly rules: Omit<WrittenRules, "source">;
  readonly sandbox: boolean;
  readonly cwd: string | undefined;
  readonly json: boolean;
  /** null: the command is an argument. */
  readonly separator: "\n" | "\0" | null;
}

/** A string says what is wrong. */
function parseFlags(args: readonly string[]): { flags: Flags; positionals: readonly string[] } | string {
  const parsed = attemptParse(args);
  if (typeof parsed === "string") return parsed;
  const { values, positionals } = parsed;
  const mode = PERMISSION_MODES.find((each) => each === values.permission);
  if (values.permission !== undefined && mode === undefined) return `There is no mode ${values.permission}.`;
  if (values.output !== undefined && !/^(text|json)$/.test(values.output))
    return `There is no output ${values.output}.`;
  if (values.sandbox !== undefined && !/^(auto|on|off)$/.test(values.sandbox))
    return `--sandbox is auto, on or off, not ${values.sandbox}.`;
  const standardInput = values.nul === true || positionals[0] === "-";
  if (values.nul !== true && positionals.length === 0) return "No command was given.";
  if (positionals.length > (values.nul === true ? 0 : 1))
    return "Put the command in quotes: it is one argument.";
  return {
    flags: {
      mode,
      rules: { allow: values.allow ?? [], ask: values.ask ?? [], deny: values.deny ?? [] },
      sandbox: values.sandbox === "on",
      cwd: values.cwd,
      json: values.output === "json" || values["output-json"] === true,
      separator: !standardInput ? null : values.nul === true ? "\0" : "\n",
    },
    positionals,
  };
}

function attemptParse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        nul: { type: "boolean", short: "0" },
        permission: { type: "string" },
        allow: { type: "string", multiple: true },
        ask: { type: "string", multiple: true },
        deny: { type: "string", multiple: true },
        sandbox: { type: "string" },
        cwd: { type: "string" },
        output: { type: "string" },
        "output-json": { type: "boolean" },
      },
    });
  } catch (error) {
    // parseArgs throws its own words for an unknown flag; they are the usage error.
    return errorMessage(error);
  }
}

async function* commandsOf(
  command: string,
  separator: "\n" | "\0" | null,
  stdin: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  if (separator === null) {
    yield command;
    return;
  }
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stdin) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(separator);
    rest = parts.pop() ?? "";
    yield* parts.filter((part) => part.trim() !== "");
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield rest;
}

function jsonLine(command: string, { decision, reason, rule, sandboxed, commands }: Decision): string {
  const line = {
    command,
    decision,
    reason,
    rule: rule ?? null,
    sandboxed: sandboxed ?? false,
    commands: commands ?? [],
  };
  return `${JSON.stringify(line)}\n`;
}

function textLines(command: string, { decision, reason, sandboxed, commands = [] }: Decision): string {
  const lines = [`${decision.padEnd(5)}  ${printable(command)}`, `       ${printable(reason)}`];
  if (sandboxed === true) lines.push("       It would run inside the sandbox.");
  if (commands.length > 1) lines.push(...commands.map((each) => `       - ${printable(each)}`));
  return `${lines.join("\n")}\n`;
}

/** A command may hold control characters that would draw something else than it is. */
function printable(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("\\\\", "\\");
}
