// A question to the person: what it is about, why it is asked, and the keys that answer it.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { describeLimit } from "../../domain/limits.ts";
import { choicesOf, type PermissionTopic, type Question } from "../state/question.ts";
import { proseLines } from "./answer.ts";
import type { Canvas } from "./canvas.ts";
import { diffView } from "./diff.ts";
import { showHidden } from "./hidden-characters.ts";
import { expandTabs, fit, wrap } from "./text.ts";
import { toolLabel } from "./tool-label.ts";

const WHOLE_DIFF = { most: Number.POSITIVE_INFINITY, numbered: false };

/** rows: how many lines it may take; the body gives way, the choices never. */
export function questionView(question: Question, canvas: Canvas, rows: number, waiting: number): string[] {
  const { theme, width } = canvas;
  const bar = `${theme.warning("│")} `;
  const inner = { ...canvas, width: width - 2 };
  const choices = choicesOf(question).map(({ key, label }, index) => {
    const isSelected = index === question.selected;
    const text = `${isSelected ? "❯" : " "} ${key}  ${showHidden(stripTerminalControls(label), theme)}`;
    return fit(isSelected ? theme.selected(text) : text, width - 2);
  });
  const more = waiting > 0 ? ` (${waiting} more after this)` : "";
  const body = clip(bodyLines(question, inner), Math.max(1, rows - choices.length - 3), inner);
  return [
    fit(theme.warning(`╭─ ${theme.strong(titleOf(question))}${more}`), width),
    ...body.map((line) => bar + line),
    bar.trimEnd(),
    ...choices.map((line) => bar + line),
    theme.warning("╰─"),
  ];
}

function titleOf(question: Question): string {
  switch (question.kind) {
    case "permission":
      return TITLES[question.question.toolName] ?? "May this run?";
    case "plan":
      return "Is this plan right?";
    case "go-on":
      return "Go on?";
  }
}

const TITLES: Readonly<Record<string, string>> = {
  bash: "May this command run?",
  update_file: "May this file be edited?",
  write_file: "May this file be written?",
  read_file: "May this file be read?",
  web_fetch: "May this address be fetched?",
};

function bodyLines(question: Question, canvas: Canvas): string[] {
  switch (question.kind) {
    case "permission":
      return permissionLines(question, canvas);
    case "plan":
      return proseLines(stripTerminalControls(question.plan), canvas);
    case "go-on":
      return wrap(`The request has reached ${describeLimit(question.reached)}.`, canvas.width);
  }
}

function permissionLines({ question, diff }: PermissionTopic, canvas: Canvas): string[] {
  const { theme, width } = canvas;
  const { decision, toolName } = question;
  const commands = decision.commands ?? [];
  const facts = [
    ...(commands.length > 1 ? [`It runs: ${commands.map(stripTerminalControls).join("  |  ")}`] : []),
    ...(decision.sandboxed ? ["It runs inside the sandbox."] : []),
    `Asked because: ${stripTerminalControls(decision.reason)}`,
    ...(decision.rule === undefined ? [] : [`Rule: ${stripTerminalControls(decision.rule)}`]),
  ];
  return [
    ...subjectLines(question, canvas),
    ...(diff === null ? [] : diffView(diff, canvas, WHOLE_DIFF)),
    ...(toolName === "bash" ? [""] : []),
    ...facts.flatMap((fact) => wrap(showHidden(fact, theme), width)).map(theme.dim),
  ];
}

function subjectLines({ toolName, args }: PermissionTopic["question"], { width, theme }: Canvas): string[] {
  const { command } = args;
  const { verb, subject } = toolLabel(toolName, args);
  // A command is shown whole and line by line: nothing in it may hide.
  const text =
    toolName === "bash" && typeof command === "string"
      ? expandTabs(stripTerminalControls(command))
      : `${verb} ${subject}`;
  return wrap(showHidden(text, theme), width).map(theme.strong);
}

function clip(lines: readonly string[], most: number, { theme }: Canvas): readonly string[] {
  if (lines.length <= most) return lines;
  const rest = lines.length - most + 1;
  return [...lines.slice(0, most - 1), theme.warning(`… ${rest} more lines: Ctrl-O shows all`)];
}
