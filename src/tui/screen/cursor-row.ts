// Asks the terminal for the cursor position. After a resize only the terminal knows which lines are still visible:
// some take lines back from the scrollback when they grow, others don't.
import type { TUI } from "@earendil-works/pi-tui";

const QUESTION = "\u001b[6n";
const ESCAPE = "\u001b";
const ANSWER = /^\[(\d+);\d+R$/;
const PATIENCE_MS = 150;
/** An answer that comes late must not be taken for a key. */
const LATE_MS = 3_000;

/** The number of rows above the cursor; null: the terminal didn't answer. */
export function askRowsAbove(screen: Pick<TUI, "addInputListener" | "terminal">): Promise<number | null> {
  return new Promise((resolve) => {
    const stop = screen.addInputListener((data) => {
      const row = data.startsWith(ESCAPE) ? ANSWER.exec(data.slice(1))?.[1] : undefined;
      if (row === undefined) return undefined;
      finish();
      resolve(Number(row) - 1);
      return { consume: true };
    });
    const impatient = setTimeout(() => resolve(null), PATIENCE_MS);
    const late = setTimeout(stop, LATE_MS);
    const finish = () => {
      clearTimeout(impatient);
      clearTimeout(late);
      stop();
    };
    late.unref();
    screen.terminal.write(QUESTION);
  });
}
