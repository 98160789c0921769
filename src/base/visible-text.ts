// One line of text as a person can read it, with nothing hidden: what has no shape of its own on a screen is drawn as
// its number, ⟨U+000D⟩, and so is a literal ⟨. So the text can be read back from what is drawn, without colours too.

/** A tab in the indentation of a line. */
const TAB_SIGN = "⇥   ";
/** What stands for one character, or for so many of the same. */
export const NUMBERED = /⟨U\+[0-9A-F]{4,6}(?:×\d+)?⟩/g;

/** As many blanks in a row could push what follows out of sight, so they are counted. */
const BLANKS = " {32,}| +$";
/**
 * Controls, spaces, unassigned and private characters, what is ignored in drawing (joiners, variation selectors, tags,
 * fillers), our own signs, what has no ink, and what joins its neighbours.
 */
const SHAPELESS = String.raw`(?! )[\p{C}\p{Z}\p{DI}⟨⇥\u2800\ufffd\u{1d159}\p{RI}\p{EMod}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]`;
/** Accents apart from their letter, and marks that stand alone or on top of three others. */
const STRAY_MARK = String.raw`(?=\p{sc=Inherited})\p{M}|(?<!\p{L}\p{M}{0,2})\p{M}`;
/** What looks like ASCII, and scripts that are written from right to left, which some terminals reorder. */
const LOOKALIKE = String.raw`[\u00b4\u0131\u01c0-\u01c3\u0237\u0250-\u02df\u0375\u0387\u1d00-\u1dbf\u2010-\u2013\u2018-\u201b\u2024\u2032\u2035\u2039\u203a\u2044\u204e\u2212\u2215-\u2217\u2223\u2236\u223c\u29f5\u29f8\u29f9\ua720-\ua7ff]`;
const RIGHT_TO_LEFT = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
/** A letter of another alphabet in a word with ASCII letters. */
const FOREIGN = String.raw`(?![\p{sc=Latin}\p{sc=Common}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])\p{L}`;
const MIXED_IN = String.raw`(?<=[A-Za-z]\p{L}{0,9})${FOREIGN}|${FOREIGN}(?=\p{L}{0,9}[A-Za-z])`;

/** Made when the first line needs them, because that takes a millisecond and most lines are plain. */
const hidden = once(() => new RegExp(String.raw`${BLANKS}|(${SHAPELESS}|${STRAY_MARK})\1*`, "gu"));
const inexact = once(
  () =>
    new RegExp(
      String.raw`${BLANKS}|(${SHAPELESS}|\p{M}|${LOOKALIKE}|${RIGHT_TO_LEFT}|${MIXED_IN})\1*|[^\0-\x7f]`,
      "gu",
    ),
);
const ASCII_SIGN = /^[!-~]$/;
const PLAIN = /^[!-~]*(?: {1,31}[!-~]+)*$/;

/** For names, and for the contents of files. A line break counts as hidden. */
export function visibleLine(line: string): string {
  return afterIndentation(line, (text) => text.replace(hidden(), byNumber));
}

/** For what runs: also what only looks like something else, and what could be drawn in another order. */
export function exactLine(line: string): string {
  return afterIndentation(line, (text) =>
    text.replace(inexact(), (found, numbered?: string) =>
      numbered !== undefined || found.startsWith(" ") || ASCII_SIGN.test(found.normalize("NFKC"))
        ? byNumber(found)
        : found,
    ),
  );
}

/** What runs or is written are bytes, in which half of a pair becomes U+FFFD. */
function afterIndentation(line: string, draw: (text: string) => string): string {
  if (PLAIN.test(line)) return line;
  const text = line.toWellFormed();
  const indentation = /^(?: {0,31}\t){1,16}(?=[^\t])/.exec(text)?.[0] ?? "";
  return indentation.replaceAll("\t", TAB_SIGN) + draw(text.slice(indentation.length));
}

function byNumber(characters: string): string {
  const [first = ""] = characters;
  const number = (first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const count = characters.length / first.length;
  return count === 1 ? `⟨U+${number}⟩` : `⟨U+${number}×${count}⟩`;
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
