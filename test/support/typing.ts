// People who type: words at the speed of a hand, with pauses where people pause.
import type { Random } from "./random.ts";

export interface Key {
  readonly character: string;
  /** Milliseconds after the key before it. */
  readonly after: number;
}

const BEGINNINGS = [
  "yes",
  "y",
  "also",
  "a",
  "no",
  "n",
  "sure",
  "s",
  "2",
  "3",
  "please",
  "stop",
  "and",
  "now",
  "say",
  "you",
  "any",
  "start",
  "I",
  "don't",
  "4",
  "nobody",
  "as",
];
const WORDS = [
  "a",
  "y",
  "test",
  "as",
  "well",
  "for",
  "the",
  "parser",
  "2",
  "files",
  "not",
  "yet",
  "see",
  "n",
  "src",
  "always",
  "only",
  "say",
  "is",
  "it",
  "s",
  "run",
  "build",
  "I",
];

/** The beginning of a prompt, as it might be typed. */
export function typedText(random: Random): string {
  const rest = Array.from({ length: random.below(7) }, () => random.pick(WORDS));
  const words = [random.pick(BEGINNINGS), ...rest];
  // One letter alone is an answer, and nothing else can be made of it.
  return words.join(" ").length === 1 ? `${words[0]} test` : words.join(" ");
}

/** 40 to 120 words a minute. The first letter is not followed by a pause: then it would be an answer. */
export function typing(text: string, random: Random): Key[] {
  const usual = 60_000 / (5 * (40 + random.below(81)));
  return [...text].map((character, index) => {
    const jitter = 0.55 + random.below(900) / 1_000;
    const before = text[index - 1];
    const pauses = before === " " ? 4 : character === " " && index > 1 ? 8 : 0;
    const isPaused = pauses > 0 && random.below(pauses) === 0;
    return { character, after: index === 0 ? 0 : usual * jitter + (isPaused ? random.below(1_800) : 0) };
  });
}
