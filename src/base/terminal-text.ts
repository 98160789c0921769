// Makes text from a file, a model or a process safe to print: no escape sequence can move the cursor, set a title,
// write to the clipboard, or hide earlier text. What a person decides about is not stripped: see visible-text.ts.

const ESCAPE = "\u001b";
const BELL = "\u0007";
const BACKSPACE = "\u0008";
const C1_CSI = "\u009b";

/**
 * CSI sequences, string sequences (OSC, DCS and others), and all shorter ones. A string sequence ends at its terminator
 * or at the end of the line, so that an unterminated one can't swallow the rest.
 */
const SEQUENCE = new RegExp(
  [
    `(?:${ESCAPE}\\[|${C1_CSI})[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\\n]*(?:${BELL}|${ESCAPE}\\\\)?`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
/** Overstrikes, as in manual pages. */
const STRUCK_OVER = new RegExp(`[^\\n]${BACKSPACE}`, "g");
/** C0, DEL and C1, except tab, newline and carriage return; and what reorders the text after it. */
const CONTROL = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Also resolves carriage returns: of an overwritten line, only the last text is kept. */
export function stripTerminalControls(text: string): string {
  const plain = text.replace(SEQUENCE, "").replace(STRUCK_OVER, "").replace(CONTROL, "");
  return plain.includes("\r") ? plain.split("\n").map(lastWritten).join("\n") : plain;
}

function lastWritten(line: string): string {
  if (!line.includes("\r")) return line;
  return line.split("\r").findLast((written) => written !== "") ?? "";
}

/** What may be the beginning of a sequence, or of a line end, at the end of a text. */
const OPEN_END = new RegExp(
  [
    `(?:${ESCAPE}\\[|${C1_CSI})[0-?]*[ -/]*`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\\n]*${ESCAPE}?`,
    `${ESCAPE}[ -/]*`,
    "\\r",
  ]
    .map((open) => `${open}$`)
    .join("|"),
);
/** Longer than any sequence that a terminal would obey. */
const MOST_HELD = 4096;

/** The same for text that comes in pieces. Nothing can be taken back, so what would overwrite a line begins another. */
export class TerminalTextStream {
  #held = "";

  push(piece: string): string {
    const text = this.#held + piece;
    const open = OPEN_END.exec(text)?.index ?? text.length;
    const cut = text.length - open > MOST_HELD ? text.length : open;
    this.#held = text.slice(cut);
    return stripTerminalControls(text.slice(0, cut).replace(/\r\n?/g, "\n"));
  }

  end(): string {
    const rest = stripTerminalControls(this.#held);
    this.#held = "";
    return rest;
  }
}
