// How many columns a text takes. Most text is plain, and for that counting is enough; the exact way (graphemes,
// emoji, wide scripts) needs tables that take 40 ms to set up, which the first paint should not have to wait for.
import { CURSOR_MARKER, visibleWidth } from "@earendil-works/pi-tui";

const ESCAPE = 0x1b;
const LETTER_M = 0x6d;

export function columns(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === ESCAPE) {
      const end = sequenceEnd(text, index);
      if (end === -1) return visibleWidth(text);
      index = end;
    } else if (isSingle(code)) count++;
    else return visibleWidth(text);
  }
  return count;
}

/** The last character of a colour sequence or of the editor's cursor mark; -1: it is something else. */
function sequenceEnd(text: string, start: number): number {
  if (text.startsWith(CURSOR_MARKER, start)) return start + CURSOR_MARKER.length - 1;
  if (text[start + 1] !== "[") return -1;
  for (let index = start + 2; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === LETTER_M) return index;
    const isParameter = (code >= 0x30 && code <= 0x39) || code === 0x3b;
    if (!isParameter) return -1;
  }
  return -1;
}

/** One column, whatever stands before or after it: Latin, and the signs we draw with. */
function isSingle(code: number): boolean {
  if (code < 0x7f) return code >= 0x20;
  if (code < 0x300) return code >= 0xa0 && code !== 0xad;
  return (
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2190 && code <= 0x2193) ||
    (code >= 0x2500 && code <= 0x257f) ||
    (code >= 0x2800 && code <= 0x28ff) ||
    code === 0x2713 ||
    code === 0x2717 ||
    code === 0x276f ||
    code === 0x25cb ||
    code === 0x25cf ||
    code === 0x23ce
  );
}
