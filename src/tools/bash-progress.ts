// Passes a command's output on to the person, throttled so that a flood doesn't overwhelm the screen.

const EVERY_MS = 100;
/** About two screens: nobody can read more than that between two reports. */
const MAX_CHARACTERS = 4_000;

export function createBashProgress(report: (text: string) => void) {
  let pending = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    if (pending !== "") report(pending.toWellFormed());
    pending = "";
  };
  const tick = () => {
    timer = pending === "" ? undefined : setTimeout(tick, EVERY_MS);
    flush();
  };
  return {
    push(text: string): void {
      pending = (pending + text).slice(-MAX_CHARACTERS);
      if (timer === undefined) tick();
    },
    flush,
    stop(): void {
      clearTimeout(timer);
      pending = "";
    },
  };
}
