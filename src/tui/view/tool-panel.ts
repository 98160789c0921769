// A tool call: what it does, how it stands, and as much of its output as helps.
import { formatDuration, formatElapsed, plural } from "../../base/numbers.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { ToolDetails } from "../../domain/tool-details.ts";
import type { ToolEntry } from "../state/entry.ts";
import type { Theme } from "../theme/theme.ts";
import { proseLines } from "./answer.ts";
import { columns } from "./columns.ts";
import { diffStat, diffView } from "./diff.ts";
import { exactRows } from "./exact-rows.ts";
import { type Canvas, shownBy } from "./look.ts";
import { expandTabs, fit, LINE_BREAK, spread, wrap } from "./text.ts";
import { drawnLabel } from "./tool-label.ts";

const MARGIN = "  ";
const FOLDED_DIFF = { most: 24, numbered: true };
const WORTH_TELLING_MS = 100;
const MAX_PROGRESS_LINES = 4;
const MAX_ERROR_LINES = 4;
const MIN_HEAD_COLUMNS = 20;

interface Folding {
  readonly most: number;
  readonly hides: "start" | "end";
  /** The number of lines before the text, which count as hidden, too. */
  readonly earlier?: number;
}

const HEAD: Folding = { most: 6, hides: "end" };
const TAIL: Folding = { most: 6, hides: "start" };

export function toolPanelView(entry: ToolEntry, canvas: Canvas): string[] {
  const { theme, width } = canvas;
  const { verb, subject, whole } = drawnLabel(entry.label);
  const time = timing(entry, canvas.now);
  const right = [summary(entry, theme), time === "" ? "" : theme.faint(time)].filter((text) => text !== "");
  const facts = right.join(theme.faint(" · "));
  const head = `${mark(entry, theme)} ${theme.strong(verb)} ${subject}`;
  const room = Math.max(MIN_HEAD_COLUMNS, width - columns(facts) - 2);
  const isCut = columns(head) > room || subject.includes(LINE_BREAK);
  const bar = `${MARGIN}${theme.border("│")} `;
  const inner = { ...canvas, width: width - 4 };
  const isToldWhole = canvas.unfolded && isCut && whole !== undefined;
  const lines = [
    ...(isToldWhole ? [...whole.split("\n").flatMap((line) => exactRows(line, inner)), ""] : []),
    ...body(entry, inner),
  ];
  return [
    spread(fit(head, Math.min(width, room)), facts, width),
    ...lines.map((line) => fit(bar + line, width)),
  ];
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

/** The result in a word or two, if the output itself is folded. */
function summary({ resultStyle, status, result, details }: ToolEntry, theme: Theme): string {
  if (status === "failed") return theme.danger("failed");
  if (status === "refused") return theme.warning("refused");
  if (status === "cancelled") return theme.warning("stopped");
  if (status !== "completed" || result === null) return "";
  if (details?.type === "edit" && details.diff !== "") {
    const { added, removed } = diffStat(details.diff);
    return `${theme.added(`+${added}`)} ${theme.removed(`-${removed}`)}`;
  }
  // The model needs what was read; a person sees how much it was, and all of it with Ctrl-O.
  if (resultStyle !== "count") return "";
  return theme.faint(
    details?.type === "count" ? countWords(details) : plural(result.trimEnd().split("\n").length, "line"),
  );
}

function countWords({ count, of }: Extract<ToolDetails, { type: "count" }>): string {
  const plurals = { line: "lines", file: "files", match: "matches", entry: "entries" } as const;
  return `${count} ${count === 1 ? of : plurals[of]}`;
}

function body(entry: ToolEntry, canvas: Canvas): string[] {
  const { status, resultStyle, result, details, progress } = entry;
  const running = { most: MAX_PROGRESS_LINES, hides: "start" } as const;
  if (status === "pending") return [];
  if (status === "running") return output(progress, canvas, running);
  if (result === null || result.trim() === "") return [];
  // A plan that was stopped is what the person answers next, so it stays on the screen.
  if (status === "cancelled" && resultStyle === "markdown") return prose(entry, canvas);
  if (status === "cancelled") {
    // The result of a call that was stopped while it ran begins with its output.
    const unseen = result.includes(progress.trimEnd()) ? "" : progress;
    const ended = { most: MAX_PROGRESS_LINES + MAX_ERROR_LINES, hides: "start" } as const;
    return [...output(unseen, canvas, running), ...message(result, canvas, ended)];
  }
  // The end of the output says most, however the command ended.
  if (details?.type === "command") return commandOutput(details, result, canvas);
  if (status !== "completed") return message(result, canvas);
  if (details?.type === "edit" && details.diff !== "") return diffView(details.diff, canvas, FOLDED_DIFF);
  switch (resultStyle) {
    case "markdown":
      return prose(entry, canvas);
    case "count":
      return canvas.unfolded ? output(result, canvas, HEAD) : [];
    case "tail":
      return output(result, canvas, TAIL);
    case "head":
      return output(result, canvas, HEAD);
  }
}

/** A successful command shows only its own output: the mark and the time say the rest. */
function commandOutput(
  { exitCode, output: own, earlierLines = 0 }: Extract<ToolDetails, { type: "command" }>,
  result: string,
  canvas: Canvas,
): string[] {
  if (canvas.unfolded || exitCode !== 0) return output(result, canvas, TAIL);
  return output(own, canvas, { ...TAIL, earlier: earlierLines });
}

/** An error is a sentence: it is wrapped, not cut. */
function message(
  text: string,
  canvas: Canvas,
  folding: Folding = { most: MAX_ERROR_LINES, hides: "end" },
): string[] {
  const lines = wrap(expandTabs(text.trimEnd()), canvas.width);
  return folded(lines.map(canvas.theme.dim), canvas, folding);
}

function prose({ label, result }: ToolEntry, canvas: Canvas): string[] {
  const lines = [
    ...proseLines(stripTerminalControls(label.whole ?? ""), canvas),
    "",
    canvas.theme.dim(result ?? ""),
  ];
  return lines.flatMap((line) => wrap(line, canvas.width));
}

/** Folded output keeps one row per line, so that a long line can't take the screen. */
function output(text: string, canvas: Canvas, folding: Folding): string[] {
  const { width, unfolded, theme } = canvas;
  if (text.trim() === "") return folded([], canvas, folding);
  const lines = expandTabs(text.trimEnd()).split("\n");
  const rows = lines.flatMap((line) => (unfolded ? wrap(line, width) : fit(line, width)));
  return folded(rows.map(theme.dim), canvas, folding);
}

/** Hidden lines are counted. A single one is shown, because the count would take as much room. */
function folded(lines: readonly string[], canvas: Canvas, { most, hides, earlier = 0 }: Folding): string[] {
  const rest = lines.length + earlier - most;
  if (canvas.unfolded || rest <= (earlier === 0 ? 1 : 0)) return [...lines];
  const more = canvas.theme.faint(`… ${plural(rest, "more line")}${shownBy(canvas)}`);
  return hides === "start" ? [more, ...lines.slice(-most)] : [...lines.slice(0, most), more];
}
