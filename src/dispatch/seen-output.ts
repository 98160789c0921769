// What a person saw of a running call, as much of its beginning and end as a return may hold. If the call is stopped,
// the model is given the same.

interface SeenOutput {
  readonly push: (text: string) => void;
  readonly text: () => string;
}

/** Together they stay below the cap on a return. */
const HEAD_CHARACTERS = 15_000;
const TAIL_CHARACTERS = 15_000;

export function createSeenOutput(): SeenOutput {
  let head = "";
  let tail = "";
  let left = 0;
  return {
    push: (text) => {
      const room = HEAD_CHARACTERS - head.length;
      head += text.slice(0, room);
      const more = tail + text.slice(room);
      left += Math.max(0, more.length - TAIL_CHARACTERS);
      tail = more.slice(-TAIL_CHARACTERS);
    },
    text: () => {
      const remark = left === 0 ? "" : `\n\n[... ${left} characters left out ...]\n\n`;
      // A cut through a surrogate pair leaves a lone surrogate, which no vendor accepts.
      return (head + remark + tail).toWellFormed();
    },
  };
}
