// What a person sees on stderr while a request runs: one line for each finished call, and a status line that is
// redrawn in place.
import { stripTerminalControls } from "../base/terminal-text.ts";
import type { AgentEvent } from "../domain/event.ts";
import { callsOf, visibleText } from "../domain/message.ts";
import { addUsage, NO_USAGE, type UsageTotals } from "../domain/usage.ts";
import { type Activity, activityAfter, describeActivity } from "./activity.ts";
import { CallLabels } from "./call-labels.ts";
import type { Console } from "./console.ts";
import { seconds, spent } from "./figures.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
const ERASE_LINE = "\r\u001b[2K";

export class RunProgress {
  readonly #console: Console;
  readonly #startedAt = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;
  #activity: Activity = { type: "starting" };
  readonly #labels = new CallLabels();
  #usage: UsageTotals = NO_USAGE;
  #frame = 0;
  #isPaused = false;
  readonly #tellsCommentary: boolean;

  /** isStreamed: the text of every response is on stdout already. */
  constructor(console: Console, isStreamed: boolean) {
    this.#console = console;
    this.#tellsCommentary = !isStreamed;
    this.#timer = setInterval(() => this.#draw(), FRAME_MS);
    this.#timer.unref();
  }

  event(event: AgentEvent): void {
    this.#labels.take(event);
    this.#activity = activityAfter(this.#activity, event, performance.now(), this.#labels.labelOf);
    if (event.type === "usage") this.#usage = addUsage(this.#usage, event.call);
    if (event.type === "tool-end") {
      const mark = event.status === "completed" ? "✓" : "✗";
      const took = event.durationMs === null ? "" : `  ${seconds(event.durationMs)}`;
      this.tell(`${mark} ${this.#labels.labelOf(event)}${took}`);
    }
    // Text before tool calls is commentary on the work, not the answer.
    if (
      this.#tellsCommentary &&
      event.type === "message-end" &&
      event.message.kind === "response" &&
      callsOf(event.message).length > 0
    ) {
      const said = visibleText(event.message).trim();
      if (said !== "") this.tell(said);
    }
  }

  /** Prints a permanent line above the status line. */
  tell(text: string): void {
    this.#console.draw(ERASE_LINE);
    this.#console.tell(text);
  }

  /** While an answer is written on the same terminal. */
  pause(): void {
    this.#isPaused = true;
    this.#console.draw(ERASE_LINE);
  }

  resume(): void {
    this.#isPaused = false;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#console.draw(ERASE_LINE);
  }

  #draw(): void {
    if (this.#isPaused) return;
    const now = performance.now();
    const frame = FRAMES[this.#frame++ % FRAMES.length] ?? "";
    const doing = describeActivity(this.#activity, now);
    const figures = [seconds(now - this.#startedAt), ...spent(this.#usage), doing].join(" · ");
    const line = stripTerminalControls(`${frame} ${figures}`).replaceAll("\n", " ");
    this.#console.draw(`${ERASE_LINE}${cut(line, this.#console.columns() - 1)}`);
  }
}

/** A line that wraps can't be erased. Anything beyond Latin letters is counted as two columns wide. */
function cut(line: string, columns: number): string {
  let width = 0;
  let end = 0;
  for (const character of line) {
    width += character <= "\u02ff" ? 1 : 2;
    if (width > columns) return line.slice(0, end);
    end += character.length;
  }
  return line;
}
