// The conversation as plain text, without boxes and colours, and never drawn over: for screen readers and dumb
// terminals.

import { formatDuration, plural } from "../../base/numbers.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { exactLine, visibleLine } from "../../base/visible-text.ts";
import { describeLimit } from "../../domain/limits.ts";
import type { PermissionQuestion } from "../../domain/permission.ts";
import { describeSummedUp } from "../../domain/summary.ts";
import type { Panel } from "../../front/contract.ts";
import type { EntryBody } from "../state/entry.ts";
import { choicesOf, type Question } from "../state/question.ts";
import { plainDiff } from "./diff.ts";
import { hostsIn, unseenArguments, variablesOf, whereItRuns } from "./permission-body.ts";
import { drawnLabel } from "./tool-label.ts";

const MAX_OUTPUT_LINES = 40;

/** The lines to print, if any. */
export function plainEntry(entry: EntryBody): string[] {
  switch (entry.kind) {
    case "prompt":
      // The line that the person typed is already on the terminal; that steering was sent is worth saying.
      return entry.steered ? [`Sent: ${entry.text}`] : [];
    case "answer":
      return entry.block.type === "code"
        ? [
            ...(entry.block.opens
              ? [`Code${entry.block.language ? ` (${entry.block.language})` : ""}:`]
              : []),
            entry.block.text,
            ...(entry.block.closes ? ["End of code."] : []),
          ]
        : [entry.block.text];
    case "thought":
      return [`Thought: ${entry.text}`];
    case "tool": {
      const { verb, subject } = drawnLabel(entry.label);
      const took = entry.durationMs === null ? "" : `, ${formatDuration(entry.durationMs)}`;
      return [`Tool: ${verb} ${subject}: ${entry.status}${took}.`, ...bounded(entry.result ?? "")];
    }
    case "shell":
      return [
        ...bounded(entry.output),
        `Ended with ${entry.exitCode === null ? "a stop" : `code ${entry.exitCode}`}.`,
      ];
    case "notice":
      return [`${entry.tone === "error" ? "Error" : "Note"}: ${entry.text}`];
    case "panel":
      return plainPanel(entry.panel);
    case "summed-up":
      return [`Note: ${describeSummedUp(entry)}.`];
    case "turn-end":
      return [`Done after ${formatDuration(entry.durationMs)}.${changedWords(entry.changedFiles)}`];
  }
}

/** Nothing that would run is hidden: the lines are those of permission-body.ts, each whole. */
export function plainQuestion(question: Question): string[] {
  const choices = choicesOf(question).map(({ key, label }) => `${key}: ${exactLine(label)}.`);
  return [...topic(question), ...choices];
}

/** A row is read as one sentence: the first column says what the others are about. */
function plainPanel({ title, rows }: Panel): string[] {
  return [`${title}:`, ...rows.map(([head = "", ...rest]) => `${head}: ${rest.join(" ")}`)];
}

function topic(question: Question): string[] {
  switch (question.kind) {
    case "permission":
      return permissionTopic(question.question);
    case "plan":
      return ["Question: is this plan right?", stripTerminalControls(question.plan)];
    case "go-on":
      return [`Question: go on? The request has reached ${describeLimit(question.reached)}.`];
  }
}

function permissionTopic(question: PermissionQuestion): string[] {
  const { title, decision, label, preview, command } = question;
  const script = (command?.script ?? "").split("\n");
  const change =
    preview?.type === "diff"
      ? [...(preview.remarks ?? []).map(exactLine), ...plainDiff(preview.diff, preview.numbered)]
      : [];
  return [
    `Question: ${visibleLine(title)} ${label.verb} ${exactLine(label.subject)}`,
    ...variablesOf(command),
    ...(script.length > 1
      ? ["The command:", ...script.map((line, index) => `${index === 0 ? "$" : ">"} ${exactLine(line)}`)]
      : []),
    ...unseenArguments(question),
    ...(change.length > 0 ? ["The change:", ...change] : []),
    ...(preview?.type === "failure" ? [visibleLine(preview.reason)] : []),
    ...(command === undefined ? [] : [exactLine(whereItRuns(command))]),
    ...hostsIn(label.subject).map((host) => `Host: ${host}`),
    `Asked because: ${exactLine(decision.reason)}`,
  ];
}

function changedWords(count: number): string {
  return count === 0 ? "" : ` ${plural(count, "file")} changed: /undo takes it back.`;
}

function bounded(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  if (text.trim() === "") return [];
  if (lines.length <= MAX_OUTPUT_LINES) return lines;
  return [...lines.slice(0, MAX_OUTPUT_LINES), `and ${plural(lines.length - MAX_OUTPUT_LINES, "more line")}`];
}
