// A tool call: what it does, how it stands, and as much of its output as helps.

import { formatDuration, formatElapsed, plural } from "../../base/numbers.ts";
import type { ToolDetails } from "../../domain/tool-details.ts";
import type { ToolEntry } from "../state/entry.ts";
import type { Paint, Theme } from "../theme/theme.ts";
import { proseLines } from "./answer.ts";
import { columns } from "./columns.ts";
import { diffStat, diffView } from "./diff.ts";
import type { Canvas } from "./look.ts";
import { expandTabs, fit, LINE_BREAK, spread, wrap } from "./text.ts";
import { drawnLabel } from "./tool-label.ts";

const MARGIN = "  ";
const FOLDED_DIFF = { most: 24, numbered: true };
const WORTH_TELLING_MS = 100;
const MAX_OUTPUT_LINES = 6;
const MAX_PROGRESS_LINES = 4;
const MAX_ERROR_LINES = 4;
const MIN_HEAD_COLUMNS = 20;

export function toolPanelView(entry: ToolEntry, canvas: Canvas): string[] {
  const { theme, width } = canvas;
  const { verb, subject, whole } = drawnLabel(entry.label);
  const time = timing(entry, canvas.now);
  const right = [summary(entry, theme), time === "" ? "" : theme.faint(time)].filter((text) => text !== "");
  const facts = right.join(theme.faint(" · "));
  const head = `${mark(entry, theme)} ${theme.strong(verb)} ${subject}`;
  const room = Math.max(MIN_HEAD_COLUMNS, width - columns(facts) - 2);
  const isCut = columns(head) > room || subject.includes(LINE_BREAK);
  return [
    spread(fit(head, Math.min(width, room)), facts, width),
    ...(canvas.unfolded && isCut && whole !== undefined ? wholeSubject(whole, canvas) : []),
    ...body(entry, canvas).map((line) => fit(line, width)),
  ];
}

/** What did not fit into one line, where nothing is folded. */
function wholeSubject(whole: string, { theme, width }: Canvas): string[] {
  return [...wrap(expandTabs(whole), width - 4), ""].map(behindBar(theme));
}

function mark({ status }: ToolEntry, theme: Theme): string {
  switch (status) {
    case "pending":
      return theme.faint("○");
    case "running":
      return theme.accent("●");
    case "completed":
      return theme.success("✓");
    case "failed":
      return theme.danger("✗");
    case "refused":
    case "cancelled":
      return theme.warning("⊘");
  }
}

function timing({ status, startedAt, durationMs }: ToolEntry, now: number): string {
  if (status === "running") return startedAt === null ? "" : formatElapsed(now - startedAt);
  if (status === "pending") return "waiting";
  return durationMs === null || durationMs < WORTH_TELLING_MS ? "" : formatDuration(durationMs);
}

/** What came out, in a word or two, where the output itself is folded away. */
function summary({ resultStyle, status, result, details }: ToolEntry, theme: Theme): string {
  if (status === "failed") return theme.danger("failed");
  if (status === "refused") return theme.warning("refused");
  if (status === "cancelled") return theme.warning("stopped");
  if (status !== "completed" || result === null) return "";
  if (details?.type === "edit" && details.diff !== "") {
    const { added, removed } = diffStat(details.diff);
    return `${theme.added(`+${added}`)} ${theme.removed(`-${removed}`)}`;
  }
  // Reading is for the model: a person sees how much it was, and all of it with Ctrl-O.
  if (resultStyle !== "count") return "";
  return theme.faint(details?.type === "count" ? countWords(details) : plural(countLines(result), "line"));
}

function countWords({ count, of }: Extract<ToolDetails, { type: "count" }>): string {
  const plurals = { line: "lines", file: "files", match: "matches", entry: "entries" } as const;
  return `${count} ${count === 1 ? of : plurals[of]}`;
}

function body(entry: ToolEntry, canvas: Canvas): string[] {
  const { theme } = canvas;
  const { status, resultStyle, result, details } = entry;
  if (status === "pending") return [];
  if (status === "running") return tail(entry.progress, canvas, MAX_PROGRESS_LINES, theme.dim);
  if (result === null || result.trim() === "") return [];
  if (status === "cancelled")
    return [...tail(entry.progress, canvas, MAX_PROGRESS_LINES, theme.dim), ...message(result, canvas)];
  // Of a command that ran the end says most, however it ended.
  if (details?.type === "command") return commandBody(details, result, canvas);
  if (status !== "completed") return message(result, canvas);
  if (details?.type === "edit" && details.diff !== "")
    return diffView(details.diff, { ...canvas, width: canvas.width - 4 }, FOLDED_DIFF).map(behindBar(theme));
  switch (resultStyle) {
    case "markdown":
      return prose(entry, canvas);
    case "count":
      return canvas.unfolded ? head(result, canvas, MAX_OUTPUT_LINES, theme.dim) : [];
    case "tail":
      return tail(result, canvas, MAX_OUTPUT_LINES, theme.dim);
    case "head":
      return head(result, canvas, MAX_OUTPUT_LINES, theme.dim);
  }
}

/** Where it went well, without what the model is told of every such command: the mark and the time say that. */
function commandBody(
  { exitCode, output, earlierLines = 0 }: Extract<ToolDetails, { type: "command" }>,
  result: string,
  canvas: Canvas,
): string[] {
  if (canvas.unfolded || exitCode !== 0) return tail(result, canvas, MAX_OUTPUT_LINES, canvas.theme.dim);
  return tail(output, canvas, MAX_OUTPUT_LINES, canvas.theme.dim, earlierLines);
}

/** An error is a sentence: it is wrapped, not cut. */
function message(text: string, canvas: Canvas): string[] {
  const lines = wrap(expandTabs(text.trimEnd()), canvas.width - 4);
  return folded(lines, canvas, MAX_ERROR_LINES, "end").map(canvas.theme.dim).map(behindBar(canvas.theme));
}

function prose({ label, result }: ToolEntry, canvas: Canvas): string[] {
  const lines = [
    ...proseLines(drawnLabel(label).whole ?? "", { ...canvas, width: canvas.width - 4 }),
    "",
    canvas.theme.dim(result ?? ""),
  ];
  return lines.flatMap((line) => wrap(line, canvas.width - 4)).map(behindBar(canvas.theme));
}

function head(text: string, canvas: Canvas, most: number, paint: Paint): string[] {
  return folded(outputLines(text, canvas).map(paint), canvas, most, "end").map(behindBar(canvas.theme));
}

/** earlier: lines before the text, which are counted, too. */
function tail(text: string, canvas: Canvas, most: number, paint: Paint, earlier = 0): string[] {
  const lines = outputLines(text, canvas).map(paint);
  return folded(lines, canvas, most, "start", earlier).map(behindBar(canvas.theme));
}

/** Lines at that end are counted instead of shown. A single one is shown: counting it takes as much room. */
function folded(
  lines: readonly string[],
  canvas: Canvas,
  most: number,
  at: "start" | "end",
  earlier = 0,
): string[] {
  const rest = lines.length + earlier - most;
  if (canvas.unfolded || rest <= (earlier === 0 ? 1 : 0)) return [...lines];
  const more = canvas.theme.faint(`… ${plural(rest, "more line")} (Ctrl-O shows all)`);
  return at === "start" ? [more, ...lines.slice(-most)] : [...lines.slice(0, most), more];
}

/** Folded output keeps one row per line, so that a long line can't take the screen. */
function outputLines(text: string, { width, unfolded }: Canvas): string[] {
  const lines = expandTabs(text.trimEnd()).split("\n");
  if (text.trim() === "") return [];
  return unfolded
    ? lines.flatMap((line) => wrap(line, width - 4))
    : lines.map((line) => fit(line, width - 4));
}

function behindBar(theme: Theme): (line: string) => string {
  return (line) => `${MARGIN}${theme.border("│")} ${line}`;
}

function countLines(text: string): number {
  return text.trimEnd().split("\n").length;
}
