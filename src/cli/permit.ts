// `tunacode permit` says whether a shell command would run, need approval or be denied here, and why. It runs nothing.
import { exactLine } from "../base/visible-text.ts";
import { rememberedRules } from "../config/remembered-rules.ts";
import { TunacodeError } from "../domain/error.ts";
import type { Decision } from "../domain/permission.ts";
import type { UndoCoverage } from "../permission/context.ts";
import { permissionSettings } from "./agent-settings.ts";
import type { Console } from "./console.ts";
import { type Invocation, wantsJson } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace } from "./place.ts";

export async function runPermit({ flags, operands }: Invocation, console: Console): Promise<number> {
  const json = wantsJson(flags);
  const separator = separatorOf(operands, flags.nul === true);
  const place = await configuredPlace(console, flags.cwd);
  const { cwd, variables, loaded } = place;
  const notify = (text: string) => console.tell(`tunacode: ${text}`);
  for (const warning of loaded.warnings) notify(warning);
  const permission = permissionSettings(flags, place);
  const remembered = rememberedRules(place.env, place.mainTree);
  const { trusted } = loaded.config;
  // Loaded lazily, because the terminal app shares this chunk and starts without them.
  const { createPermissionContext } = await import("../app/permit.ts");
  const { decide } = await import("../permission/decide.ts");
  const { decideCovered } = await import("../permission/decide-covered.ts");
  const plain = createPermissionContext({ permission, cwd, trusted, env: variables, remembered, notify });
  const context = { ...plain, sandbox: flags.sandbox === "on" };
  const coverage = coverageHere(place, context.workspace.root);
  const toolName = [...context.vocabulary].find(([, { topic }]) => topic === "command")?.[0] ?? "";
  for await (const command of separator === null ? operands : separated(console.stdin(), separator)) {
    const demands = [{ type: "shell", command, folder: cwd, env: {} } as const];
    const { decision } = await decideCovered({ toolName, demands }, context, decide, coverage);
    const rebuilt = flags.explain === true ? decision.rebuilt : undefined;
    // In other modes nobody reviews it.
    const reviewable = context.mode === "auto" ? decision.reviewable : undefined;
    const shown = { ...decision, rebuilt, reviewable };
    await console.print(json ? jsonLine(command, shown) : textLines(command, shown, context.sandbox));
  }
  return 0;
}

/** What undo would bring back in a session here. It is looked for once, if at all. */
function coverageHere({ env, loaded }: ConfiguredPlace, root: string): () => Promise<UndoCoverage | null> {
  const look = async (): Promise<UndoCoverage | null> => {
    const { projectCoverage } = await import("../app/project-coverage.ts");
    const signal = AbortSignal.timeout(MOST_LOOKING_MS);
    const found = await projectCoverage({ root, env, undo: loaded.config.undo }, signal).catch(() => null);
    return found && { firstUncovered: (path) => found.firstUncovered(path)?.path ?? null };
  };
  let looked: Promise<UndoCoverage | null> | null = null;
  return () => {
    looked ??= look();
    return looked;
  };
}

const MOST_LOOKING_MS = 10_000;

type Separator = "\n" | "\0";

/** Null if the operand is the command. */
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

async function* separated(
  input: AsyncIterable<Uint8Array> | null,
  separator: Separator,
): AsyncGenerator<string> {
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

/** `rebuilt` is undefined unless it is asked for. */
type ShownDecision = Omit<Decision, "rebuilt" | "reviewable"> & {
  readonly rebuilt: string | undefined;
  readonly reviewable: true | undefined;
};

function jsonLine(command: string, answer: ShownDecision): string {
  const { decision, reason, rule = null, sandboxed = false, commands = [], rebuilt, reviewable } = answer;
  const facts = { command, decision, reason, rule, sandboxed, commands, rebuilt, reviewable };
  return `${JSON.stringify(facts)}\n`;
}

function textLines(command: string, answer: ShownDecision, sandbox: boolean): string {
  const { decision, reason, sandboxed, commands = [], rebuilt, reviewable } = answer;
  const lines = [`${decision.padEnd(5)}  ${shownExactly(command)}`, `       ${shownExactly(reason)}`];
  const where = sandboxed === true ? "inside" : "outside";
  if (sandbox && decision === "allow") lines.push(`       It would run ${where} the sandbox.`);
  if (sandbox && decision === "ask") lines.push(`       After a yes it would run ${where} the sandbox.`);
  if (reviewable === true)
    lines.push("       In the mode auto a model reviews it, and may allow it in your place.");
  if (commands.length > 1) lines.push(...commands.map((each) => `       - ${shownExactly(each)}`));
  if (rebuilt !== undefined) lines.push(`       It would run as: ${shownExactly(rebuilt)}`);
  return `${lines.join("\n")}\n`;
}

/** Hidden characters in a command could make it look like another one. */
function shownExactly(text: string): string {
  return text.split("\n").map(exactLine).join("\\n");
}
