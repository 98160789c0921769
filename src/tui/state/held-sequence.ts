// The stream can cut a control sequence in two. Its beginning is held back until the rest arrives, so that the whole
// sequence can be stripped.

const ESCAPE = "\u001b";
const C1_CSI = "\u009b";
/** Anything longer is no control sequence and must not hold back an answer. */
const MAX_LENGTH = 256;
const BEGINNING = new RegExp(
  `(?:${ESCAPE}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\\u0007${ESCAPE}\\n]*${ESCAPE}?|[ -/]*)?|${C1_CSI}[0-?]*[ -/]*)$`,
);

export function holdBack(text: string): { readonly shown: string; readonly held: string } {
  const tail = text.slice(-MAX_LENGTH);
  const found = BEGINNING.exec(tail);
  if (found === null || found[0] === "") return { shown: text, held: "" };
  const at = text.length - tail.length + found.index;
  return { shown: text.slice(0, at), held: text.slice(at) };
}
