// Joins an answer that broke off with what the model says when it is asked to go on. Models are asked to repeat the last
// words, which makes the join exact; they may as well go on at once, repeat more, or start over. What is repeated is not
// shown twice. It is held back until it can be told from something new.

export const BEGAN_AGAIN = "\n\n[The answer was cut off here, and the model began again.]\n\n";

/** A few words, or more pieces if they are mere punctuation, as at the end of a program. */
const LAST_PIECES = [/\S+(?:\s+\S+){0,5}$/, /\S+(?:\s+\S+){0,23}$/];
const MOST_LAST_CHARACTERS = 160;
/** A longer repetition is recognised only if it is the whole text. */
const LONGEST_OVERLAP = 20_000;

/** The last words of a text, which the model is asked to repeat. */
export function lastWords(text: string): string {
  const end = text.trimEnd().slice(-MOST_LAST_CHARACTERS);
  const found = LAST_PIECES.map((pieces) => pieces.exec(end)?.[0] ?? "");
  return (found.find((words) => wordsOf(words) >= 2) ?? end).toWellFormed();
}

export class Seam {
  readonly #before: string;
  #held = "";
  #isJoined = false;

  /** Text that is blank was never shown, and nothing has to be joined with it. */
  constructor(before: string) {
    this.#before = before;
  }

  /** What of the new text can be shown. */
  push(text: string): string {
    if (this.#isJoined) return text;
    this.#held += text;
    const words = this.#held.trimStart();
    if (words === "" || this.#before.includes(words)) return "";
    return this.#join();
  }

  /** The model has said everything. */
  end(): string {
    if (this.#isJoined) return "";
    const words = this.#held.trimStart();
    const isStartAgain = this.#before.trimStart().startsWith(words) && wordsOf(words) >= BEGINNING_WORDS;
    return isStartAgain ? "" : this.#join();
  }

  #join(): string {
    this.#isJoined = true;
    const words = this.#held.trimStart();
    const isSpaced = words.length < this.#held.length;
    const repeated = repeatedLength(this.#before, words, isSpaced);
    if (repeated > 0) return withoutDoubleSpace(this.#before, words.slice(repeated));
    return beginsAgain(this.#before, words) ? `${BEGAN_AGAIN}${words}` : this.#held;
  }
}

/** How many characters at the beginning of `words` are the end of `before` said again. */
function repeatedLength(before: string, words: string, isSpaced: boolean): number {
  const all = before.trim();
  const space = isSpaced ? "\n" : spaceAfter(before);
  if (all !== "" && words.startsWith(all)) return all.length;
  for (let length = Math.min(words.length, all.length, LONGEST_OVERLAP); length > 0; length--) {
    const overlap = words.slice(0, length);
    if (all.endsWith(overlap)) return isRepetition(all, overlap, space) ? length : 0;
  }
  return 0;
}

/**
 * Less than two words may be the same by chance, except where a cut word or line is said again from its beginning.
 * space: what stands between the text and the new words.
 */
function isRepetition(before: string, overlap: string, space: string): boolean {
  if (wordsOf(overlap) >= 2 || overlap.length >= lastWords(before).length) return true;
  const preceding = before.slice(0, -overlap.length);
  if (!space.includes("\n") && /\n[ \t]*$/.test(preceding)) return wordsOf(overlap) > 0;
  const isWord = !/[\p{L}\p{N}_]$/u.test(preceding) && /^\p{L}[\p{L}\p{N}_]+$/u.test(overlap);
  return space === "" && isWord;
}

/** The text may already end with the white space that comes after the repeated words. */
function withoutDoubleSpace(before: string, rest: string): string {
  const space = spaceAfter(before);
  if (rest.startsWith(space)) return rest.slice(space.length);
  const words = rest.trimStart();
  const isNewLine = rest.slice(0, rest.length - words.length).includes("\n") && !space.includes("\n");
  return isNewLine ? rest : words;
}

function spaceAfter(text: string): string {
  return text.slice(text.trimEnd().length);
}

const BEGINNING_WORDS = 4;
/** At the beginning of a line, as in a table or a list, so many words may be the same without meaning anything. */
const LINE_WORDS = 8;

/** The model says the beginning again, and then something else than before. */
function beginsAgain(before: string, words: string): boolean {
  const first = before.trimStart();
  let same = 0;
  while (same < words.length && words[same] === first[same]) same++;
  return wordsOf(words.slice(0, same)) >= (/\n\s*$/.test(before) ? LINE_WORDS : BEGINNING_WORDS);
}

/** In scripts without spaces, three characters count as another word. */
function wordsOf(text: string): number {
  const count = (words: RegExp) => text.match(words)?.length ?? 0;
  return (
    count(/[\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu) + count(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]{3}/gu)
  );
}
