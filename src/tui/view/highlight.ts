// Splits code into runs of text with a role. The library is loaded when it is first needed.
import type { Role } from "../theme/theme.ts";

export interface Run {
  readonly text: string;
  readonly role: Role | null;
}

/** Lines of runs; null: the language isn't known. */
export type Highlighter = (code: string, language: string) => readonly (readonly Run[])[] | null;

/** Highlighting more would cause a noticeable pause; such a text is data, not code to read. */
const MAX_CHARACTERS = 20_000;

export async function loadHighlighter(): Promise<Highlighter> {
  const { default: library } = await import("highlight.js/lib/common");
  return (code, language) => {
    if (code.length > MAX_CHARACTERS || library.getLanguage(language) === undefined) return null;
    return splitLines(readMarkup(library.highlight(code, { language, ignoreIllegals: true }).value));
  };
}

/** Only the class names of the library that make a difference to a reader. */
const CLASSES: readonly (readonly [role: Role, classes: string])[] = [
  ["keyword", "keyword name tag selector"],
  ["type", "built_in type class variable"],
  ["number", "literal number symbol"],
  ["string", "string regexp char"],
  ["added", "addition"],
  ["removed", "deletion"],
  ["comment", "comment quote doctag"],
  ["title", "title section function attr attribute property"],
  ["dim", "meta"],
];
const ROLES = new Map(CLASSES.flatMap(([role, classes]) => classes.split(" ").map((name) => [name, role])));

const MARKUP = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|[^<&]+/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function readMarkup(markup: string): Run[] {
  const runs: Run[] = [];
  const roles: (Role | null)[] = [];
  for (const [piece, classes, entity] of markup.matchAll(MARKUP)) {
    if (classes !== undefined) roles.push(roleOf(classes) ?? roles.at(-1) ?? null);
    else if (piece === "</span>") roles.pop();
    else
      runs.push({
        text: entity === undefined ? piece : (ENTITIES[entity] ?? ""),
        role: roles.at(-1) ?? null,
      });
  }
  return runs;
}

function roleOf(classes: string): Role | undefined {
  const name = /hljs-([a-z_]+)/.exec(classes)?.[1] ?? "";
  return ROLES.get(name) ?? ROLES.get(name.split("_")[0] ?? "");
}

function splitLines(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]];
  for (const { text, role } of runs)
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (piece !== "") lines.at(-1)?.push({ text: piece, role });
    }
  return lines;
}
