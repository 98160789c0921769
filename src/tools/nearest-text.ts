// Finds the part of a file that is most similar to an edit's missing text, so that the next try can succeed.
import type { TimeSlices } from "../base/time-slices.ts";
import { trimmed } from "./indent-style.ts";

const BYTES = "latin1";
const LEAST_LIKENESS = 0.5;
const MOST_STARTS = 20;
const MOST_WANTED_LINES = 200;
const LONGEST_LINE = 200;

/** Its first line, numbered from 1, and how many lines it has; null when nothing is similar. */
export async function findNearest(
  body: Buffer,
  text: string,
  slices: TimeSlices,
): Promise<{ readonly first: number; readonly count: number } | null> {
  const wanted = Buffer.from(text).toString(BYTES).split("\n").slice(0, MOST_WANTED_LINES).map(trimmed);
  while (wanted[0] === "") wanted.shift();
  while (wanted.at(-1) === "") wanted.pop();
  if (wanted.length === 0) return null;
  const lines = body.toString(BYTES).split("\n");
  await slices.rest();
  let best: { readonly start: number; readonly likeness: number } | null = null;
  for (const start of await likelyStarts(lines, wanted, slices)) {
    if (slices.due()) await slices.rest();
    const likeness = blockLikeness(lines, start, wanted);
    if (likeness > (best?.likeness ?? LEAST_LIKENESS)) best = { start, likeness };
  }
  return best === null ? null : { first: best.start + 1, count: wanted.length };
}

/** Positions where many lines are identical, or else where a line resembles the longest wanted line. */
async function likelyStarts(
  lines: readonly string[],
  wanted: readonly string[],
  slices: TimeSlices,
): Promise<number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of wanted.entries())
    if (line.length > 2) places.set(line, [...(places.get(line) ?? []), index]);
  const longest = wanted.findIndex((line) => wanted.every((other) => other.length <= line.length));
  const model = pairsOf(wanted[longest] ?? "");
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    if (at % 64 === 0 && slices.due()) await slices.rest();
    const plain = trimmed(line);
    for (const index of places.get(plain) ?? []) vote(at - index, 1);
    const likeness = lineLikeness(model, plain);
    if (likeness > LEAST_LIKENESS) vote(at - longest, likeness);
  }
  return mostVoted(votes, slices);

  function vote(start: number, weight: number): void {
    const inside = Math.max(0, start);
    votes.set(inside, (votes.get(inside) ?? 0) + weight);
  }
}

/** The top few of a long list. Sorting all of it would block for too long. */
async function mostVoted(votes: ReadonlyMap<number, number>, slices: TimeSlices): Promise<number[]> {
  let best: (readonly [start: number, weight: number])[] = [];
  for (const candidate of votes) {
    const last = best.at(MOST_STARTS - 1);
    if (last !== undefined && candidate[1] <= last[1]) continue;
    best = [...best, candidate].toSorted((a, b) => b[1] - a[1]).slice(0, MOST_STARTS);
    if (slices.due()) await slices.rest();
  }
  return best.map(([start]) => start);
}

/** The mean of the lines' likenesses, in which short lines weigh little. */
function blockLikeness(lines: readonly string[], start: number, wanted: readonly string[]): number {
  let sum = 0;
  let weights = 0;
  for (const [index, line] of wanted.entries()) {
    const weight = Math.min(40, line.length + 1);
    weights += weight;
    const there = lines[start + index];
    if (there !== undefined) sum += weight * lineLikeness(pairsOf(line), trimmed(there));
  }
  return weights === 0 ? 0 : sum / weights;
}

type Pairs = { readonly text: string; readonly counts: ReadonlyMap<string, number>; readonly size: number };

/** A line's pairs of adjacent characters: quick to compare, and a changed word affects only its own pairs. */
function pairsOf(line: string): Pairs {
  const text = line.slice(0, LONGEST_LINE);
  const counts = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return { text, counts, size: Math.max(0, text.length - 1) };
}

/** The Dice coefficient of the pairs: 1 for the same line, 0 for nothing in common. */
function lineLikeness(model: Pairs, line: string): number {
  const text = line.slice(0, LONGEST_LINE);
  if (text === model.text) return 1;
  const size = Math.max(0, text.length - 1);
  // The lengths differ too much for the lines to be alike.
  if ((2 * Math.min(size, model.size)) / (size + model.size || 1) <= LEAST_LIKENESS / 2) return 0;
  const left = new Map(model.counts);
  let shared = 0;
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    left.set(pair, count - 1);
    shared++;
  }
  return (2 * shared) / (size + model.size || 1);
}
