// The modes a terminal can be left in, and the way back from each of them.

export const BEGIN_UPDATE = "\u001b[?2026h";
export const END_UPDATE = "\u001b[?2026l";
/** A character wider than expected then overwrites the last column instead of breaking the layout. */
export const AUTO_WRAP_OFF = "\u001b[?7l";
export const AUTO_WRAP_ON = "\u001b[?7h";
export const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
export const ENTER_PAGER = "\u001b[?1049h";
export const LEAVE_PAGER = "\u001b[?1049l";

const KITTY_KEYS_OFF = "\u001b[=0;1u";
const KITTY_KEYS_POP = "\u001b[<u";
const OTHER_KEYS_OFF = "\u001b[>4;0m";
const PASTE_MARKS_OFF = "\u001b[?2004l";
const MOUSE_OFF = "\u001b[?1000l\u001b[?1002l\u001b[?1006l";
/** Unlike 1049 it doesn't move the cursor when the main screen is shown already. */
const MAIN_SCREEN = "\u001b[?1047l";
const PLAIN_TEXT = "\u001b[0m";

/** Resets every mode that a killed program may have left on. Harmless on a terminal in its usual state. */
export const RESET_MODES = [
  END_UPDATE,
  MAIN_SCREEN,
  KITTY_KEYS_OFF,
  OTHER_KEYS_OFF,
  PASTE_MARKS_OFF,
  MOUSE_OFF,
  AUTO_WRAP_ON,
  PLAIN_TEXT,
  SHOW_CURSOR,
].join("");

/** The terminal keeps the shell's own title and restores it. */
export const SAVE_TITLE = "\u001b[22;0t";
export const RESTORE_TITLE = "\u001b[23;0t";

/** For an exit that can't wait: a crash, a second Ctrl-C. The next output begins on a new line. */
export const EMERGENCY_RESTORE = `${KITTY_KEYS_POP}${RESET_MODES}${RESTORE_TITLE}\r\n\u001b[J`;
