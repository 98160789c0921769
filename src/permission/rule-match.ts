// Does a rule match this command, path, host or tool? Allow rules match narrowly, ask and deny rules widely.
import { createPathPattern, type PatternBase } from "./path-pattern.ts";
import type { Access, PermissionRule } from "./rules.ts";

/** A word of a command; null where it isn't known before the command runs. */
export type KnownWord = string | null;

/** `anywhere`: a strict rule is about any of the words, and not only about the first. */
export function matchesCommand(
  rule: PermissionRule,
  tool: string,
  words: readonly KnownWord[],
  anywhere = false,
): boolean {
  if (rule.subject.type !== "command") return false;
  const { words: wanted, open } = rule.subject;
  if (rule.verdict === "allow" && rule.subject.tool !== tool) return false;
  if (wanted.length === 0) return true;
  if (rule.verdict !== "allow") return findsCommand(wanted, words, anywhere);
  if (open ? words.length < wanted.length : words.length !== wanted.length) return false;
  return wanted.every((word, index) => words[index] === word);
}

/** `candidates` are the path as written and its real path. `tool` is null for a shell command. */
export function matchesPath(
  { subject, verdict }: PermissionRule,
  { access, tool }: { readonly access: Access; readonly tool: string | null },
  candidates: readonly string[],
  base: PatternBase,
): boolean {
  if (subject.type !== "path" || subject.access !== access) return false;
  const wide = verdict !== "allow";
  // An allow rule covers the tool it names; a rule that forbids one way of reading forbids all of them.
  const isMeant = tool === null ? subject.reachesShell : subject.tool === access || subject.tool === tool;
  if (!wide && !isMeant) return false;
  if (subject.pattern === null) return true;
  const matches = createPathPattern(subject.pattern, base, wide);
  return wide ? candidates.some(matches) : candidates.every(matches);
}

export function matchesHost(
  rule: PermissionRule,
  { host, tool }: { readonly host: string; readonly tool: string },
): boolean {
  const { subject, verdict } = rule;
  if (subject.type === "tool") return subject.name === tool;
  if (subject.type !== "host" || (verdict === "allow" && subject.tool !== tool)) return false;
  const name = host.toLowerCase().replace(/\.$/, "");
  return subject.subdomains ? name.endsWith(`.${subject.host}`) : name === subject.host;
}

export function matchesTool(rule: PermissionRule, toolName: string): boolean {
  return rule.subject.type === "tool" && rule.subject.name === toolName;
}

/** Finds the wanted words with any options between them, and the wanted flags however they are bundled. */
function findsCommand(wanted: readonly string[], words: readonly KnownWord[], anywhere: boolean): boolean {
  const [wantedName, ...wantedRest] = wanted;
  const isNamed = (word: KnownWord | undefined) =>
    typeof word === "string" && (word === wantedName || word.endsWith(`/${wantedName}`));
  const starts = new Set<number>();
  for (const [index, word] of (anywhere ? words : words.slice(0, 1)).entries())
    if (isNamed(word)) starts.add(index + 1);
  if (starts.size === 0) return false;
  const flags = new Set(flagsOf(words.slice(1)));
  const wantedWords = wantedRest.filter((word) => !isOption(word));
  const hasFlags = flagsOf(wantedRest).every((wantedFlag) =>
    wantedFlag.includes("*") ? [...flags].some((given) => isMeant(wantedFlag, given)) : flags.has(wantedFlag),
  );
  return hasFlags && findsWords(wantedWords, words, starts);
}

/** In a deny or ask rule, a * in a word matches anything, because people write `git push*`. */
function isMeant(wanted: string, word: string): boolean {
  const [first = "", ...pieces] = wanted.split("*");
  const last = pieces.pop();
  if (last === undefined) return word === wanted;
  const end = word.length - last.length;
  let at = first.length;
  if (at > end || !word.startsWith(first) || !word.endsWith(last)) return false;
  for (const piece of pieces) {
    const found = word.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** There may be options between two wanted words, with or without a value. */
function findsWords(
  wanted: readonly string[],
  words: readonly KnownWord[],
  beginnings: ReadonlySet<number>,
): boolean {
  // The positions where the next wanted word may be, after the previous ones were found.
  let starts = new Set(beginnings);
  for (const next of wanted) {
    const after = new Set<number>();
    for (const start of starts) {
      const word = words[start];
      if (word === undefined) continue;
      // An unknown word may be the wanted one.
      if (word === null || isMeant(next, word)) after.add(start + 1);
      // Iterating over a Set also visits elements that are added meanwhile.
      if (word === null || isOption(word)) starts.add(start + 1).add(start + 2);
    }
    starts = after;
  }
  return starts.size > 0;
}

function isOption(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

/** `-rf` is -r and -f. */
function flagsOf(words: readonly KnownWord[]): readonly string[] {
  return words.flatMap((word) => {
    if (word === null || !isOption(word)) return [];
    if (word.startsWith("--")) return [word.split("=")[0] ?? word];
    return [...word.slice(1)].map((flag) => `-${flag}`);
  });
}
