// What a permission question is about: every byte that would run or be written can be read off it, the variables, the
// folder and the place too.
import { domainToUnicode } from "node:url";
import { exactLine, visibleLine } from "../../base/visible-text.ts";
import type { AskedCommand, PermissionQuestion } from "../../domain/permission.ts";
import type { CallPreview } from "../../domain/tool.ts";
import { diffView } from "./diff.ts";
import { exactRows } from "./exact-rows.ts";
import type { Canvas } from "./look.ts";
import { wrap } from "./text.ts";

export interface Body {
  /** What it is about. If there is little room, it is shown page by page. */
  readonly subject: readonly string[];
  /** What is known about it, each fact in its rows. */
  readonly facts: readonly (readonly string[])[];
}

interface Drawn {
  readonly canvas: Canvas;
  readonly body: Body;
}

/** A frame is drawn many times a second, and most of them show the same question. */
const drawn = new WeakMap<PermissionQuestion, Drawn>();

export function permissionBody(question: PermissionQuestion, canvas: Canvas): Body {
  const known = drawn.get(question);
  if (known !== undefined && isSameLook(known.canvas, canvas)) return known.body;
  const body = {
    subject: [...subjectRows(question, canvas), ...previewRows(question.preview, canvas)],
    facts: factsOf(question, canvas),
  };
  drawn.set(question, { canvas, body });
  return body;
}

function isSameLook(one: Canvas, other: Canvas): boolean {
  return one.width === other.width && one.theme === other.theme && one.wordDiff === other.wordDiff;
}

function subjectRows(question: PermissionQuestion, canvas: Canvas): string[] {
  const { command, label } = question;
  const script = command?.script ?? label.whole;
  const rows = (line: string) => exactRows(line, canvas);
  if (script !== undefined) return [...variablesOf(command).flatMap(rows), ...scriptRows(script, canvas)];
  const named = rows(`${exactLine(label.verb)} ${exactLine(label.subject)}`).map(canvas.theme.strong);
  return [...named, ...unseenArguments(question).flatMap(rows)];
}

/** As a shell shows what is typed into it. */
function scriptRows(script: string, canvas: Canvas): string[] {
  return script
    .split("\n")
    .flatMap((line, index) => exactRows(exactLine(line), canvas, index === 0 ? "$ " : "> "))
    .map(canvas.theme.strong);
}

function previewRows(preview: CallPreview | null, canvas: Canvas): string[] {
  if (preview === null) return [];
  if (preview.type === "failure") return exactRows(visibleLine(preview.reason), canvas);
  const { diff, numbered, remarks = [] } = preview;
  return [
    ...remarks.flatMap((remark) => exactRows(exactLine(remark), canvas)),
    ...(diff === ""
      ? []
      : diffView(diff, { ...canvas, unfolded: true }, { most: Number.POSITIVE_INFINITY, numbered })),
  ];
}

function factsOf({ command, decision, label }: PermissionQuestion, canvas: Canvas): string[][] {
  const { commands = [], reason, rule } = decision;
  const facts = [
    ...hostsIn(label.subject).map((host) => `Host: ${host}`),
    `Asked because: ${exactLine(reason)}`,
    ...(commands.length > 1 ? [`It runs: ${commands.map(exactLine).join(" · ")}`] : []),
    ...(rule === undefined ? [] : [`Rule: ${exactLine(rule)}`]),
  ];
  const place = command === undefined ? [] : [exactRows(exactLine(whereItRuns(command)), canvas)];
  // Rows below the first are indented, so that none can pass for the beginning of something else.
  const rows = (fact: string) =>
    wrap(fact, canvas.width - 2).map((row, index) => (index === 0 ? row : `  ${row}`));
  return [...place, ...facts.map(rows)].map((fact) => fact.map(canvas.theme.dim));
}

export function whereItRuns({ folder, sandboxed }: AskedCommand): string {
  return `Runs ${sandboxed ? "inside" : "outside"} the sandbox in ${folder}`;
}

/** Arguments that the label leaves out, a line each. */
export function unseenArguments({ args, label, preview, command }: PermissionQuestion): string[] {
  if (preview !== null || command !== undefined || label.whole !== undefined) return [];
  return Object.entries(args)
    .filter(([, value]) => typeof value === "string" || typeof value === "object")
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const)
    .filter(([, text]) => !label.subject.includes(text))
    .map(([name, text]) => `with ${exactLine(name)}: ${exactLine(text)}`);
}

/** The variables of a command, a line each. */
export function variablesOf(command: AskedCommand | undefined): string[] {
  return Object.entries(command?.env ?? {}).map(
    ([name, value]) => `with ${exactLine(name)}=${exactLine(value)}`,
  );
}

/** The host that an address really leads to: in the form that is looked up, and as it reads. */
export function hostsIn(subject: string): string[] {
  if (!URL.canParse(subject)) return [];
  const { hostname } = new URL(subject);
  const read = domainToUnicode(hostname);
  return hostname === ""
    ? []
    : [read === hostname || read === "" ? hostname : `${hostname} (${exactLine(read)})`];
}
