// Text that tries to control the terminal, and the sequences that a program wrote, in a form that can be compared.

const PIECES = [
  "\u001b]0;owned\u0007",
  "\u001b]0;owned\u001b\\",
  "\u001b]0;owned",
  "\u001b]52;c;aGk=\u0007",
  "\u001b]8;;https://evil\u0007",
  "\u001b[2J",
  "\u001b[H",
  "\u001b[3A",
  "\u001b[8m",
  "\u001b[30;47m",
  "\u001b[38;5;201m",
  "\u001b[31",
  "\u001b[?1049h",
  "\u001b[?1000h",
  "\u001b[6n",
  "\u001b[5i",
  "\u001bPqevil\u001b\\",
  "\u001b_pi:c\u0007",
  "\u001b(0",
  "\u001bc",
  "\u001b",
  "\u009b2J",
  "\u009d0;owned\u009c",
  "\u0090q\u009c",
  "\u0007",
  "\u0008\u0008\u0008",
  "\r",
  "\u007f",
  "\u000e",
  "\u0085",
];
const WORDS = ["name", "漢字", "é", "-", "/", " ", "."];

export function hostileText(seed: number): string {
  let state = seed * 2654435761 + 1;
  const next = (count: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * count);
  };
  const pick = (list: readonly string[]) => list[next(list.length)] ?? "";
  return Array.from({ length: 3 + next(6) }, () => pick(WORDS) + pick(PIECES)).join("");
}

const ESCAPE = "\u001b";
const END = `(?:\u0007|${ESCAPE}\\\\)`;
const SEQUENCE = new RegExp(
  [
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]P_X^][^\u0007${ESCAPE}]*${END}`,
    `${ESCAPE}.?`,
    "(?![\\r\\n\\t])\\p{Cc}",
  ].join("|"),
  "gsu",
);
const TITLE = new RegExp(`^${ESCAPE}\\]0;(?:● )?tunacode`);
const MOVE = new RegExp(`^${ESCAPE}\\[\\d+[ABG]$`);

/** The kinds of sequences in what was written: colours as they are, others without their numbers. */
export function sequencesIn(written: string): Set<string> {
  return new Set((written.match(SEQUENCE) ?? []).map(kindOf));
}

function kindOf(sequence: string): string {
  if (sequence.endsWith("m")) return JSON.stringify(sequence);
  if (TITLE.test(sequence)) return "our title";
  return MOVE.test(sequence) ? "a move" : JSON.stringify(sequence);
}
