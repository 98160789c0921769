// Draws any entry of the transcript. If a view fails, only its own lines are missing.

import { formatCount, formatDuration, formatTime, plural } from "../../base/numbers.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { errorMessage } from "../../domain/error.ts";
import { describeSummedUp, type SummedUp } from "../../domain/summary.ts";
import { describeCost, isFree } from "../../domain/usage.ts";
import type { Tone } from "../../front/contract.ts";
import { CUT } from "../../front/shell-runs.ts";
import type { Block } from "../state/answer-blocks.ts";
import type { PromptEntry, ShellEntry, ThoughtEntry, TranscriptEntry, TurnEndEntry } from "../state/entry.ts";
import type { Paint, Role } from "../theme/theme.ts";
import { answerView } from "./answer.ts";
import { type Canvas, keyHint, shownBy } from "./look.ts";
import { panelView } from "./panel.ts";
import { expandTabs, fit, oneLine, spread, wrap } from "./text.ts";
import { toolPanelView } from "./tool-panel.ts";

const MARGIN = "  ";
const WORTH_TELLING_MS = 100;
const MAX_PROMPT_LINES = 20;
const MAX_SHELL_LINES = 12;
const MAX_OPEN_THOUGHT_LINES = 3;
const MAX_OPEN_THOUGHT = 2_000;
/** More than a screen shows. */
const MAX_OPEN_ANSWER = 10_000;

export function entryView(entry: TranscriptEntry, canvas: Canvas): string[] {
  const lines = guarded(() => entryLines(entry, canvas), canvas);
  return entry.gap ? ["", ...lines] : lines;
}

/** A view that fails must not stop the conversation. */
export function guarded(view: () => string[], { width, theme }: Pick<Canvas, "width" | "theme">): string[] {
  try {
    return view();
  } catch (error) {
    return [fit(theme.danger(`⚠ This could not be drawn: ${oneLine(errorMessage(error))}`), width)];
  }
}

function entryLines(entry: TranscriptEntry, canvas: Canvas): string[] {
  switch (entry.kind) {
    case "prompt":
      return promptView(entry, canvas);
    case "answer":
      return answerView(entry.open ? endOf(entry.block) : entry.block, canvas);
    case "thought":
      return thoughtView(entry, canvas);
    case "tool":
      return toolPanelView(entry, canvas);
    case "shell":
      return shellView(entry, canvas);
    case "notice":
      return noticeView(entry.tone, entry.text, canvas);
    case "panel":
      return panelView(entry.panel, canvas);
    case "summed-up":
      return summedUpView(entry, canvas);
    case "turn-end":
      return turnEndView(entry, canvas);
  }
}

/** An open block is drawn again with each delta, so one without a line break must not be drawn whole. */
function endOf(block: Block): Block {
  return block.text.length <= MAX_OPEN_ANSWER
    ? block
    : { ...block, text: block.text.slice(-MAX_OPEN_ANSWER) };
}

function promptView(entry: PromptEntry, { width, theme, unfolded, keys }: Canvas): string[] {
  const time = entry.at === null ? "" : theme.faint(formatTime(entry.at));
  const lines = wrap(expandTabs(entry.text), width - 8);
  const most = unfolded ? lines.length : MAX_PROMPT_LINES;
  const shown = lines.slice(0, most).map((line, index) => {
    const text = theme.person(theme.strong(line));
    if (index > 0) return MARGIN + text;
    return spread(`${theme.person(entry.steered ? "↳" : "❯")} ${text}`, time, width);
  });
  const rest = lines.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [theme.faint(`${MARGIN}… ${plural(rest, "more line")}${shownBy({ keys })}`)] : []),
    ...entry.attachments.map((name) => fit(theme.dim(`${MARGIN}+ ${name}`), width)),
  ];
}

function thoughtView(entry: ThoughtEntry, { width, theme, unfolded }: Canvas): string[] {
  const paint: Paint = (text) => theme.faint(theme.italic(text));
  // Only the end of an open thought is visible, however long it is.
  const text = entry.open ? entry.text.slice(-MAX_OPEN_THOUGHT) : entry.text;
  const lines = wrap(expandTabs(text.trim()), Math.min(width - 4, 110)).filter((line) => line !== "");
  if (unfolded && !entry.open) return lines.map((line) => MARGIN + paint(line));
  if (entry.open) return lines.slice(-MAX_OPEN_THOUGHT_LINES).map((line) => MARGIN + paint(line));
  const { durationMs } = entry;
  const took =
    durationMs === null || durationMs < WORTH_TELLING_MS ? "" : ` for ${formatDuration(durationMs)}`;
  return [fit(MARGIN + paint(`Thought${took}: ${oneLine(entry.text)}`), width)];
}

function shellView(entry: ShellEntry, { width, theme, unfolded, keys }: Canvas): string[] {
  const lines = expandTabs(entry.output.trimEnd()).split("\n");
  const shown = unfolded || lines.length === MAX_SHELL_LINES + 1 ? lines : lines.slice(-MAX_SHELL_LINES);
  const rest = lines.length - shown.length;
  const isCut = entry.output.startsWith(CUT);
  const earlier = isCut ? "earlier output" : plural(rest, "more line");
  const ended = entry.exitCode === null ? "stopped" : `exit code ${entry.exitCode}`;
  const running = ["running", keyHint(keys.stop, "stops")].filter((text) => text !== "").join(" · ");
  const bar = `${MARGIN}${theme.border("│")} `;
  return [
    fit(`${theme.person("!")} ${theme.strong(oneLine(entry.command))}`, width),
    ...(rest > 0
      ? [bar + theme.faint(`… ${earlier}${shownBy({ keys }, isCut ? "more of it" : "all")}`)]
      : []),
    ...(entry.output.trim() === "" ? [] : shown.map((line) => fit(bar + line, width))),
    ...(entry.open ? [theme.faint(MARGIN + running)] : []),
    ...(entry.open || entry.exitCode === 0 ? [] : [theme.warning(`${MARGIN}${ended}`)]),
  ];
}

const NOTICES: Readonly<Record<Tone, readonly [mark: string, role: Role]>> = {
  quiet: ["·", "faint"],
  info: ["ℹ", "dim"],
  warning: ["!", "warning"],
  error: ["✗", "danger"],
};

function noticeView(tone: Tone, text: string, { width, theme }: Canvas): string[] {
  const [mark, role] = NOTICES[tone];
  const paint = theme[role];
  const room = Math.min(width - 4, 116);
  const [first = "", ...rest] = wrap(expandTabs(stripTerminalControls(text).trimEnd()), room);
  return [`${paint(mark)} ${paint(first)}`, ...rest.map((line) => MARGIN + paint(line))];
}

function summedUpView(entry: SummedUp, { width, theme, unfolded, keys }: Canvas): string[] {
  const line = theme.dim(`— ${describeSummedUp(entry)} —`);
  if (!unfolded) return [fit(line + theme.faint(shownBy({ keys }, "the summary")), width)];
  const text = wrap(expandTabs(entry.summary.trim()), Math.min(width - 4, 110));
  return [fit(line, width), ...text.map((part) => MARGIN + theme.faint(part))];
}

function turnEndView(entry: TurnEndEntry, { width, theme }: Canvas): string[] {
  const { usage, generatingMs, durationMs, changedFiles } = entry;
  const { completionTokens } = usage;
  // Over a shorter time the rate would measure the network.
  const rate = generatingMs > 200 ? `${Math.round(completionTokens / (generatingMs / 1_000))} tokens/s` : "";
  const facts = [
    completionTokens > 0 ? `${formatCount(completionTokens)} tokens` : "",
    formatDuration(durationMs),
    completionTokens > 0 ? rate : "",
    isFree(usage) ? "" : describeCost(usage),
    changedFiles === 0 ? "" : `${plural(changedFiles, "file")} changed (/undo)`,
  ];
  return [fit(theme.faint(MARGIN + facts.filter((fact) => fact !== "").join(" · ")), width)];
}
