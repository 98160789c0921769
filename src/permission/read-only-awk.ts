// awk programs that only print: made of nothing but the tokens below. None of them writes, reads another file or runs a
// command, in whatever order they stand, so the program itself needs no reading.
import { splitArguments } from "./arguments.ts";
import { mayDoMore, type ReadOnlyAnswer } from "./read-only-answer.ts";

const TOKEN = new RegExp(
  [
    /\s+/,
    /\b(?:BEGIN|END|NR|NF|FNR|FILENAME|FS|OFS|print|printf|length|substr|index|tolower|toupper|if|else|next|exit|in|[a-z])\b/,
    /\d+(?:\.\d+)?\b/,
    /"(?:[^"\\\n]|\\[^\n])*"/,
    /&&|\|\||==|!=|<=|>=|\+=|-=|\+\+|--|[$+\-*%,;(){}[\]!~=?:<>]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "y",
);
/** Without a slash or a quote in brackets, where awks disagree about its end. */
const PATTERN = /\/(?:[^/\\\n"[\]]|\\[^\n]|\[[^\]/"\\\n]+\])+\//y;
/** After one of these, a slash begins a pattern. Anywhere else it may be a division. */
const BEFORE_PATTERN = /^(?:|[{};(!~,]|&&|\|\|)$/;

export function readOnlyAwk(words: readonly string[]): ReadOnlyAnswer {
  const split = splitArguments(words, "-F=");
  const [program, ...files] = split.ok ? split.positionals : [];
  if (!split.ok || split.mixed || program === undefined || !onlyPrints(program))
    return mayDoMore("the awk program may do more than print");
  // `name=value` among the files sets a variable.
  if (files.some((file) => file.includes("="))) return mayDoMore("awk may take a file for a variable");
  return {
    harmless: true,
    uses: files.filter((file) => file !== "-").map((path) => ({ path, extent: "file" })),
  };
}

function onlyPrints(program: string): boolean {
  let depth = 0;
  let before = "";
  for (let index = 0; index < program.length; ) {
    const expression = program[index] === "/" ? PATTERN : TOKEN;
    expression.lastIndex = index;
    const token = expression.exec(program)?.[0];
    if (token === undefined || (expression === PATTERN && !BEFORE_PATTERN.test(before))) return false;
    if (token === "{") depth++;
    if (token === "}") depth--;
    // In an action, `print > "file"` writes.
    if (token === ">" && depth !== 0) return false;
    if (token.trim() !== "") before = token;
    index += token.length;
  }
  return depth === 0;
}
