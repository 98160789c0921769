// The sequences that a drawn line may contain: colours and attributes that the theme uses. What hides text or moves the
// cursor is none of them.
import { stripTerminalControls } from "../../base/terminal-text.ts";

const ESCAPE = "\u001b";
const COLOUR = "[34]8;(?:5;\\d{1,3}|2;\\d{1,3};\\d{1,3};\\d{1,3})";
const CODE = `(?:${COLOUR}|0|[123479]|2[234579]|3[1-69]|49)`;
const OWN = new RegExp(`(${ESCAPE}\\[(?:${CODE}(?:;${CODE})*)?m)`);
const ANY_CONTROL = /(?!\t)\p{Cc}/u;

export function withOwnColoursOnly(line: string): string {
  if (!ANY_CONTROL.test(line)) return line;
  // Splitting by a pattern in parentheses keeps what matched, at every second place.
  const pieces = line.split(OWN);
  return pieces.map((piece, index) => (index % 2 === 1 ? piece : plain(piece))).join("");
}

function plain(text: string): string {
  return ANY_CONTROL.test(text) ? stripTerminalControls(text).replaceAll("\n", " ") : text;
}
