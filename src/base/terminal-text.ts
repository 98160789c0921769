// Makes text from a file, a model or a process safe to print: no escape sequence can move the cursor, set a title,
// write to the clipboard, or hide earlier text.

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
/** C0, DEL and C1, except tab, newline and carriage return. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;

/** Also resolves carriage returns: of an overwritten line, only the last text is kept. */
export function stripTerminalControls(text: string): string {
  const plain = text.replace(SEQUENCE, "").replace(STRUCK_OVER, "").replace(CONTROL, "");
  return plain.includes("\r") ? plain.split("\n").map(lastWritten).join("\n") : plain;
}

function lastWritten(line: string): string {
  if (!line.includes("\r")) return line;
  return line.split("\r").findLast((written) => written !== "") ?? "";
}
