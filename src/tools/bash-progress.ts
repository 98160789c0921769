// Passes a command's output on to the person, throttled so that a flood of it doesn't overwhelm the screen.

const EVERY_MS = 100;
/** About two screens: nobody can read more than that between two reports. */
const MAX_CHARACTERS = 4_000;

export interface BashProgress {
  readonly push: (text: string) => void;
  readonly flush: () => void;
  readonly stop: () => void;
}

export function createBashProgress(report: (text: string) => void): BashProgress {
  let pending = "";
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = () => {
    if (pending !== "") report(pending.toWellFormed());
    pending = "";
  };
  const tick = () => {
    timer = pending === "" ? null : setTimeout(tick, EVERY_MS);
    flush();
  };
  return {
    push(text) {
      pending = (pending + text).slice(-MAX_CHARACTERS);
      if (timer === null) tick();
    },
    flush,
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      pending = "";
    },
  };
}
