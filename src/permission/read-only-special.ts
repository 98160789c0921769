// Commands whose arguments need their own check: awk, find, sed, jq, test, printf, date, xxd, strings, and --version.
import { splitArguments } from "./arguments.ts";
import { mayDoMore, type ReadOnlyAnswer } from "./read-only-answer.ts";
import { readOnlyAwk } from "./read-only-awk.ts";
import { readOnlyFind } from "./read-only-find.ts";

export const HARMLESS: ReadOnlyAnswer = { harmless: true, uses: [] };

/** These aren't in the table at all. */
export const OWN_CHECKS = /^(\[|awk|find|sed|jq)$/;

/** They do much more, but tell their version without looking at the project. */
const VERSIONED =
  /^(node|python|python3|ruby|perl|php|gcc|g\+\+|clang|make|cmake|bash|curl|tar|rg|jq|sed|find|grep)$/;

export function asksVersion(name: string, words: readonly (string | null)[]): boolean {
  const [only, ...more] = words;
  if (!VERSIONED.test(name) || more.length > 0) return false;
  return only === "--version" || (name === "node" && only === "-v");
}

/** No option, and only directives that print: -v and `%n` set a variable, which may be PATH. */
const PRINTF_FORMAT = /^(?!-)(?:[^%]|%%|%[-+ 0#']*\d*(?:\.\d*)?[bqdiouxXfFeEgGaAcs])*$/;

/** null if the table decides. */
export function special(
  name: string,
  words: readonly (string | null)[],
  judge: (words: readonly string[]) => ReadOnlyAnswer,
): ReadOnlyAnswer | null {
  const known = words.filter((word) => word !== null);
  const has = (pattern: RegExp) => known.some((word) => pattern.test(word));
  switch (name) {
    case "find":
      return readOnlyFind(known, judge);
    case "awk":
      return readOnlyAwk(known);
    case "sed":
      return readOnlySed(known);
    case "jq":
      return readOnlyJq(known);
    case "printf":
      return PRINTF_FORMAT.test(words[0] ?? "-") ? HARMLESS : mayDoMore("printf may set a variable");
    case "[":
    case "test":
      // -v and -R evaluate an array index, which may hold a command.
      return has(/^-[vR]$/) ? mayDoMore("the test looks at a variable") : HARMLESS;
    case "date":
      if (has(/TZ=/)) return mayDoMore("date would read a file as a time zone");
      return has(/^\d/) ? mayDoMore("date would set the clock") : null;
    case "xxd":
      // xxd has no bundled options: `-pl 5 out` is -p, a file to read and a file to write.
      return has(/^-[a-z]{2}/i) ? mayDoMore("xxd reads bundled options in its own way") : null;
    case "strings":
      return has(/^@/) ? mayDoMore("strings would take its arguments from a file") : null;
    default:
      return null;
  }
}

const SED_FLAGS = "-n -E -r -s -u -z -e= --quiet --silent --regexp-extended --expression= --null-data";
/** Print, delete and quit by line number or plain pattern, and s without its flags e and w. */
const SED_COMMAND =
  /^(?:(?:\d+|\$|\/(?:[^/\\\n]|\\[^\n])*\/)(?:,[+~]?(?:\d+|\$|\/(?:[^/\\\n]|\\[^\n])*\/))?)?!?(?:[pdq=]|s([/|#,@])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI\d]*)$/;

export function readOnlySed(words: readonly string[]): ReadOnlyAnswer {
  const split = splitArguments(words, SED_FLAGS);
  if (!split.ok) return mayDoMore(`sed ${split.problem} isn't on the list of harmless options`);
  const given = split.options.flatMap(({ value }) => (value === null ? [] : [value]));
  const [first, ...rest] = split.positionals;
  const scripts = given.length > 0 ? given : [first ?? ""];
  const files = given.length > 0 ? split.positionals : rest;
  for (const script of scripts) {
    // `1p;5p` is common. A substitution may contain a semicolon, so it is first tried as one command.
    const commands = SED_COMMAND.test(script) ? [script] : script.split(/\s*;\s*/);
    if (!commands.every((command) => SED_COMMAND.test(command)))
      return mayDoMore(`the sed script ${JSON.stringify(script)} may do more than print`);
  }
  return {
    harmless: true,
    uses: files.filter((file) => file !== "-").map((path) => ({ path, extent: "file" })),
  };
}

const JQ_FLAGS =
  "-r -c -s -S -e -n -R -j -a -C -M --raw-output --compact-output --slurp --sort-keys --exit-status --null-input " +
  "--raw-input --join-output --ascii-output --tab --color-output --monochrome-output";

/** A filter can print the environment, keys included, or load a module. */
function readOnlyJq(words: readonly string[]): ReadOnlyAnswer {
  const split = splitArguments(words, JQ_FLAGS);
  if (!split.ok) return mayDoMore(`jq ${split.problem} isn't on the list of harmless options`);
  const [filter = ".", ...files] = split.positionals;
  if (/\b(env|ENV|import|include|modulemeta|input_filename|debug|get_search_list)\b|\$__/.test(filter))
    return mayDoMore("the jq filter may show the environment or load a module");
  return { harmless: true, uses: files.map((path) => ({ path, extent: "file" })) };
}
