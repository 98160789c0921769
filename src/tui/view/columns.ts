// How many columns a text takes. Most text is plain, and for that counting is enough; the exact way (graphemes,
// emoji, wide scripts) needs tables that take 40 ms to set up, too long for the first paint.
import { CURSOR_MARKER, visibleWidth } from "@earendil-works/pi-tui";

/** Colours, and the editor's mark for the cursor. */
const INVISIBLE = new RegExp(`\u001b\\[[\\d;]*m|${RegExp.escape(CURSOR_MARKER)}`, "g");
/** Characters of one column, whatever stands before or after them: Latin, and the signs we draw with. */
const SINGLE =
  /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u2193\u2212\u2500-\u257f\u2800-\u28ff✓✗❯○●⏎]*$/;

export function columns(text: string): number {
  const visible = text.includes("\u001b") ? text.replace(INVISIBLE, "") : text;
  return SINGLE.test(visible) ? visible.length : visibleWidth(text);
}
