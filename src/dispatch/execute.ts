// Takes one tool call from its check to its answer. It always ends with exactly one tool-end event and one return.
import { untilAbort } from "../base/abort.ts";
import { backoffMs } from "../base/backoff.ts";
import type { JsonObject } from "../base/json.ts";
import { contentText } from "../domain/content.ts";
import { errorMessage, ToolError, UserAbortError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import { type Grant, UNJUDGED } from "../domain/grant.ts";
import { afterOutput, failedReturn, interruptedReturn } from "../domain/interrupted.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";
import type { PermissionAnswer, TellReview } from "../domain/permission.ts";
import { type Tool, toolKind } from "../domain/tool.ts";
import { type AdmittedCall, type AttemptEnd, runAttempt, toolDeadlineMs } from "./attempt.ts";
import { boundOutput } from "./bound-output.ts";
import { asMeant, checkArguments } from "./check-arguments.ts";
import { eventsWhile } from "./events-while.ts";
import type { DispatchPorts, WritingCall } from "./ports.ts";

const MAX_ATTEMPTS = 3;
const RETRY_BACKOFF = { firstMs: 500, mostMs: 5_000 };
/** Arguments that somebody changed are a new call: they are checked and decided on anew. */
const MOST_CHANGES = 5;

export async function* execute(
  given: ToolCallPart,
  problem: string | undefined,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  let call = given;
  for (let changes = 0; changes <= MOST_CHANGES; changes++) {
    const checked = check(call, problem, ports);
    if ("problem" in checked) return yield* end(call, await boundFailure(call, checked.problem, ports), null);
    const { tool, args, remark } = checked;
    // Permission judges the arguments that will run, without those that the tool ignores.
    const admission = yield* eventsWhile((tell) => admit({ ...call, args }, tool, ports, tell));
    switch (admission.type) {
      case "changed":
        call = { ...given, args: asMeant(tool, admission.args) };
        continue;
      case "answered":
        return yield* end(call, admission.answer, null);
      case "granted":
        return yield* run({ tool, args, call, grant: admission.grant }, remark, ports);
    }
  }
  const reason = `${call.toolName} was not run: its arguments were changed again and again.`;
  return yield* end(call, failedReturn(call, reason), null);
}

async function* run(
  admitted: AdmittedCall,
  remark: string | undefined,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  const startedAt = ports.clock.now();
  const { call, tool } = admitted;
  const { toolCallId, toolName, args } = call;
  const writing = writingCall(admitted);
  if (writing !== null) await ports.changes?.before(writing, ports.signal);
  yield { type: "tool-start", toolCallId, toolName, args, hasEffects: toolKind(tool) === "write" };
  const answer = ports.signal.aborted
    ? interruptedReturn(call, false)
    : withRemark(yield* runWithRetries(admitted, ports), remark);
  if (writing !== null) ports.changes?.after(writing);
  return yield* end(call, answer, Math.round(ports.clock.now() - startedAt));
}

/** null: it changes nothing on disk. */
function writingCall({ call: { toolCallId }, tool, args, grant }: AdmittedCall): WritingCall | null {
  if (toolKind(tool) !== "write" || tool.asksPerson || grant.rebuilt !== undefined) return null;
  const demands = tool.demands?.(args);
  if (demands === undefined || demands.some(({ type }) => type === "shell"))
    return { toolCallId, writes: null };
  const paths = demands.filter((demand) => demand.type === "path");
  return { toolCallId, writes: paths.filter(({ access }) => access === "write").map(({ path }) => path) };
}

async function* end(
  { toolCallId, toolName, args }: ToolCallPart,
  result: ToolReturnPart,
  durationMs: number | null,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  const status = result.status ?? "completed";
  yield { type: "tool-end", toolCallId, toolName, args, status, result, durationMs };
  return result;
}

type Checked =
  | { readonly tool: Tool; readonly args: JsonObject; readonly remark?: string }
  | { readonly problem: string };

function check(
  { toolName, args }: ToolCallPart,
  problem: string | undefined,
  { tools }: DispatchPorts,
): Checked {
  if (problem !== undefined) return { problem };
  const tool = tools.get(toolName);
  if (tool === undefined) {
    const names = [...tools.keys()].join(", ");
    return { problem: `There is no tool called ${JSON.stringify(toolName)}. Available: ${names}.` };
  }
  const checked = checkArguments(tool, args);
  if (checked.ok) return { ...checked, tool };
  return { problem: `The arguments don't fit ${toolName}: ${checked.problem}. Correct them and call again.` };
}

function withRemark(answer: ToolReturnPart, remark: string | undefined): ToolReturnPart {
  if (remark === undefined || answer.status === "cancelled") return answer;
  const text = `[${remark}]`;
  const { content } = answer;
  if (typeof content === "string") return { ...answer, content: `${content}\n${text}` };
  return { ...answer, content: [...content, { type: "text", text }] };
}

type Admission =
  | { readonly type: "granted"; readonly grant: Grant }
  | { readonly type: "changed"; readonly args: JsonObject }
  /** The call does not run. */
  | { readonly type: "answered"; readonly answer: ToolReturnPart };

/** Permission, then the hook before execution. */
async function admit(
  call: ToolCallPart,
  tool: Tool,
  ports: DispatchPorts,
  tell: TellReview,
): Promise<Admission> {
  const { signal } = ports;
  const notRun: Admission = { type: "answered", answer: interruptedReturn(call, false) };
  if (signal.aborted) return notRun;
  try {
    const answer = await untilAbort(ports.permit(call, tool, signal, tell), signal);
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
        // Anything but a clear yes is a no.
        return { type: "answered", answer: refusedReturn(call, answer) };
    }
    const args = await untilAbort(ports.beforeExecute?.(call) ?? Promise.resolve(undefined), signal);
    if (signal.aborted) return notRun;
    if (args !== undefined && JSON.stringify(args) !== JSON.stringify(call.args))
      return { type: "changed", args };
    return { type: "granted", grant: answer.grant ?? UNJUDGED };
  } catch (error) {
    if (signal.aborted) {
      // A review that was stopped has yet to tell what it cost.
      await new Promise(setImmediate);
      return notRun;
    }
    if (error instanceof UserAbortError) {
      ports.stop(error);
      return notRun;
    }
    const reason = `${call.toolName} was not run: ${errorMessage(error)}`;
    return { type: "answered", answer: failedReturn(call, reason) };
  }
}

function refusedReturn(
  call: ToolCallPart,
  { reason, by = "rule", unasked }: Extract<PermissionAnswer, { type: "deny" }>,
): ToolReturnPart {
  const answer = failedReturn(call, reason ?? `${call.toolName} is not permitted.`);
  return { ...answer, details: { type: "refusal", by, ...(unasked && { unasked: true }) } };
}

async function* runWithRetries(
  admitted: AdmittedCall,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  const { call } = admitted;
  for (let attempt = 1; ; attempt++) {
    const outcome = yield* runAttempt(admitted, ports);
    if (attempt === MAX_ATTEMPTS || !mayRetry(outcome, admitted.tool, ports))
      return answerFor(outcome, admitted, ports);
    const delayMs = backoffMs(RETRY_BACKOFF, attempt, ports.random());
    const reason = outcome.attempt.type === "error" ? errorMessage(outcome.attempt.error) : "";
    const text = `failed (${reason}); trying again in ${(delayMs / 1000).toFixed(1)} s\n`;
    yield { type: "tool-progress", toolCallId: call.toolCallId, text };
    // An abort ends the wait; it is noticed below.
    await ports.clock.sleep(delayMs, ports.signal).catch(() => {});
    if (ports.signal.aborted) return interruptedReturn(call, true);
  }
}

/** Only an unexplained failure of a tool without effects is retried: nobody knows what a write did before it failed. */
function mayRetry({ attempt, expired }: AttemptEnd, tool: Tool, ports: DispatchPorts): boolean {
  if (attempt.type !== "error" || expired || ports.signal.aborted || toolKind(tool) === "write") return false;
  return !(attempt.error instanceof ToolError || attempt.error instanceof UserAbortError);
}

async function answerFor(
  { attempt, expired, seen }: AttemptEnd,
  { tool, call }: AdmittedCall,
  ports: DispatchPorts,
): Promise<ToolReturnPart> {
  const { toolCallId, toolName } = call;
  if (attempt.type === "done") {
    const { failed, ...bounded } = await boundOutput(attempt.output, toolCallId, ports);
    const part = { kind: "tool-return", toolCallId, toolName, ...bounded } as const;
    return failed ? { ...part, status: "failed" } : part;
  }
  const error = attempt.type === "error" ? attempt.error : new Error("it was left behind");
  if (error instanceof UserAbortError && !ports.signal.aborted) ports.stop(error);
  if (ports.signal.aborted) return interruptedReturn(call, true, seen);
  if (!expired) return boundFailure(call, `${toolName} failed: ${errorMessage(error)}`, ports);
  const within = `${toolName} did not finish within ${toolDeadlineMs(tool) / 1000} s`;
  return failedReturn(call, afterOutput(seen, `${within} and was stopped. Its effects are unknown.`));
}

/** A failure may quote anything: a model's own arguments, or all of a program's output. */
async function boundFailure(
  call: ToolCallPart,
  reason: string,
  ports: DispatchPorts,
): Promise<ToolReturnPart> {
  const { content, ...rest } = await boundOutput({ content: reason }, call.toolCallId, ports);
  return { ...failedReturn(call, contentText(content)), ...rest };
}
