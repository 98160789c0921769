// Text from a file, a model or a process as a person may safely see it: nothing in it can move the cursor, set
// a title, write to the clipboard, or hide what stands before it.

const ESCAPE = "\u001b";
const BELL = "\u0007";
const BACKSPACE = "\u0008";
const C1_CSI = "\u009b";

/**
 * CSI; the string sequences (OSC, DCS and kin) up to their end, or to the end of the line so that an open one
 * can't swallow the rest; all shorter ones.
 */
const SEQUENCE = new RegExp(
  [
    `(?:${ESCAPE}\\[|${C1_CSI})[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\\n]*(?:${BELL}|${ESCAPE}\\\\)?`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
/** Overstriking, as in manual pages. */
const STRUCK_OVER = new RegExp(`[^\\n]${BACKSPACE}`, "g");
/** C0, delete and C1, but not tab, newline and carriage return. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;

/** Carriage returns are resolved: of a line that was written over, what was visible last is left. */
export function stripTerminalControls(text: string): string {
  const plain = text.replace(SEQUENCE, "").replace(STRUCK_OVER, "").replace(CONTROL, "");
  return plain.includes("\r") ? plain.split("\n").map(lastWritten).join("\n") : plain;
}

function lastWritten(line: string): string {
  if (!line.includes("\r")) return line;
  return line.split("\r").findLast((written) => written !== "") ?? "";
}
