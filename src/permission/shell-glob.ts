// Expands a glob as bash does, within limits. Null means that nobody should rely on the result: too many names, names
// that aren't UTF-8, or names that a program would take for options.
import { NOT_UTF8, realPath } from "../base/real-path.ts";
import { literalStep, matchesFreely, type PatternStep } from "../base/wildcard.ts";
import { type DiskView, MAX_LISTED } from "./disk.ts";

const MAX_FOUND = 500;
/** What is rebuilt has to name them all. */
const MAX_FOUND_CHARACTERS = 50_000;

export interface GlobGround {
  readonly disk: DiskView;
  /** The locale in which names are sorted; if absent, by their bytes. */
  readonly locale?: string;
  /** Called with the number of characters that were compared. */
  readonly spend?: ((steps: number) => void) | undefined;
}

/** In `pattern`, every character that stands for itself has a backslash before it. */
export function expandGlob(pattern: string, folder: string, ground: GlobGround): readonly string[] | null {
  const { disk, locale } = ground;
  const base = pattern.startsWith("/") ? "" : `${folder}/`;
  let found: readonly string[] = [""];
  let wasWild = false;
  for (const [index, name] of pattern.split("/").entries()) {
    const next: string[] = [];
    const wild = isWild(name);
    for (const before of found) {
      const prefix = index === 0 ? "" : `${before}/`;
      const names = wild ? matchingNames(`${base}${prefix}`, name, ground) : [literalText(name)];
      if (names === null) return null;
      const paths = names.map((each) => prefix + each);
      // After a wildcard, only what exists is kept.
      next.push(...(wasWild && !wild ? paths.filter((path) => exists(base + path, disk)) : paths));
      if (next.length > MAX_FOUND || charactersIn(next) > MAX_FOUND_CHARACTERS) return null;
    }
    wasWild ||= wild;
    found = next;
  }
  if (found.some((path) => path.startsWith("-"))) return null;
  return [...found].sort(locale === undefined ? byBytes : new Intl.Collator(locale).compare);
}

function charactersIn(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + path.length, 0);
}

function byBytes(first: string, second: string): number {
  return Buffer.compare(Buffer.from(first), Buffer.from(second));
}

/** A path that ends with a slash has to be a folder. */
function exists(path: string, disk: DiskView): boolean {
  if (!path.endsWith("/")) return disk.kindOf(path) !== null;
  const real = realPath(path, disk);
  return real !== null && disk.kindOf(real) === "folder";
}

function matchingNames(
  folder: string,
  pattern: string,
  { disk, spend }: GlobGround,
): readonly string[] | null {
  const entries = disk.listFolder(folder) ?? [];
  const steps = globSteps(pattern);
  if (entries.length >= MAX_LISTED || steps === null) return null;
  const hidden = pattern.startsWith("\\.");
  let compared = 0;
  const counted = steps.map(({ many, takes }) => ({
    many,
    takes: (character: string) => {
      compared++;
      return takes(character);
    },
  }));
  const names: string[] = [];
  for (const { name } of entries) {
    // A character beyond 16 bits is one character, too.
    const characters = /[\ud800-\udfff]/.test(name) ? [...name] : name;
    if ((hidden || !name.startsWith(".")) && matchesFreely(counted, characters)) names.push(name);
    spend?.(compared);
    compared = 0;
  }
  // Whether one of these takes a whole character or a byte depends on the locale.
  const countsBytes = /[?[]/.test(pattern.replace(/\\./gsu, ""));
  if (countsBytes && entries.some(({ name }) => /[^ -~]/.test(name))) return null;
  return names.some((name) => name.includes(NOT_UTF8)) ? null : names;
}

function globSteps(pattern: string): PatternStep<string>[] | null {
  const steps: PatternStep<string>[] = [];
  for (const piece of pattern.match(/\\.|\[[^\]]*\]|./gsu) ?? []) {
    if (piece === "*" || piece === "?") steps.push({ many: piece === "*", takes: () => true });
    else if (piece.startsWith("[")) {
      const step = bracketStep(piece);
      if (step === null) return null;
      steps.push(step);
    } else steps.push(literalStep(literalText(piece)));
  }
  return steps;
}

/** The reader of words lets only letters, digits, `_`, `.`, `-` and a leading `^` into a bracket. */
function bracketStep(bracket: string): PatternStep<string> | null {
  try {
    const expression = new RegExp(`^${bracket}$`, "u");
    return { many: false, takes: (character) => expression.test(character) };
  } catch {
    // Such as [z-a].
    return null;
  }
}

/** Removes the backslashes. */
export function literalText(pattern: string): string {
  return pattern.replace(/\\(.)/gsu, "$1");
}

function isWild(name: string): boolean {
  return /[*?[]/.test(name.replace(/\\./gsu, ""));
}
