// Closes a turn that did not end by itself, so that the conversation stays valid and no finished work is lost.
import { isBlank } from "../base/blank.ts";
import {
  errorCode,
  errorMessage,
  GlobalRequestTimeoutError,
  ListenerFailure,
  UserAbortError,
} from "../domain/error.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import { interruptedReturn } from "../domain/interrupted.ts";
import { callsOf, INTERRUPTED } from "../domain/message.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";
import { append } from "./append.ts";
import type { RequestContext } from "./request-context.ts";
import { endCall } from "./track-calls.ts";

/** An aborted request counts as aborted, whatever reason was given and whatever error the abort caused. */
export function outcomeOf(thrown: unknown, signal: AbortSignal): Outcome {
  const reason: unknown = signal.aborted ? signal.reason : thrown;
  if (reason instanceof GlobalRequestTimeoutError) return { type: "timed-out", seconds: reason.seconds };
  if (reason instanceof ListenerFailure) return failed(reason.error);
  return signal.aborted || reason instanceof UserAbortError ? { type: "aborted" } : failed(reason);
}

function failed(error: unknown): Outcome {
  return { type: "failed", code: errorCode(error), message: errorMessage(error), error };
}

/** remark: why the turn was closed, unless a person stopped it. */
export async function* closeTurn(context: RequestContext, remark?: string): AsyncGenerator<AgentEvent, void> {
  const { last } = context.conversation;
  if (last?.kind === "response" && callsOf(last).length > 0) {
    const returns: ToolReturnPart[] = [];
    for (const call of callsOf(last))
      returns.push(context.finished.get(call.toolCallId) ?? (yield* cancel(call, context)));
    yield* append({ kind: "request", parts: returns }, context);
  }
  if (context.conversation.last?.kind !== "request") return;
  const content = [INTERRUPTED, context.partialText, remark ?? ""]
    .filter((text) => !isBlank(text))
    .join("\n\n");
  yield* append(
    {
      kind: "response",
      parts: [{ kind: "text", content }],
      modelName: context.model.name,
      timestamp: new Date(context.clock.now()).toISOString(),
    },
    context,
  );
  context.model.drop?.();
}

async function* cancel(
  call: ToolCallPart,
  context: RequestContext,
): AsyncGenerator<AgentEvent, ToolReturnPart> {
  const known = context.registry.get(call.toolCallId);
  if (known === undefined) context.registry.register(call.toolCallId, call.toolName, call.args);
  const result = interruptedReturn(call, known?.status === "running");
  yield* endCall(call, result, context);
  return result;
}
