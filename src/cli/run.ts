// `tunacode run`: one request, then exit. runRequest does the work; this file handles its input, its output and its end.
import { readAttachment } from "../app/attachment.ts";
import { type Agent, openAgent } from "../app/compose.ts";
import { runRequest } from "../app/run-request.ts";
import { untilAbort } from "../base/abort.ts";
import { systemClock } from "../base/clock.ts";
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import { outsideText } from "../base/outside-text.ts";
import type { Content } from "../domain/content.ts";
import { UserAbortError } from "../domain/error.ts";
import { newRequestId, type RequestId } from "../domain/ids.ts";
import { expandPrompt } from "../front/custom-prompts.ts";
import { type AttachedFile, preparePrompt } from "../front/prepared-prompt.ts";
import { agentSettings } from "./agent-settings.ts";
import type { Console } from "./console.ts";
import { type DebugLog, openDebugLog } from "./debug-log.ts";
import { describeError, isBug } from "./describe-error.ts";
import { EXIT_DONE, exitCodeOf } from "./exit-code.ts";
import type { FlagValues } from "./flags.ts";
import { givenFiles, givenSchema } from "./given-files.ts";
import type { RunResult } from "./json.ts";
import type { Invocation } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace } from "./place.ts";
import { readPrompt, type WrittenPrompt } from "./prompt-input.ts";
import { createRunOutput, type RunOutput } from "./run-output.ts";
import {
  answerOf,
  failedOutcome,
  newRunRecord,
  type RunRecord,
  recordEvent,
  runError,
} from "./run-record.ts";
import { stoppable } from "./signals.ts";
import type { EntryPorts, WorktreeEntry } from "./worktree-entry.ts";

export async function run(invocation: Invocation, console: Console): Promise<number> {
  const output = createRunOutput(invocation.flags, console);
  return stoppable(
    (controller) => request(invocation, console, output, controller),
    () => output.notice("Stopping. Ctrl-C again leaves at once."),
  );
}

interface Running {
  readonly controller: AbortController;
  readonly output: RunOutput;
  readonly record: RunRecord;
  readonly requestId: RequestId;
  readonly startedAt: number;
  readonly outputSchema?: JsonObject;
}

async function request(
  { flags, operands }: Invocation,
  console: Console,
  output: RunOutput,
  controller: AbortController,
): Promise<number> {
  const requestId = newRequestId();
  const running = { controller, output, record: newRunRecord(), requestId, startedAt: performance.now() };
  let agent: Agent | undefined;
  let entry: WorktreeEntry | undefined;
  // Without a reader, the work is stopped and saved.
  console.onPrintFailure(() => controller.abort(new UserAbortError("The output can't be written.")));
  try {
    const { signal } = controller;
    const { notice: notify } = output;
    const written = await readPrompt({ operands, stdin: console.stdin(), signal, notify });
    entry = await worktreeOf(flags, console, { notify, signal, askToBring: null });
    const place = await configuredPlace(console, entry?.cwd ?? flags.cwd);
    for (const warning of place.loaded.warnings) notify(warning);
    const files = await givenFiles(flags.file, console, place);
    const outputSchema = await givenSchema(flags["output-schema"], console);
    const prompt = await contentOf(written, files, place, notify);
    const log = flags.debug === true ? openDebugLog(place, notify) : undefined;
    log?.begin(requestId);
    const settings = agentSettings(flags, place, notify);
    const opening = openAgent({ ...settings, ...defined({ log: log?.message }) });
    agent = await untilAbort(opening, signal);
    for (const notice of agent.session.notices) notify(notice);
    running.record.repairs.push(...agent.session.repairs);
    await follow(agent, prompt, { ...running, ...defined({ outputSchema }) }, log);
  } catch (error) {
    running.record.outcome = failedOutcome(error);
  }
  const request = resultOf(running, agent, flags);
  // The answer is printed while the session is closed, unless a failure to save has to be reported first.
  const closed = agent?.close();
  if (agent?.session.writer?.status.type === "unsaved") await Promise.allSettled([closed]);
  const worktree = entry && (await leftBehind(entry, closed, output));
  const result = { ...request, ...defined({ worktree }) };
  const printed = soon(output.finish(result), controller.signal);
  const [shown] = await Promise.allSettled([printed, closed]);
  const { outcome } = result;
  if (outcome.type === "failed" && isBug(outcome.error)) console.tell(describeError(outcome.error));
  if (shown.status === "rejected") throw shown.reason;
  return result.error === undefined ? EXIT_DONE : exitCodeOf(result.error.code);
}

async function worktreeOf(
  flags: FlagValues,
  console: Console,
  ports: EntryPorts,
): Promise<WorktreeEntry | undefined> {
  if (flags.worktree === undefined) return undefined;
  return (await import("./worktree-entry.ts")).goIntoWorktree(flags, console, ports);
}

/** Once nothing writes in it any more. */
async function leftBehind(
  entry: WorktreeEntry,
  closed: Promise<void> | undefined,
  output: RunOutput,
): Promise<RunResult["worktree"]> {
  await Promise.allSettled([closed]);
  const { worktree, kept, holds } = await entry.leave();
  if (holds !== null)
    for (const line of (await import("./worktree-entry.ts")).nextSteps(worktree, holds)) output.notice(line);
  const { name, path, branch } = worktree;
  return { name, path, branch, kept };
}

/** Follows the request to its end even if nobody watches any more, because only then is everything saved. */
async function follow(
  { manager }: Agent,
  prompt: Content,
  { controller, output, record, requestId, outputSchema }: Running,
  log: DebugLog | undefined,
): Promise<void> {
  const { signal } = controller;
  const model = manager.session.currentModel;
  const options = { controller, requestId, ...defined({ outputSchema }) };
  for await (const event of runRequest(prompt, model, manager, options)) {
    recordEvent(record, event);
    log?.event(event);
    // A slow reader delays the request. After an abort, no reader delays its end.
    await untilAbort(output.event(event), signal).catch(() => {});
  }
}

/** What came through a pipe is data: it can't name files, and beside a prompt it is not among the person's words. */
async function contentOf(
  { text, isPiped, data }: WrittenPrompt,
  attached: readonly AttachedFile[],
  place: ConfiguredPlace,
  notify: RunOutput["notice"],
): Promise<Content> {
  const { trusted } = place.loaded.config;
  const attach = (path: string) => readAttachment([place.cwd, place.root], path);
  const prompt = await expandPrompt(text, place, trusted);
  const piped = data === "" ? [] : [{ path: "stdin", item: outsideItem(data) }];
  const { content, problems } = await preparePrompt(prompt, attach, {
    attached: [...piped, ...attached],
    ...(isPiped && { own: "" }),
  });
  for (const problem of problems) notify(problem);
  return content;
}

function outsideItem(text: string): AttachedFile["item"] {
  return { type: "text", text: outsideText(text, "stdin") };
}

function resultOf(
  { record, requestId, startedAt }: Running,
  agent: Agent | undefined,
  flags: FlagValues,
): RunResult {
  const error = runError(record);
  const { session } = agent?.manager ?? {};
  const kept = session !== undefined && flags["no-session"] !== true;
  return {
    ...record,
    sessionId: kept ? session.sessionId : null,
    requestId,
    model: session?.currentModel ?? null,
    durationMs: performance.now() - startedAt,
    ...answerOf(record, flags["output-schema"] !== undefined),
    ...defined({ error }),
  };
}

/** After an abort, a reader that has stopped reading gets only a moment. */
async function soon(printed: Promise<void>, signal: AbortSignal): Promise<void> {
  await (signal.aborted ? Promise.race([printed, systemClock.sleep(LAST_WORDS_MS)]) : printed);
}

const LAST_WORDS_MS = 1_000;
