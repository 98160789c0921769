// A question to the person: what it is about, why it is asked, and the keys that answer it.
import { plural } from "../../base/numbers.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { exactLine } from "../../base/visible-text.ts";
import { describeLimit } from "../../domain/limits.ts";
import { choicesOf, type Question } from "../state/question.ts";
import { proseLines } from "./answer.ts";
import { markNumbers } from "./exact-rows.ts";
import { type Canvas, shownBy } from "./look.ts";
import { type Body, permissionBody } from "./permission-body.ts";
import { fit, oneLine, wrap } from "./text.ts";

/** How many lines a choice may take. A person should be able to read what "don't ask again" would add. */
const CHOICE_LINES = [4, 2, 1];
const MIN_SUBJECT_LINES = 2;
const MIN_BODY_LINES = 4;
/** Head, foot, and the line before the choices. */
const FRAME_LINES = 3;

interface QuestionPlace {
  /** How many lines it may take. */
  readonly rows: number;
  /** How many questions there are, with this one. */
  readonly of: number;
  /** What the person is told about their keys. */
  readonly remark?: string;
}

export function questionView(question: Question, canvas: Canvas, place: QuestionPlace): string[] {
  const { theme, width } = canvas;
  const { rows, of, remark = "" } = place;
  const bar = `${theme.warning("│")} `;
  const inner = { ...canvas, width: width - 2 };
  const choices = fittingChoices(question, inner, rows - FRAME_LINES);
  const room = Math.max(1, rows - choices.length - FRAME_LINES);
  const { shown, more } = pageOf(bodyOf(question, inner), question.page, room, inner);
  const count = of > 1 ? ` (1 of ${of})` : "";
  return [
    fit(theme.warning(`╭─ ${theme.strong(titleOf(question))}${count}`), width),
    ...shown.map((line) => bar + line),
    fit(bar + theme.strong(theme.warning(more)), width).trimEnd(),
    ...choices.map((line) => bar + line),
    fit(theme.warning(`╰─ ${remark}`.trimEnd()), width),
  ];
}

/** As much of each choice as leaves room for the body; if there are too many, those around the selected one. */
function fittingChoices(question: Question, canvas: Canvas, room: number): string[] {
  const drawn = CHOICE_LINES.map((most) =>
    choicesView(question, canvas, canvas.unfolded ? Number.POSITIVE_INFINITY : most),
  );
  const fitting = drawn.find((lines) => room - lines.length >= MIN_BODY_LINES) ?? drawn.at(-1) ?? [];
  const most = Math.max(1, room - 1);
  if (fitting.length <= most) return fitting;
  const first = Math.max(0, Math.min(question.selected - Math.floor(most / 2), fitting.length - most));
  return fitting.slice(first, first + most);
}

function choicesView(question: Question, { width, theme }: Canvas, most: number): string[] {
  return choicesOf(question).flatMap(({ key, label }, index) => {
    const isSelected = index === question.selected;
    const lines = wrap(exactLine(label), width - 7);
    const shown = lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]} …`];
    return shown.map((line, row) => {
      const text = markNumbers(line, theme);
      const drawn = row === 0 ? `${isSelected ? "❯" : " "} ${key}  ${text}` : `     ${text}`;
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

interface Page {
  readonly shown: readonly string[];
  /** What is not on this page; empty if that is nothing. */
  readonly more: string;
}

/** Whatever number the page has: after the last one comes the first again. */
function pageOf({ subject, facts }: Body, number: number, most: number, canvas: Canvas): Page {
  const needed = Math.min(subject.length, Math.max(MIN_SUBJECT_LINES, Math.ceil(most / 2)));
  const count = fittingCount(facts, most - needed);
  const told = facts.slice(0, count).flat();
  // What doesn't fit at the end of every page has its place on the last ones.
  const lines = [...subject, ...facts.slice(count).flat()];
  const room = most - told.length;
  const pages = Math.max(1, Math.ceil(lines.length / room));
  const page = ((number % pages) + pages) % pages;
  const shown = lines.slice(page * room, (page + 1) * room);
  const rest = lines.length - shown.length;
  const more = `… ${plural(rest, "more line")}${shownBy(canvas)} · PgDn: page ${page + 1} of ${pages}`;
  return { shown: [...shown, ...told], more: rest === 0 ? "" : more };
}

/** How many of the facts, from the first on, have room. */
function fittingCount(facts: Body["facts"], room: number): number {
  let left = room;
  const unfit = facts.findIndex((rows) => {
    left -= rows.length;
    return left < 0;
  });
  return unfit === -1 ? facts.length : unfit;
}
