// A list of entries that grows at its end and shrinks at its front, without being copied: appending costs the same
// to a long list as to a short one.
import type { TranscriptEntry } from "./entry.ts";

const CHUNK = 256;

/** Each chunk but the last is full; entries before `start` are gone. */
export class EntryList implements Iterable<TranscriptEntry> {
  readonly #chunks: readonly (readonly TranscriptEntry[])[];
  readonly #start: number;
  readonly length: number;

  constructor(chunks: readonly (readonly TranscriptEntry[])[] = [], start = 0) {
    this.#chunks = chunks;
    this.#start = start;
    this.length = chunks.reduce((sum, chunk) => sum + chunk.length, 0) - start;
  }

  /** As in an array, a negative index counts from the end. */
  at(index: number): TranscriptEntry | undefined {
    const place = this.#start + (index < 0 ? this.length + index : index);
    return place < this.#start ? undefined : this.#chunks[Math.floor(place / CHUNK)]?.[place % CHUNK];
  }

  append(entries: readonly TranscriptEntry[]): EntryList {
    const last = this.#chunks.at(-1) ?? [];
    const isFull = last.length === CHUNK;
    const kept = isFull ? this.#chunks : this.#chunks.slice(0, -1);
    const tail = isFull ? entries : [...last, ...entries];
    const added = Array.from({ length: Math.ceil(tail.length / CHUNK) }, (_, index) =>
      tail.slice(index * CHUNK, (index + 1) * CHUNK),
    );
    return new EntryList([...kept, ...added], this.#start);
  }

  withoutFirst(count: number): EntryList {
    const start = this.#start + Math.min(count, this.length);
    const gone = Math.floor(start / CHUNK);
    return new EntryList(this.#chunks.slice(gone), start - gone * CHUNK);
  }

  from(index: number): TranscriptEntry[] {
    const place = this.#start + Math.min(Math.max(0, index), this.length);
    const first = Math.floor(place / CHUNK);
    return this.#chunks.slice(first).flatMap((chunk, at) => (at === 0 ? chunk.slice(place % CHUNK) : chunk));
  }

  [Symbol.iterator](): Iterator<TranscriptEntry> {
    return this.from(0)[Symbol.iterator]();
  }
}
