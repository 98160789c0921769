// One tool call from check to answer. Whatever happens, it ends with exactly one tool-end and one return.
import { untilAbort } from "../base/abort.ts";
import { backoffMs } from "../base/backoff.ts";
import type { JsonObject } from "../base/json.ts";
import { contentText } from "../domain/content.ts";
import { errorMessage, ToolError, UserAbortError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import { failedReturn, interruptedReturn } from "../domain/interrupted.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";
import { type Tool, toolKind, type Validation } from "../domain/tool.ts";
import { type AttemptEnd, runAttempt, toolDeadlineMs } from "./attempt.ts";
import { boundOutput } from "./bound-output.ts";
import type { DispatchPorts, KeepAside } from "./ports.ts";
import { validateArgs } from "./validate-args.ts";

export const MAX_ATTEMPTS = 3;
const RETRY_BACKOFF = { firstMs: 500, mostMs: 5_000 };

export async function* execute(
  call: ToolCallPart,
  problem: string | undefined,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  const tool = ports.tools.get(call.toolName);
  const checked = check(call, tool, problem, ports);
  if (tool === undefined || !checked.ok) {
    const problem = checked.ok ? "" : checked.problem;
    return yield* end(call, await boundFailure(call, problem, ports), null);
  }

  // Judged is what will run: an argument that the tool passes over must not speak for another.
  const refusal = await admit({ ...call, args: checked.args }, tool, ports);
  if (refusal !== null) return yield* end(call, refusal.answer, null, refusal.marks);

  const startedAt = ports.clock.now();
  const hasEffects = toolKind(tool) === "write";
  yield {
    type: "tool-start",
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    args: call.args,
    hasEffects,
  };
  const answer = ports.signal.aborted
    ? interruptedReturn(call, false)
    : withRemark(yield* runWithRetries(tool, checked.args, call, ports), checked.remark);
  return yield* end(call, answer, Math.round(ports.clock.now() - startedAt));
}

async function* end(
  call: ToolCallPart,
  result: ToolReturnPart,
  durationMs: number | null,
  marks?: Refusal["marks"],
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  const { toolCallId, toolName, args } = call;
  const status = result.status ?? "completed";
  yield { type: "tool-end", toolCallId, toolName, args, status, result, durationMs, ...marks };
  return result;
}

function check(
  call: ToolCallPart,
  tool: Tool | undefined,
  problem: string | undefined,
  ports: DispatchPorts,
): Validation {
  if (problem !== undefined) return { ok: false, problem };
  if (tool === undefined) {
    const names = [...ports.tools.keys()].join(", ");
    return {
      ok: false,
      problem: `There is no tool called ${JSON.stringify(call.toolName)}. Available: ${names}.`,
    };
  }
  const validation = validateArgs(tool, call.args);
  if (validation.ok) return validation;
  return {
    ok: false,
    problem: `The arguments don't fit ${call.toolName}: ${validation.problem}. Correct them and call again.`,
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

interface Refusal {
  readonly answer: ToolReturnPart;
  /** What the event says of it: whether it is a no, and whether anybody was there to say yes. */
  readonly marks?: { readonly refused: true; readonly unasked?: true };
}

/** Permission, then the hook before execution. Null: the call may run. */
async function admit(call: ToolCallPart, tool: Tool, ports: DispatchPorts): Promise<Refusal | null> {
  const { signal } = ports;
  const notRun = { answer: interruptedReturn(call, false) };
  if (signal.aborted) return notRun;
  try {
    const answer = await untilAbort(ports.permit(call, tool, signal), signal);
    if (answer.type === "stop") {
      ports.stop(new UserAbortError());
      return notRun;
    }
    // Only a clear yes is one.
    if (answer.type !== "allow") {
      return {
        answer: failedReturn(call, answer.reason ?? `${call.toolName} is not permitted.`),
        marks: { refused: true, ...(answer.unasked && { unasked: true }) },
      };
    }
    if (ports.beforeExecute !== undefined) await untilAbort(ports.beforeExecute(call), signal);
    return signal.aborted ? notRun : null;
  } catch (error) {
    if (signal.aborted) return notRun;
    if (error instanceof UserAbortError) {
      ports.stop(error);
      return notRun;
    }
    return { answer: failedReturn(call, `${call.toolName} was not run: ${errorMessage(error)}`) };
  }
}

async function* runWithRetries(
  tool: Tool,
  args: JsonObject,
  call: ToolCallPart,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  for (let attempt = 1; ; attempt++) {
    const outcome = yield* runAttempt(tool, args, call, ports);
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
    const content = await boundOutput(attempt.content, toolCallId, keepAsideWith(ports));
    const status = attempt.failed ? ({ status: "failed" } as const) : {};
    return { kind: "tool-return", toolCallId, toolName, content, ...status };
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
  const text = await boundOutput(reason, call.toolCallId, keepAsideWith(ports));
  return failedReturn(call, contentText(text));
}

function keepAsideWith({ keepAside, signal }: DispatchPorts): KeepAside {
  return async (id, text) => untilAbort(keepAside(id, text), signal);
}
