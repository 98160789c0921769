// A simple command, rebuilt: quoted words after harmless assignments, and the file that its name was judged to mean.
import type { Command } from "unbash";
import { readOnly } from "./read-only.ts";
import { asksVersion } from "./read-only-special.ts";
import { READ_ONLY } from "./read-only-table.ts";
import { rebuildRedirects } from "./rebuild-redirect.ts";
import { apart, NotRebuilt, type Rebuilding } from "./rebuild-state.ts";
import { quote, rebuildKnownWord, rebuildWord } from "./rebuild-word.ts";
import type { KnownWord } from "./rule-match.ts";
import { isWhole } from "./shell.ts";
import { isHarmlessVariable, type RedirectUse } from "./shell-command.ts";
import { isShell, unwrap } from "./shell-wrapper.ts";

/** Each costs time to judge. */
const MAX_COMMANDS = 200;
const MAX_WORDS = 1_000;
/** What sh and bash may read differently. */
const DIFFERS_IN_SH = /[\\{[]|<\(|<<<|&>|\$'/;
/** Parts of the shell itself, even where there is a program of that name. */
const BUILTIN = /^(\[|builtin|eval)$/;

export function rebuildCommand(node: Command, state: Rebuilding): string {
  const parts = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  if (node.name === undefined || !isWhole(parts, node, state.source))
    throw new NotRebuilt("it is more than a list of commands");
  const words: KnownWord[] = [];
  const texts: string[] = [];
  for (const word of [node.name, ...node.args]) {
    if (word.type !== "Word") throw new NotRebuilt("it sets a variable");
    const rebuilt = rebuildWord(word, state);
    words.push(...rebuilt.values);
    texts.push(...rebuilt.texts);
  }
  const variables = assignments(node, state);
  const redirects = rebuildRedirects(node.redirects, state);
  const text = parts.flatMap((part) =>
    part.type === "Word" || part.type === "Assignment" ? [part.text] : [],
  );
  const run = rebuildWords({ text: text.join(" "), words, texts, uses: redirects.uses }, state);
  const set = { ...variables, ...run.variables };
  const prefix = Object.entries(set).map(([name, value]) => `${name}=${quote(value)}`);
  return [...prefix, ...run.texts, ...redirects.texts].join(" ");
}

function assignments(node: Command, state: Rebuilding): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of node.prefix) {
    if (part.type !== "Assignment") continue;
    if (part.value.type !== "Word" || part.append === true || part.index !== undefined)
      throw new NotRebuilt(`it sets the variable ${part.name}`);
    const value = rebuildKnownWord(part.value, state);
    if (!isHarmlessVariable(part.name, value)) throw new NotRebuilt(`it sets the variable ${part.name}`);
    found[part.name] = value;
  }
  return found;
}

interface WordsToRun {
  /** The source text. */
  readonly text: string;
  readonly words: readonly KnownWord[];
  /** The words as they are printed. */
  readonly texts: readonly string[];
  readonly uses: readonly RedirectUse[];
  /** Another program starts it. */
  readonly wrapped?: boolean;
}

interface PrintedWords {
  readonly texts: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

function rebuildWords({ text, words, texts, uses, wrapped }: WordsToRun, state: Rebuilding): PrintedWords {
  if (state.lost) throw new NotRebuilt("it may or may not change the folder");
  if (state.commands.length >= MAX_COMMANDS || words.length > MAX_WORDS)
    throw new NotRebuilt("it runs too many commands");
  // What find runs is judged with find.
  const inner = words[0] === "find" || asksVersion(words[0] ?? "", words.slice(1)) ? null : unwrap(words);
  if (inner !== null && (!inner.transparent || words.includes(null)))
    throw new NotRebuilt(inner.doubt ?? "it runs a command that isn't known");
  const { place } = state;
  const folders = new Set([place.written, place.path]);
  const command = {
    text,
    words,
    plain: true,
    input: "",
    folders,
    redirects: uses,
    transparent: inner !== null,
  };
  const answer = readOnly(command, state);
  if (!answer.harmless) throw new NotRebuilt(answer.why);
  state.commands.push({ text, words, uses, place, answer });
  if (inner?.script !== undefined)
    return { texts: innerScript(words[0] ?? "", inner.script, wrapped === true, state), variables: {} };
  noteProgram(words[0] ?? "", state);
  const [innerWords] = inner?.commands ?? [];
  if (innerWords === undefined) {
    const { guarded } = answer;
    return guarded === undefined ? { texts, variables: {} } : { ...guarded, texts: guarded.words.map(quote) };
  }
  const own = texts.slice(0, words.length - innerWords.length);
  if (innerWords[0] === "cd") throw new NotRebuilt("it changes to a folder that isn't known");
  const innerText = innerWords.join(" ");
  const run = rebuildWords(
    { text: innerText, words: innerWords, texts: texts.slice(own.length), uses: [], wrapped: true },
    state,
  );
  return { texts: [...own, ...run.texts], variables: run.variables };
}

/** A name that isn't found is printed all the same, so that the shell says so. */
function noteProgram(name: string, { disk, programs }: Rebuilding): void {
  const isBuiltin =
    BUILTIN.test(name) || (Object.hasOwn(READ_ONLY, name) && READ_ONLY[name]?.builtin === true);
  const path = isBuiltin || name.includes("/") ? null : disk.findProgram(name);
  if (path !== null) programs.set(name, path);
}

/** `eval` runs it here; a shell runs it apart. A program can't start either of these, but it can start a shell. */
function innerScript(name: string, script: string, wrapped: boolean, state: Rebuilding): readonly string[] {
  if (wrapped && !/^bash$/.test(name)) throw new NotRebuilt(`${name} can't be started by a program`);
  if (!isShell(name)) return [`{ ${state.readText(script, state)}; }`];
  if (!/\bbash$/.test(name) && (!/\b(sh|dash)$/.test(name) || DIFFERS_IN_SH.test(script)))
    throw new NotRebuilt(`${name} may read its script differently`);
  const text = apart(state, () => {
    // They aren't exported.
    state.variables = new Map();
    return state.readText(script, state);
  });
  if (!wrapped) return [`( ${text} )`];
  noteProgram(name, state);
  return [quote(name), "-c", quote(text)];
}
