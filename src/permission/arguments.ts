// Splits a command's arguments by a table of allowed options. An option that isn't in the table is a problem: a list
// of harmless options can be checked, but a list of dangerous ones is never complete.

export interface SplitArguments {
  readonly options: readonly { readonly flag: string; readonly value: string | null }[];
  readonly positionals: readonly string[];
}

export type Split =
  | ({ readonly ok: true } & SplitArguments)
  /** `problem` is the word that isn't in the table. */
  | { readonly ok: false; readonly problem: string };

/** "" takes no value, # a number, = any text, < a file to read, ? text that is attached to the option. */
type ValueKind = "" | "#" | "=" | "<" | "?";

export type FlagTable = Pick<ReadonlyMap<string, ValueKind>, "get" | "has" | "entries">;

/** Reads a notation like `-a -n# -e= -f< --color? -#`: options with the kind of their value. `-#` is a bare number. */
export function flagTable(notation: string): FlagTable {
  // Parsed lazily, because most of the hundred tables are never needed.
  let kinds: ReadonlyMap<string, ValueKind> | undefined;
  const table = () => {
    kinds ??= readNotation(notation);
    return kinds;
  };
  return {
    get: (flag) => table().get(flag),
    has: (flag) => table().has(flag),
    entries: () => table().entries(),
  };
}

function readNotation(notation: string): ReadonlyMap<string, ValueKind> {
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

export function splitArguments(words: readonly string[], table: FlagTable): Split {
  const options: { flag: string; value: string | null }[] = [];
  const positionals: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--") {
      positionals.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    if (table.has("-#") && /^-\d+$/.test(word)) continue;
    const rest = word.startsWith("--") ? splitLong(word, table) : splitShort(word, table);
    if (rest === null) return { ok: false, problem: word };
    for (const option of rest) {
      const kind = table.get(option.flag);
      let { value } = option;
      if (value === null && kind !== "" && kind !== "?") {
        index++;
        const next = words[index];
        if (next === undefined) return { ok: false, problem: word };
        value = next;
      }
      if (kind === "#" && !/^[+-]?\d+[A-Za-z]{0,3}$/.test(value ?? "")) return { ok: false, problem: word };
      options.push({ flag: option.flag, value });
    }
  }
  return { ok: true, options, positionals };
}

/** Accepts only whole names. GNU tools accept `--out` for `--output`, so an abbreviation is treated as unknown. */
function splitLong(word: string, table: FlagTable): { flag: string; value: string | null }[] | null {
  const [flag = "", ...attached] = word.split("=");
  const kind = table.get(flag);
  if (kind === undefined || (kind === "" && attached.length > 0)) return null;
  return [{ flag, value: attached.length > 0 ? attached.join("=") : null }];
}

function splitShort(word: string, table: FlagTable): { flag: string; value: string | null }[] | null {
  // `find -name`, `-maxdepth`: one dash, a whole word.
  const whole = table.get(word);
  if (word.length > 2 && whole !== undefined) return [{ flag: word, value: null }];
  const found: { flag: string; value: string | null }[] = [];
  for (let index = 1; index < word.length; index++) {
    const flag = `-${word[index]}`;
    const kind = table.get(flag);
    if (kind === undefined) return null;
    if (kind !== "") {
      const attached = word.slice(index + 1);
      found.push({ flag, value: attached === "" ? null : attached });
      return found;
    }
    found.push({ flag, value: null });
  }
  return found;
}
