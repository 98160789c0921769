// `tunacode permit`: would this shell command run, be asked about or be denied here, and why. It runs nothing.
import { createPermissionContext } from "../app/permit.ts";
import { TunacodeError } from "../domain/error.ts";
import type { Decision } from "../domain/permission.ts";
import { permissionSettings } from "./agent-settings.ts";
import type { Console } from "./console.ts";
import { wantsJson } from "./output-format.ts";
import type { Invocation } from "./parse-flags.ts";
import { configuredPlace } from "./place.ts";

export async function runPermit({ flags, operands }: Invocation, console: Console): Promise<number> {
  const json = wantsJson(flags);
  const separator = separatorOf(operands, flags.nul === true);
  const { cwd, variables, loaded } = await configuredPlace(console, flags.cwd);
  for (const warning of loaded.warnings) console.tell(`tunacode: ${warning}`);
  const permission = permissionSettings(flags, loaded.config);
  const { trusted } = loaded.config;
  const plain = createPermissionContext({ permission, cwd, trusted, env: variables });
  const context = { ...plain, sandbox: flags.sandbox === "on" };
  // Loaded here, because the terminal app is loaded together with this command and reads no shell commands at first.
  const { decide } = await import("../permission/decide.ts");
  const toolName = [...context.vocabulary].find(([, { topic }]) => topic === "command")?.[0] ?? "";
  const input = separator === null ? null : console.stdin();
  for await (const command of commandsOf(operands[0] ?? "", separator, input)) {
    const demands = [{ type: "shell", command, folder: cwd, env: {} } as const];
    const decision = decide({ toolName, demands }, context);
    await console.print(json ? jsonLine(command, decision) : textLines(command, decision));
  }
  return 0;
}

type Separator = "\n" | "\0";

/** Null: the command is the operand. */
function separatorOf(operands: readonly string[], nul: boolean): Separator | null {
  if (nul && operands.length > 0) throw new TunacodeError("usage", "-0 reads the commands from stdin.");
  if (nul) return "\0";
  if (operands.length === 0)
    throw new TunacodeError("usage", "No command was given. Try: tunacode help permit");
  if (operands.length > 1)
    throw new TunacodeError(
      "usage",
      "Put the command in quotes: it is one argument. Try: tunacode help permit",
    );
  return operands[0] === "-" ? "\n" : null;
}

async function* commandsOf(
  command: string,
  separator: Separator | null,
  input: AsyncIterable<Uint8Array> | null,
): AsyncGenerator<string> {
  if (separator === null) {
    yield command;
    return;
  }
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input ?? []) {
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
