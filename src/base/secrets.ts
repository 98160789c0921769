// Known keys are replaced before anyone sees them: model, screen, disk. Exact values only, so that nothing
// else is ever changed; masking by pattern is for those who ask for it.

const HIDDEN = "[key hidden]";
/** Anything shorter would also be found in ordinary text. */
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
  /** How many of the last characters may be the beginning of a key, and should wait for what follows. */
  readonly openEnd: (text: string) => number;
}

export interface MaskOptions {
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

/** Longest first, so that a key that contains another is hidden whole; also as JSON writes it. */
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
