// Masks known keys before they reach the model, the screen or the disk. By default only exact values are masked, so
// that nothing else changes; masking by pattern is optional.

const HIDDEN = "[key hidden]";
/** Anything shorter would also match ordinary text. */
const SHORTEST_SECRET = 8;

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
  /** How many trailing characters may be the start of a key, and should be held back until more text arrives. */
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
    for (const secret of secrets) if (masked.includes(secret)) masked = masked.replaceAll(secret, HIDDEN);
    for (const pattern of patterns) masked = masked.replace(pattern, HIDDEN);
    return masked;
  };
  return Object.assign(mask, { openEnd: (text: string) => openEnd(text, secrets) });
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
  let longest = 0;
  for (const secret of secrets) {
    const most = Math.min(secret.length - 1, text.length);
    for (let length = most; length > longest; length--) {
      if (text.endsWith(secret.slice(0, length))) longest = length;
    }
  }
  return longest;
}
