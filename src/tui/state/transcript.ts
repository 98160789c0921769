// The transcript: entries that are done, in order, and the few at the end that may still change.
import { type EntryBody, entryCharacters, isFinished, type TranscriptEntry, withGaps } from "./entry.ts";

export interface Transcript {
  readonly done: readonly TranscriptEntry[];
  /** How many of the oldest done entries were dropped. */
  readonly dropped: number;
  readonly characters: number;
  readonly live: readonly TranscriptEntry[];
}

export const EMPTY_TRANSCRIPT: Transcript = {
  done: [],
  dropped: 0,
  characters: 0,
  live: [],
};

/** Memory is bounded: older entries are only in the terminal's scrollback and the session's files. */
const MAX_CHARACTERS = 8_000_000;

export function appendEntries(transcript: Transcript, bodies: readonly EntryBody[]): Transcript {
  if (bodies.length === 0) return transcript;
  const { live, done } = transcript;
  return settle({ ...transcript, live: [...live, ...withGaps(bodies, live.at(-1) ?? done.at(-1))] });
}

export function changeLive(
  transcript: Transcript,
  change: (entry: TranscriptEntry) => TranscriptEntry,
): Transcript {
  return settle({ ...transcript, live: transcript.live.map(change) });
}

/** Moves finished entries from the front of the live ones to the done ones. */
function settle(transcript: Transcript): Transcript {
  const open = transcript.live.findIndex((entry) => !isFinished(entry));
  const count = open === -1 ? transcript.live.length : open;
  if (count === 0) return transcript;
  const finished = transcript.live.slice(0, count);
  const added = finished.reduce((sum, entry) => sum + entryCharacters(entry), 0);
  return letGo({
    ...transcript,
    done: transcript.done.concat(finished),
    characters: transcript.characters + added,
    live: transcript.live.slice(count),
  });
}

function letGo(transcript: Transcript): Transcript {
  if (transcript.characters <= MAX_CHARACTERS) return transcript;
  let { characters } = transcript;
  let count = 0;
  // Drops more than needed, so that it happens rarely. The newest entry always stays.
  for (const entry of transcript.done) {
    if (characters <= MAX_CHARACTERS * 0.75 || count === transcript.done.length - 1) break;
    characters -= entryCharacters(entry);
    count++;
  }
  return {
    ...transcript,
    done: transcript.done.slice(count),
    dropped: transcript.dropped + count,
    characters,
  };
}
