// Runs a tool once: its live output becomes events, its end becomes data. Ends in time even if the tool hangs.
import { inTime, NO_LONGER_NEEDED } from "../base/abort.ts";
import type { Clock } from "../base/clock.ts";
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import { signalWithDeadline } from "../base/linked-signal.ts";
import type { PausedWhile } from "../base/pausable-timer.ts";
import { isContent } from "../domain/content.ts";
import { ToolError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Grant } from "../domain/grant.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { Review } from "../domain/review.ts";
import type { Tool, ToolContext, ToolOutput } from "../domain/tool.ts";
import { areDetails } from "../domain/tool-details.ts";
import type { UsageTotals } from "../domain/usage.ts";
import type { DispatchPorts } from "./ports.ts";
import { createSeenOutput } from "./seen-output.ts";

/** A call that may run, with the arguments the tool gets: defaults are filled in, unknown names left out. */
export interface AdmittedCall {
  readonly call: ToolCallPart;
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly grant: Grant;
}

type Attempt =
  | { readonly type: "done"; readonly output: Exclude<ToolOutput, string> }
  | { readonly type: "error"; readonly error: unknown }
  /** It neither finished nor reacted to the abort or the deadline in time. */
  | { readonly type: "abandoned" };

export interface AttemptEnd {
  readonly attempt: Attempt;
  readonly expired: boolean;
  /** The live output that was passed on. */
  readonly seen: string;
}

/** Above bash's longest timeout, because the tool's own timeout has the better message. */
const DEFAULT_TOOL_DEADLINE_MS = 660_000;
/** How long a stopped tool may take to clean up before it is abandoned. */
const GRACE_MS = 50;
/** A person can't read more live output than this at once, so only its end is passed on. */
const MAX_PROGRESS_CHARACTERS = 8_000;

export async function* runAttempt(
  { tool, args, call: { toolCallId }, grant }: AdmittedCall,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, AttemptEnd> {
  const deadline = signalWithDeadline(ports.signal, toolDeadlineMs(tool), ports.clock);
  let unread = "";
  const seen = createSeenOutput();
  const told: AgentEvent[] = [];
  let wake: () => void = () => {};
  const progress = (text: string) => {
    unread = (unread + text).slice(-MAX_PROGRESS_CHARACTERS);
    wake();
  };
  const tell = (event: AgentEvent) => {
    told.push(event);
    wake();
  };
  const spend = (call: UsageTotals) => tell({ type: "usage", call, byTool: true });
  const reviewed = (review: Review) => tell({ type: "review", review });
  let end: Attempt | undefined;
  const pausedWhile: PausedWhile = (work) => deadline.pausedWhile(() => ports.pausedWhile(work));
  const { signal } = deadline;
  const work = start(tool, args, { toolCallId, signal, grant, progress, spend, reviewed, pausedWhile });
  orAbandoned(work, signal, ports.clock).then((attempt) => {
    end = attempt;
    wake();
  });
  try {
    while (true) {
      if (unread !== "") {
        const text = unread;
        unread = "";
        seen.push(text);
        yield { type: "tool-progress", toolCallId, text };
      } else if (told.length > 0) {
        yield* told.splice(0);
      } else if (end !== undefined) {
        return { attempt: end, expired: deadline.expired(), seen: seen.text() };
      } else {
        const woken = Promise.withResolvers<void>();
        wake = woken.resolve;
        await woken.promise;
      }
    }
  } finally {
    deadline.release();
  }
}

export function toolDeadlineMs(tool: Tool): number {
  if (tool.asksPerson === true) return Number.POSITIVE_INFINITY;
  return tool.deadlineMs ?? DEFAULT_TOOL_DEADLINE_MS;
}

async function start(tool: Tool, args: JsonObject, context: ToolContext): Promise<Attempt> {
  try {
    const output = await tool.execute(args, context);
    if (typeof output === "string") return { type: "done", output: { content: output } };
    // A library user's tool may not be type-checked, and its output must not break the conversation.
    if (!isContent(output?.content)) throw new ToolError("it ran, but returned neither text nor images");
    const { content, failed, details, keptIn } = output;
    const known = defined({
      content,
      failed: failed === true || undefined,
      details: areDetails(details) ? details : undefined,
      keptIn: typeof keptIn === "string" ? keptIn : undefined,
    });
    return { type: "done", output: known };
  } catch (error) {
    // The model is told about the failure.
    return { type: "error", error };
  }
}

async function orAbandoned(work: Promise<Attempt>, signal: AbortSignal, clock: Clock): Promise<Attempt> {
  const ended = await inTime(work, signal);
  if (ended !== null) return ended;
  const grace = new AbortController();
  const abandoned = clock.sleep(GRACE_MS, grace.signal).then((): Attempt => ({ type: "abandoned" }));
  return await Promise.race([work, abandoned]).finally(() => grace.abort(NO_LONGER_NEEDED));
}
