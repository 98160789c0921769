// The price table as a person looks through it: without what this program can't work with, and the likely ones first.
// The table knows no dates and no abilities: names and context windows have to do.
import type { CompiledModel } from "./prices.ts";

/** Speech, pictures, vectors and verdicts; words of their own in a name. */
const OTHER_PURPOSE =
  /(?:^|[-/.:])(?:embed(?:ding)?|tts|transcribe|whisper|realtime|live|audio|image|ocr|moderation|(?:safe)?guard)(?=[-/.:]|$)/;
/** From before there were conversations and tools. */
const COMPLETES_TEXT = /^(?:text-)?(?:ada|babbage|curie|davinci)\b|gpt-3\.5-turbo-instruct|^claude-(?:v1|2)$/;
/** The beginning of names, which stands for all of them: no name one could ask for. */
const ONLY_BEGINNING = /^ft:|-$/;

/** Google's cloud has them at an address of its own, the one we call has not. */
const ELSEWHERE: Readonly<Record<string, RegExp>> = { google: /^claude-|-maas$/ };
/** What the table doesn't know is neither large nor small. */
const UNKNOWN_WINDOW = 128_000;

export function canBeUsed(provider: string, [id]: CompiledModel): boolean {
  if (ELSEWHERE[provider]?.test(id)) return false;
  return ![OTHER_PURPOSE, COMPLETES_TEXT, ONLY_BEGINNING].some((pattern) => pattern.test(id));
}

/** The largest window first, and of those the highest numbers in a name: old and small ones come last. */
export function byUse([one, oneWindow]: CompiledModel, [other, otherWindow]: CompiledModel): number {
  return (otherWindow ?? UNKNOWN_WINDOW) - (oneWindow ?? UNKNOWN_WINDOW) || NAMES.compare(other, one);
}

const NAMES = new Intl.Collator("en", { numeric: true });
