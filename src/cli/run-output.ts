// How a request is printed: its answer as text, one JSON object, or one line per event.
import { isBlank } from "../base/blank.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { TunacodeError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import { INTERRUPTED } from "../domain/message.ts";
import { describeReview } from "../domain/review.ts";
import type { Console } from "./console.ts";
import { seconds, spent } from "./figures.ts";
import type { FlagValues } from "./flags.ts";
import { encodeEvent, encodeResult, type RunResult } from "./json.ts";
import { RunProgress } from "./progress.ts";
import { StreamedText, type Watcher } from "./streamed-text.ts";
import { forTerminal } from "./wrap-words.ts";

export interface RunOutput {
  /** Rejects when the reader is gone. */
  readonly event: (event: AgentEvent) => Promise<void>;
  readonly notice: (text: string) => void;
  readonly finish: (result: RunResult) => Promise<void>;
}

export function createRunOutput(flags: FlagValues, console: Console): RunOutput {
  const format = flags.output ?? (flags["output-json"] === true ? "json" : "text");
  const isStreamed = streamsText(flags, format, console);
  const quiet = flags.quiet === true;
  const progress = console.drawsToTerminal && !quiet ? new RunProgress(console, isStreamed) : undefined;
  const streamed = isStreamed ? new StreamedText(console, watcherOf(progress, console)) : undefined;
  const notice = (text: string) => {
    if (quiet) return;
    streamed?.interrupt();
    const line = progress === undefined ? `tunacode: ${text}` : `! ${text}`;
    (progress ?? console).tell(forTerminal(line, console));
  };
  const show = (event: AgentEvent) => {
    progress?.event(event);
    const told = noticeOf(event);
    if (told !== undefined) notice(told);
  };
  if (format === "stream-json") return streamOutput(console, progress);
  return {
    event: async (event) => {
      await streamed?.event(event);
      show(event);
    },
    notice,
    finish: async (result) => {
      // The line of text ends before the status line is erased, which may be on the same terminal.
      if (console.printsToTerminal) await streamed?.finish();
      progress?.stop();
      if (format === "json") return console.print(jsonLine(encodeResult(result)));
      await (streamed?.finish() ?? printAnswer(result, console, flags["output-schema"] !== undefined));
      if (result.error !== undefined) console.tell(forTerminal(`tunacode: ${result.error.message}`, console));
      if (progress !== undefined) console.tell(summary(result));
    },
  };
}

/** A terminal gets the text as it comes; any other reader has to ask for it. */
function streamsText(flags: FlagValues, format: string, console: Console): boolean {
  const isSchemed = flags["output-schema"] !== undefined;
  if (flags.stream === true && (isSchemed || format !== "text"))
    throw new TunacodeError("usage", "--stream works only with text output and without --output-schema.");
  return format === "text" && !isSchemed && (flags.stream === true || console.printsToTerminal);
}

function watcherOf(progress: RunProgress | undefined, { printsToTerminal }: Console): Watcher {
  if (progress === undefined || !printsToTerminal) return { begins: () => {}, ends: () => {} };
  return { begins: () => progress.pause(), ends: () => progress.resume() };
}

function streamOutput(console: Console, progress: RunProgress | undefined): RunOutput {
  // Notices from before the first event and between events, printed with the next one.
  const notices: AgentEvent[] = [];
  const print = (...last: readonly object[]) =>
    console.print([...notices.splice(0).map(encodeEvent), ...last].map(jsonLine).join(""));
  return {
    event: async (event) => {
      progress?.event(event);
      await print(encodeEvent(event));
    },
    notice: (text) => void notices.push({ type: "notice", text }),
    finish: async (result) => {
      progress?.stop();
      await print({ type: "result", ...encodeResult(result) });
    },
  };
}

/** What is worth a line even when stderr is not a terminal. */
function noticeOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "notice":
      return event.text;
    case "review":
      return describeReview(event.review);
    case "repair":
      return event.repairs.map((repair) => repair.why).join(" ");
    case "retry-wait": {
      const { reason, delayMs, attempt, mostAttempts } = event;
      if (mostAttempts === undefined) return `${reason} Trying again in ${seconds(delayMs)}.`;
      return `${reason} Going on in ${seconds(delayMs)} (attempt ${attempt} of ${mostAttempts}).`;
    }
    case "compaction":
      return `The conversation was shortened to fit: ${event.tokensBefore} -> ${event.tokensAfter} tokens.`;
    default:
      return undefined;
  }
}

/** After an abort, a failure or a limit that left no time to sum up: as much of an answer as had come. */
async function printAnswer(result: RunResult, console: Console, isSchemed: boolean): Promise<void> {
  const { outcome, output, shown, structured } = result;
  const isAnswered = outcome.type === "completed" || outcome.type === "limit";
  const answer = isAnswered && !output.startsWith(INTERRUPTED) ? output : shown;
  // Whoever asked for JSON of a certain shape gets that or nothing.
  if (isBlank(answer) || (isSchemed && structured === undefined)) return;
  const text = console.printsToTerminal ? stripTerminalControls(answer) : answer;
  await console.print(text.endsWith("\n") ? text : `${text}\n`);
}

function summary({ sessionId, toolCalls, durationMs, usage }: RunResult): string {
  const parts = [
    ...(sessionId === null ? [] : [`session ${sessionId.slice(0, 8)}`]),
    ...(toolCalls.length === 0 ? [] : [toolCalls.length === 1 ? "1 call" : `${toolCalls.length} calls`]),
    seconds(durationMs),
    ...spent(usage),
  ];
  return parts.join(" · ");
}

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
