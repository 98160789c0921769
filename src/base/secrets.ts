// Masks known keys before they reach the model, the screen or the disk. By default only exact values are masked, so
// that nothing else changes; masking by pattern is optional.

/** Stands where a key was. */
export const HIDDEN_KEY = "[key hidden]";
/** Anything shorter would also match ordinary text. */
const SHORTEST_SECRET = 8;

/** The start of a key that tells only whose key it is. */
const LONGEST_SHOWN = 16;

/** What common vendors' keys look like. */
const KEY_PATTERNS = [
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
];

export interface Mask {
  (text: string): string;
  /** How many trailing characters may be the start of a key, or belong to one, and wait until more text arrives. */
  readonly openEnd: (text: string) => number;
}

interface MaskOptions {
  readonly patterns?: boolean;
}

export function createMask(values: Iterable<string>, options: MaskOptions = {}): Mask {
  const secrets = variants(values);
  const patterns = options.patterns === true ? KEY_PATTERNS : [];
  const mask = (text: string): string => {
    let masked = text;
    for (const secret of secrets) if (masked.includes(secret)) masked = masked.replaceAll(secret, HIDDEN_KEY);
    for (const pattern of patterns) masked = masked.replace(pattern, HIDDEN_KEY);
    return masked;
  };
  return Object.assign(mask, { openEnd: (text: string) => openEnd(text, secrets) });
}

/** The same for text that comes in pieces, at the cost of a few comparisons for each. */
export class MaskedStream {
  readonly #mask: Mask;
  #held = "";

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  /** What may be shown by now. */
  push(piece: string): string {
    const text = this.#held + piece;
    const open = this.#mask.openEnd(text);
    this.#held = open === 0 ? "" : text.slice(-open);
    return this.#mask(open === 0 ? text : text.slice(0, -open));
  }

  /** What was held back. `cut`: the text broke off, so most of a key is treated as the whole of it. */
  end(cut = false): string {
    const rest = this.#mask(this.#held);
    this.#held = "";
    const open = cut ? this.#mask.openEnd(rest) : 0;
    return open > LONGEST_SHOWN ? rest.slice(0, -open) + HIDDEN_KEY : rest;
  }
}

export const NO_MASK: Mask = Object.assign((text: string) => text, { openEnd: () => 0 });

/** Each value, also as JSON escapes it. Longest first, so that a key that contains another is masked as a whole. */
function variants(values: Iterable<string>): string[] {
  const all = new Set<string>();
  for (const value of values) {
    if (value.length < SHORTEST_SECRET) continue;
    all.add(value);
    all.add(JSON.stringify(value).slice(1, -1));
  }
  return [...all].sort((a, b) => b.length - a.length);
}

function openEnd(text: string, secrets: readonly string[]): number {
  let from = text.length;
  for (const secret of secrets) {
    const first = secret.charAt(0);
    let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
    while (at !== -1 && at < from && !secret.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
    if (at !== -1 && at < from) from = at;
  }
  // A whole key whose own end looks like the start of one must not be cut in two.
  for (const secret of secrets) {
    const at = from === text.length ? -1 : text.lastIndexOf(secret, from);
    if (at !== -1 && at + secret.length > from) from = at;
  }
  return text.length - from;
}
