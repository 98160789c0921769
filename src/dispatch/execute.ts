// One tool call from check to answer. Whatever happens, it ends with exactly one tool-end and one return.
import { untilAbort } from "../base/abort.ts";
import { backoffMs } from "../base/backoff.ts";
import type { JsonObject } from "../base/json.ts";
import { contentText } from "../domain/content.ts";
import { errorMessage, ToolError, UserAbortError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import { type Grant, UNJUDGED } from "../domain/grant.ts";
import { failedReturn, interruptedReturn } from "../domain/interrupted.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";
import type { PermissionAnswer } from "../domain/permission.ts";
import { type Tool, toolKind } from "../domain/tool.ts";
import { type AttemptEnd, runAttempt, toolDeadlineMs } from "./attempt.ts";
import { boundOutput } from "./bound-output.ts";
import { type CheckedArguments, checkArguments } from "./check-arguments.ts";
import type { DispatchPorts, KeepAside } from "./ports.ts";

export const MAX_ATTEMPTS = 3;
const RETRY_BACKOFF = { firstMs: 500, mostMs: 5_000 };

export async function* execute(
  given: ToolCallPart,
  problem: string | undefined,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  const tool = ports.tools.get(given.toolName);
  let call = given;
  for (let changes = 0; changes <= MOST_CHANGES; changes++) {
    const checked = check(call, tool, problem, ports);
    if (tool === undefined || !checked.ok) {
      const problem = checked.ok ? "" : checked.problem;
      return yield* end(call, await boundFailure(call, problem, ports), null);
    }
    // Judged is what will run: an argument that the tool passes over must not speak for another.
    const admission = await admit({ ...call, args: checked.args }, tool, ports);
    switch (admission.type) {
      case "changed":
        call = { ...given, args: admission.args };
        continue;
      case "answered":
        return yield* end(call, admission.answer, null);
      case "granted":
        return yield* run(call, tool, checked, admission.grant, ports);
    }
  }
  const reason = `${call.toolName} was not run: its arguments were changed again and again.`;
  return yield* end(call, failedReturn(call, reason), null);
}

/** Arguments somebody changed are a new call: checked and decided on anew. */
const MOST_CHANGES = 5;

async function* run(
  call: ToolCallPart,
  tool: Tool,
  { args, remark }: Extract<CheckedArguments, { ok: true }>,
  grant: Grant,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  const startedAt = ports.clock.now();
  const hasEffects = toolKind(tool) === "write";
  const { toolCallId, toolName } = call;
  yield { type: "tool-start", toolCallId, toolName, args: call.args, hasEffects };
  const answer = ports.signal.aborted
    ? interruptedReturn(call, false)
    : withRemark(yield* runWithRetries(tool, args, call, grant, ports), remark);
  return yield* end(call, answer, Math.round(ports.clock.now() - startedAt));
}

async function* end(
  call: ToolCallPart,
  result: ToolReturnPart,
  durationMs: number | null,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  const { toolCallId, toolName, args } = call;
  const status = result.status ?? "completed";
  yield { type: "tool-end", toolCallId, toolName, args, status, result, durationMs };
  return result;
}

function check(
  call: ToolCallPart,
  tool: Tool | undefined,
  problem: string | undefined,
  ports: DispatchPorts,
): CheckedArguments {
  if (problem !== undefined) return { ok: false, problem };
  if (tool === undefined) {
    const names = [...ports.tools.keys()].join(", ");
    return {
      ok: false,
      problem: `There is no tool called ${JSON.stringify(call.toolName)}. Available: ${names}.`,
    };
  }
  const checked = checkArguments(tool, call.args);
  if (checked.ok) return checked;
  return {
    ok: false,
    problem: `The arguments don't fit ${call.toolName}: ${checked.problem}. Correct them and call again.`,
  };
}

function withRemark(answer: ToolReturnPart, remark: string | undefined): ToolReturnPart {
  if (remark === undefined || answer.status === "cancelled") return answer;
  const { content } = answer;
  const text = `[${remark}]`;
  return {
    ...answer,
    content: typeof content === "string" ? `${content}\n${text}` : [...content, { type: "text", text }],
  };
}

type Admission =
  | { readonly type: "granted"; readonly grant: Grant }
  | { readonly type: "changed"; readonly args: JsonObject }
  /** It does not run. */
  | { readonly type: "answered"; readonly answer: ToolReturnPart };

/** Permission, then the hook before execution. */
async function admit(call: ToolCallPart, tool: Tool, ports: DispatchPorts): Promise<Admission> {
  const { signal } = ports;
  const notRun: Admission = { type: "answered", answer: interruptedReturn(call, false) };
  if (signal.aborted) return notRun;
  try {
    const answer = await untilAbort(ports.permit(call, tool, signal), signal);
    switch (answer.type) {
      case "stop":
        ports.stop(new UserAbortError());
        return notRun;
      case "changed":
        return answer;
      case "pointless":
        return { type: "answered", answer: failedReturn(call, `${call.toolName} failed: ${answer.reason}`) };
      case "allow":
        break;
      default:
        // Only a clear yes is one.
        return { type: "answered", answer: refusedReturn(call, answer) };
    }
    const args = await untilAbort(ports.beforeExecute?.(call) ?? NOTHING_CHANGED, signal);
    if (signal.aborted) return notRun;
    if (args !== undefined && JSON.stringify(args) !== JSON.stringify(call.args))
      return { type: "changed", args };
    return { type: "granted", grant: answer.grant ?? UNJUDGED };
  } catch (error) {
    if (signal.aborted) return notRun;
    if (error instanceof UserAbortError) {
      ports.stop(error);
      return notRun;
    }
    const reason = `${call.toolName} was not run: ${errorMessage(error)}`;
    return { type: "answered", answer: failedReturn(call, reason) };
  }
}

const NOTHING_CHANGED = Promise.resolve(undefined);

function refusedReturn(
  call: ToolCallPart,
  { reason, by = "rule", unasked }: Extract<PermissionAnswer, { type: "deny" }>,
): ToolReturnPart {
  const answer = failedReturn(call, reason ?? `${call.toolName} is not permitted.`);
  return { ...answer, details: { type: "refusal", by, ...(unasked && { unasked: true }) } };
}

async function* runWithRetries(
  tool: Tool,
  args: JsonObject,
  call: ToolCallPart,
  grant: Grant,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  for (let attempt = 1; ; attempt++) {
    const outcome = yield* runAttempt(tool, args, call, grant, ports);
    if (attempt === MAX_ATTEMPTS || !mayRetry(outcome, tool, ports))
      return answerFor(outcome, tool, call, ports);
    const delayMs = backoffMs(RETRY_BACKOFF, attempt, ports.random());
    const reason = outcome.attempt.type === "error" ? errorMessage(outcome.attempt.error) : "";
    const text = `failed (${reason}); trying again in ${(delayMs / 1000).toFixed(1)} s\n`;
    yield { type: "tool-progress", toolCallId: call.toolCallId, text };
    // An abort ends the wait; the next attempt sees it.
    await ports.clock.sleep(delayMs, ports.signal).catch(() => {});
    if (ports.signal.aborted) return interruptedReturn(call, true);
  }
}

/** Only an unexplained failure of a tool without effects: what a write did before it failed nobody knows. */
function mayRetry({ attempt, expired }: AttemptEnd, tool: Tool, ports: DispatchPorts): boolean {
  if (attempt.type !== "error" || expired || ports.signal.aborted || toolKind(tool) === "write") return false;
  return !(attempt.error instanceof ToolError || attempt.error instanceof UserAbortError);
}

async function answerFor(
  { attempt, expired }: AttemptEnd,
  tool: Tool,
  call: ToolCallPart,
  ports: DispatchPorts,
): Promise<ToolReturnPart> {
  const { toolCallId, toolName } = call;
  if (attempt.type === "done") {
    const { failed, ...output } = attempt.output;
    const bounded = await boundOutput(output, toolCallId, keepAsideWith(ports));
    const status = failed ? ({ status: "failed" } as const) : {};
    return { kind: "tool-return", toolCallId, toolName, ...bounded, ...status };
  }
  if (attempt.type === "error" && attempt.error instanceof UserAbortError && !ports.signal.aborted) {
    ports.stop(attempt.error);
  }
  if (ports.signal.aborted) return interruptedReturn(call, true);
  if (expired) {
    const seconds = toolDeadlineMs(tool) / 1000;
    return failedReturn(
      call,
      `${toolName} did not finish within ${seconds} s and was stopped. Its effects are unknown.`,
    );
  }
  const message = attempt.type === "error" ? errorMessage(attempt.error) : "it was left behind";
  return boundFailure(call, `${toolName} failed: ${message}`, ports);
}

/** What failed may quote anything: a model's own arguments, a program's whole output. */
async function boundFailure(
  call: ToolCallPart,
  reason: string,
  ports: DispatchPorts,
): Promise<ToolReturnPart> {
  const { content, ...rest } = await boundOutput({ content: reason }, call.toolCallId, keepAsideWith(ports));
  return { ...failedReturn(call, contentText(content)), ...rest };
}

function keepAsideWith({ keepAside, signal }: DispatchPorts): KeepAside {
  return async (id, text) => untilAbort(keepAside(id, text), signal);
}
