// Reads a question off captured screens, as a person would: what runs, with which variables, where; what is written.
import { readBack } from "./read-back.ts";
import type { RunningApp } from "./terminal-app.ts";

export interface ReadCommand {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly sandboxed: boolean;
}

export interface ReadDiffLine {
  readonly sign: "+" | "-" | " ";
  readonly number: number;
  readonly text: string;
}

export interface ReadWrite {
  readonly lines: readonly ReadDiffLine[];
  /** The last line of the file has no line break. */
  readonly isUnended: boolean;
  readonly remarks: readonly string[];
}

/** The body of the question on every page, without the bar. */
export async function questionPages(
  app: Pick<RunningApp, "terminal" | "press" | "see">,
): Promise<string[][]> {
  const first = bodyOf(await app.terminal.screen());
  const pages = [first.rows];
  for (let page = 2; page <= first.pages; page++) {
    app.press("pageDown");
    pages.push(bodyOf(await app.see(`page ${page} of ${first.pages}`)).rows);
  }
  return pages;
}

export function bodyOf(screen: readonly string[]): { readonly rows: string[]; readonly pages: number } {
  const from = screen.findIndex((row) => row.startsWith("╭─")) + 1;
  const to = screen.findIndex((row, index) => index >= from && /^│(?:$| … \d+ more)/.test(row));
  if (from === 0 || to === -1) throw new Error(`No question is on the screen:\n${screen.join("\n")}`);
  const pages = Number(/page \d+ of (\d+)/.exec(screen[to] ?? "")?.[1] ?? 1);
  return { rows: screen.slice(from, to).map((row) => row.slice(2).trimEnd()), pages };
}

type Kind = "variable" | "line" | "place" | "fact";

export function readCommand(pages: readonly (readonly string[])[]): ReadCommand {
  const variables: string[] = [];
  const lines: string[] = [];
  let place = "";
  /** What a row that begins with the sign of continuation continues, on the next page too. */
  let last: Kind = "line";
  for (const page of pages) {
    let current: Kind = last;
    for (const row of page) {
      const [sign, text] = [row.slice(0, 2).padEnd(2), row.slice(2)];
      if (sign === "↪ ") {
        if (current === "variable") variables.push((variables.pop() ?? "") + text);
        if (current === "line") lines.push((lines.pop() ?? "") + text);
        if (current === "place") place += text;
        continue;
      }
      if (row.startsWith("with ")) current = "variable";
      else if (sign === "$ " || sign === "> ") current = "line";
      else if (row.startsWith("Runs ")) current = "place";
      else current = "fact";
      if (current === "variable") variables.push(row.slice(5));
      if (current === "line") lines.push(text);
      if (current === "place") place = row;
      if (current === "variable" || current === "line") last = current;
    }
  }
  const [, where, folder = ""] = /^Runs (inside|outside) the sandbox in (.*)$/.exec(place) ?? [];
  return {
    script: lines.map(readBack).join("\n"),
    env: Object.fromEntries(variables.map((variable) => splitOnce(variable).map(readBack))),
    folder: readBack(folder),
    sandboxed: where === "inside",
  };
}

function splitOnce(variable: string): [name: string, value: string] {
  const at = variable.indexOf("=");
  return [variable.slice(0, at), variable.slice(at + 1)];
}

const DIFF_ROW = /^ *(\d+)(?: ([-+ ])(?: (.*))?)?$/;
const CONTINUED_ROW = /^ +↪ ?/;

export function readWrite(pages: readonly (readonly string[])[]): ReadWrite {
  const lines: ReadDiffLine[] = [];
  const remarks: string[] = [];
  let isUnended = false;
  for (const page of pages) {
    const facts = page.findIndex((row) => row.startsWith("Asked because:"));
    for (const row of facts === -1 ? page : page.slice(0, facts)) {
      const [, number, sign = " ", text = ""] = DIFF_ROW.exec(row) ?? [];
      const last = lines.at(-1);
      if (number !== undefined && (sign === "+" || sign === "-" || sign === " "))
        lines.push({ number: Number(number), sign, text });
      else if (CONTINUED_ROW.test(row) && last !== undefined)
        lines[lines.length - 1] = { ...last, text: last.text + row.replace(CONTINUED_ROW, "") };
      else if (/^ +\\ No newline/.test(row)) isUnended = true;
      else remarks.push(row);
    }
  }
  const end = remarks.includes("Every line ends with U+000D U+000A.") ? "\r" : "";
  return { lines: lines.map((line) => ({ ...line, text: readBack(line.text) + end })), isUnended, remarks };
}
