// A question to the person: what it is about, why it is asked, and the keys that answer it.
import { plural } from "../../base/numbers.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { describeLimit } from "../../domain/limits.ts";
import type { PermissionQuestion } from "../../domain/permission.ts";
import type { CallPreview } from "../../domain/tool.ts";
import { choicesOf, type Question } from "../state/question.ts";
import type { Theme } from "../theme/theme.ts";
import { proseLines } from "./answer.ts";
import { diffView } from "./diff.ts";
import { type Canvas, shownBy } from "./look.ts";
import { expandTabs, fit, oneLine, wrap } from "./text.ts";
import { drawnLabel } from "./tool-label.ts";

/** A rule may be long, but a person must be able to read what "don't ask again" would add. */
const MAX_CHOICE_LINES = 4;
const MIN_SUBJECT_LINES = 2;
const MIN_BODY_LINES = 4;
/** Head, foot, and the line before the choices. */
const FRAME_LINES = 3;
/** Bidirectional controls and zero-width characters, but not the joiners that scripts and emoji need. */
const HIDDEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

interface Body {
  /** What it is about; it is cut first. */
  readonly subject: readonly string[];
  /** What is known about it, which is needed most when the command is cut. */
  readonly facts: readonly string[];
}

/** rows: how many lines it may take; the body is cut, the choices never. */
export function questionView(question: Question, canvas: Canvas, rows: number, waiting: number): string[] {
  const { theme, width } = canvas;
  const bar = `${theme.warning("│")} `;
  const inner = { ...canvas, width: width - 2 };
  const long = choicesView(question, inner, canvas.unfolded ? Number.POSITIVE_INFINITY : MAX_CHOICE_LINES);
  const hasRoom = rows - long.length - FRAME_LINES >= MIN_BODY_LINES;
  const choices = hasRoom ? long : choicesView(question, inner, 1);
  const more = waiting > 0 ? ` (${waiting} more after this)` : "";
  const body = clip(bodyOf(question, inner), Math.max(1, rows - choices.length - FRAME_LINES), inner);
  return [
    fit(theme.warning(`╭─ ${theme.strong(titleOf(question))}${more}`), width),
    ...body.map((line) => bar + line),
    bar.trimEnd(),
    ...choices.map((line) => bar + line),
    theme.warning("╰─"),
  ];
}

/** most: how many lines a choice may take. */
function choicesView(question: Question, { width, theme }: Canvas, most: number): string[] {
  return choicesOf(question).flatMap(({ key, label }, index) => {
    const isSelected = index === question.selected;
    const text = showHidden(stripTerminalControls(label), theme);
    const lines = most === 1 ? [text] : wrap(text, width - 5);
    const shown = lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]} …`];
    return shown.map((line, row) => {
      const drawn = row === 0 ? `${isSelected ? "❯" : " "} ${key}  ${line}` : `     ${line}`;
      return fit(isSelected ? theme.selected(drawn) : drawn, width);
    });
  });
}

function titleOf(question: Question): string {
  switch (question.kind) {
    case "permission":
      return oneLine(stripTerminalControls(question.question.title));
    case "plan":
      return "Is this plan right?";
    case "go-on":
      return "Go on?";
  }
}

function bodyOf(question: Question, canvas: Canvas): Body {
  switch (question.kind) {
    case "permission":
      return permissionBody(question.question, canvas);
    case "plan":
      return { subject: proseLines(stripTerminalControls(question.plan), canvas), facts: [] };
    case "go-on": {
      const text = `The request has reached ${describeLimit(question.reached)}.`;
      return { subject: wrap(text, canvas.width), facts: [] };
    }
  }
}

function permissionBody({ decision, label, preview }: PermissionQuestion, canvas: Canvas): Body {
  const { theme, width } = canvas;
  const { verb, subject, whole } = drawnLabel(label);
  const commands = decision.commands ?? [];
  const facts = [
    ...(commands.length > 1 ? [`It runs: ${commands.map(stripTerminalControls).join(" · ")}`] : []),
    ...(decision.sandboxed ? ["It runs inside the sandbox."] : []),
    `Asked because: ${stripTerminalControls(decision.reason)}`,
    ...(decision.rule === undefined ? [] : [`Rule: ${stripTerminalControls(decision.rule)}`]),
  ];
  return {
    subject: [
      // A long text is shown whole, line by line: nothing in it may hide.
      ...wrap(showHidden(whole === undefined ? `${verb} ${subject}` : expandTabs(whole), theme), width).map(
        theme.strong,
      ),
      ...previewLines(preview, canvas),
      ...(whole === undefined ? [] : [""]),
    ],
    facts: facts.flatMap((fact) => wrap(showHidden(fact, theme), width)).map(theme.dim),
  };
}

function previewLines(preview: CallPreview | null, canvas: Canvas): string[] {
  if (preview === null) return [];
  if (preview.type === "failure") return wrap(stripTerminalControls(preview.reason), canvas.width);
  const { diff, numbered } = preview;
  return diffView(stripTerminalControls(diff), canvas, { most: Number.POSITIVE_INFINITY, numbered });
}

function clip({ subject, facts }: Body, most: number, { theme, keys }: Canvas): readonly string[] {
  const told = facts.slice(0, Math.max(0, most - Math.min(subject.length, MIN_SUBJECT_LINES)));
  const room = most - told.length;
  const shown = subject.length <= room ? subject : subject.slice(0, Math.max(1, room - 1));
  const rest = subject.length - shown.length + facts.length - told.length;
  // If there is room for only one line, it is the first of the subject.
  const more =
    rest === 0 || room <= shown.length
      ? []
      : [theme.warning(`… ${plural(rest, "more line")}${shownBy({ keys })}`)];
  return [...shown, ...more, ...told];
}

/** Invisible characters can change what a line seems to say, so a person who is asked must see them. */
function showHidden(text: string, theme: Theme): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return theme.danger(`⟨U+${code}⟩`);
  });
}
