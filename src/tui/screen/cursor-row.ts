// Where the cursor stands. After a resize only the terminal knows how much of what was written is still in sight:
// some take lines back from the scrollback when they grow, others don't.
import type { TUI } from "@earendil-works/pi-tui";

const QUESTION = "\u001b[6n";
const ESCAPE = "\u001b";
const ANSWER = /^\[(\d+);\d+R$/;
const PATIENCE_MS = 150;
/** An answer that comes late must not be taken for a key. */
const LATE_MS = 3_000;

/** The rows above the cursor; null: the terminal doesn't say. */
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
