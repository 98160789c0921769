// What the words of a simple command say about its effect, and the small pieces with which its words are read.
import { basename } from "node:path";
import type { KnownWord } from "./rule-match.ts";

export interface KnownEffect {
  /** `repository`: it writes .git, but makes nothing undone. */
  readonly kind: "deletes" | "overwrites" | "repository" | "history" | "publishes";
  /** Follows "It would ". */
  readonly what: string;
  /** The paths that it deletes or overwrites, as written; null for one that isn't known before it runs. */
  readonly targets: readonly KnownWord[];
  /** What isn't known before it runs is at or below these. */
  readonly among?: readonly string[];
  /** Of a folder it changes only what it was made for, and passes over dependencies and caches. */
  readonly isSelective?: true;
}

/** What is at a path, seen from the folder that the command runs in. */
export interface EffectGround {
  readonly exists: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
  /** What is in that folder. */
  readonly names: () => readonly string[];
  /** What has such a name at or below these paths; null if that can't be told. */
  readonly named: (paths: readonly string[], isNamed: (name: string) => boolean) => readonly string[] | null;
  readonly isOutside: (path: string) => boolean;
}

/** For words that nobody runs yet: nothing is there. */
export const NO_GROUND: EffectGround = {
  exists: () => false,
  isFolder: () => false,
  names: () => [],
  named: () => null,
  isOutside: () => false,
};

/** All words that aren't options. After some options these are values, which does no harm here. */
export function operandsOf(words: readonly KnownWord[]): readonly KnownWord[] {
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  const after = end < 0 ? [] : words.slice(end + 1);
  return [...before.filter((word) => word === null || !/^-./.test(word)), ...after];
}

/** `long` may be shortened and may have a value, as in `--del` and `--delete=x`; `short` may be bundled with others. */
export function hasOption(words: readonly KnownWord[], long: readonly string[], short = ""): boolean {
  return words.some((word) => {
    if (word === null || !/^-./.test(word)) return false;
    if (!word.startsWith("--")) return [...word.slice(1)].some((letter) => short.includes(letter));
    const [name = ""] = word.split("=");
    return name.length > 2 && long.some((each) => each.startsWith(name));
  });
}

/** The values of an option: the next word, or what is attached to it. */
export function optionValues(words: readonly KnownWord[], long: string, short: string): readonly KnownWord[] {
  return words.flatMap((word, index): readonly KnownWord[] => {
    if (word === null) return [];
    if (word.startsWith("--")) {
      const [name = "", ...value] = word.split("=");
      if (name.length <= 2 || !long.startsWith(name)) return [];
      return [value.length > 0 ? value.join("=") : (words[index + 1] ?? null)];
    }
    const at = word.startsWith("-") ? word.indexOf(short, 1) : -1;
    if (at < 0) return [];
    return [at + 1 < word.length ? word.slice(at + 1) : (words[index + 1] ?? null)];
  });
}

export function programOf(words: readonly KnownWord[]): string {
  return basename(words[0] ?? "");
}
