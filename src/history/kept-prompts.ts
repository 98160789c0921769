// A person's own prompts stay word for word beside a summary, the newest first, up to a cap. Beyond it the oldest go,
// and only the journal has them.
import { headAndTail } from "../base/head-and-tail.ts";
import { plural } from "../base/numbers.ts";
import { type Content, contentText, typedText } from "../domain/content.ts";
import type { UserPromptPart } from "../domain/part.ts";
import { CHARACTERS_PER_TOKEN, contentCharacters } from "../domain/tokens.ts";

export interface KeptPrompts {
  /** Oldest first. */
  readonly prompts: readonly UserPromptPart[];
  /** How many older ones are left out. */
  readonly dropped: number;
  /** The newest alone is longer than the cap, and has lost its middle. */
  readonly shortened: boolean;
}

const MOST_TOKENS = 20_000;
const SHARE_OF_WINDOW = 0.1;
/** For the remark in the middle of a shortened prompt. */
const REMARK_CHARACTERS = 150;

export function mostPromptTokens(window = Number.POSITIVE_INFINITY): number {
  return Math.min(MOST_TOKENS, Math.floor(SHARE_OF_WINDOW * window));
}

/** A prompt stays whole or goes, except the newest, which would otherwise leave nothing. `prompts`: oldest first. */
export function keepNewest(prompts: readonly UserPromptPart[], tokens: number): KeptPrompts {
  let left = tokens * CHARACTERS_PER_TOKEN;
  const tooMuch = prompts.findLastIndex(({ content }) => {
    left -= contentCharacters(content);
    return left < 0;
  });
  const newest = prompts.at(-1);
  if (newest === undefined || tooMuch < prompts.length - 1)
    return { prompts: prompts.slice(tooMuch + 1), dropped: tooMuch + 1, shortened: false };
  const content = withoutMiddle(newest.content, tokens * CHARACTERS_PER_TOKEN - REMARK_CHARACTERS);
  return { prompts: [{ ...newest, content }], dropped: prompts.length - 1, shortened: true };
}

/**
 * Images go, too: their size can't be reduced. The person's words stay an item of their own, so that a file that went
 * with them is never taken for something they said.
 */
function withoutMiddle(content: Content, most: number): Content {
  const words = typedText(content);
  const others = typeof content === "string" ? [] : content.filter((item) => item.type !== "image").slice(1);
  if (others.length === 0 || words.length >= most) return shortened(words, most);
  const rest = shortened(contentText(others), most - words.length);
  return [words, rest].map((text) => ({ type: "text", text }));
}

function shortened(text: string, most: number): string {
  const kept = Math.max(0, Math.min(most, text.length));
  const left = text.length - kept;
  return headAndTail(text, kept, `[... ${left} characters left out to make room; the journal has them ...]`);
}

/** What the person is told; null if everything stays. */
export function keptPromptsNotice({ dropped, shortened }: KeptPrompts): string | null {
  const gone = `${plural(dropped, "earlier message")} of yours no longer ${dropped === 1 ? "fits" : "fit"}`;
  const parts = [
    ...(dropped === 0 ? [] : [`${gone} beside the summary`]),
    ...(shortened ? ["the middle of a long message of yours is left out"] : []),
  ];
  if (parts.length === 0) return null;
  const text = parts.join(", and ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. The session's journal keeps every word.`;
}
