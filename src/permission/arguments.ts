// Splits a command's arguments by a table of allowed options. An option that isn't in the table is a problem: a list
// of harmless options can be checked, but a list of dangerous ones is never complete.

interface SplitOption {
  readonly flag: string;
  readonly value: string | null;
  readonly kind: ValueKind;
}

export type Split =
  | {
      readonly ok: true;
      readonly options: readonly SplitOption[];
      readonly positionals: readonly string[];
      /** Where each positional is among the words. */
      readonly at: readonly number[];
      /** An option comes after a positional. Some programs take such an option for a positional. */
      readonly mixed: boolean;
    }
  /** `problem` is the word that isn't in the table. */
  | { readonly ok: false; readonly problem: string };

/** "" takes no value, # a number, = any text, < a file to read, ? text that is attached to the option. */
type ValueKind = "" | "#" | "=" | "<" | "?";

type FlagTable = ReadonlyMap<string, ValueKind>;

/** Reads a notation like `-a -n# -e= -f< --color? -#`: options with the kind of their value. `-#` is a bare number. */
export function flagTable(notation: string): FlagTable {
  return new Map(
    notation
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => {
        const kind = /[#=<?]$/.exec(word)?.[0] ?? "";
        return word === "-#" ? [word, ""] : [word.slice(0, word.length - kind.length), kind as ValueKind];
      }),
  );
}

export function splitArguments(words: readonly string[], notation: string): Split {
  const table = flagTable(notation);
  const options: SplitOption[] = [];
  const positionals: string[] = [];
  const at: number[] = [];
  let mixed = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--") {
      for (let later = index + 1; later < words.length; later++) at.push(later);
      positionals.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      at.push(index);
      continue;
    }
    mixed ||= positionals.length > 0;
    if (table.has("-#") && /^-\d+$/.test(word)) continue;
    const found = word.startsWith("--") ? splitLong(word, table) : splitShort(word, table);
    if (found === null) return { ok: false, problem: word };
    for (const { flag, kind, value: attached } of found) {
      const value = attached ?? (kind === "" || kind === "?" ? null : words[++index]);
      const isNumber = /^[+-]?\d+[A-Za-z]{0,3}$/.test(value ?? "");
      if (value === undefined || (kind === "#" && !isNumber)) return { ok: false, problem: word };
      options.push({ flag, kind, value });
    }
  }
  return { ok: true, options, positionals, at, mixed };
}

/** Accepts only whole names. GNU tools accept `--out` for `--output`, so an abbreviation is treated as unknown. */
function splitLong(word: string, table: FlagTable): SplitOption[] | null {
  const [flag = "", ...attached] = word.split("=");
  const kind = table.get(flag);
  if (kind === undefined || (kind === "" && attached.length > 0)) return null;
  return [{ flag, kind, value: attached.length > 0 ? attached.join("=") : null }];
}

function splitShort(word: string, table: FlagTable): SplitOption[] | null {
  // `find -name`, `-maxdepth`: one dash, a whole word.
  const whole = table.get(word);
  if (word.length > 2 && whole !== undefined) return [{ flag: word, kind: whole, value: null }];
  const found: SplitOption[] = [];
  for (let index = 1; index < word.length; index++) {
    const flag = `-${word[index]}`;
    const kind = table.get(flag);
    if (kind === undefined) return null;
    const attached = kind === "" ? "" : word.slice(index + 1);
    found.push({ flag, kind, value: attached === "" ? null : attached });
    if (kind !== "") break;
  }
  return found;
}
