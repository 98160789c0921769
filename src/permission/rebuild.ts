// Rebuilds a shell command that only reads from what was understood of it. What runs unasked is this script and not
// the text that a model wrote, so nothing that was overlooked in the text can take effect. The script contains quoted
// words, known programs, and the connections between commands. What can't be rebuilt is asked about.
import { isAbsolute, normalize } from "node:path";
import {
  type AndOr,
  type Command,
  type CommandNode,
  type CompoundList,
  type For,
  type If,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Redirected,
  type Statement,
} from "unbash";
import { realPath } from "../base/real-path.ts";
import { rebuildCommand } from "./rebuild-command.ts";
import { rebuildCondition } from "./rebuild-condition.ts";
import { rebuildRedirects } from "./rebuild-redirect.ts";
import {
  apart,
  NotRebuilt,
  type RebuildGround,
  type Rebuilding,
  type RebuiltCommand,
} from "./rebuild-state.ts";
import { quote, rebuildWord } from "./rebuild-word.ts";
import { hasControlCharacter } from "./rules.ts";
import { isTooLong } from "./shell.ts";

export type Rebuilt =
  | { readonly ok: true; readonly script: string; readonly commands: readonly RebuiltCommand[] }
  | { readonly ok: false; readonly why: string };

/** An argument of a program has at most 128 KB. */
const MAX_SCRIPT_CHARACTERS = 60_000;
/** Of all loops together. */
const MAX_ROUNDS = 500;
/** Names that the shell itself and the programs don't look at. */
const LOOP_VARIABLE = /^[a-z][a-z0-9_]*$/;

/** `folder` is where it runs, as it was written. */
export function rebuild(command: string, folder: string, ground: RebuildGround): Rebuilt {
  const real = realPath(folder, ground.disk) ?? folder;
  const state: Rebuilding = {
    ...ground,
    place: { written: folder, path: real },
    lost: false,
    rounds: 0,
    variables: new Map(),
    commands: [],
    programs: new Map(),
    source: "",
    depth: 0,
    readText,
    readScript: subshell,
  };
  try {
    const body = readText(command, state);
    const programs = [...state.programs].map(([name, path]) => `hash -p ${quote(path)} ${quote(name)}; `);
    const script = programs.join("") + body;
    if (script.length > MAX_SCRIPT_CHARACTERS) throw new NotRebuilt("it is too long");
    return { ok: true, script, commands: state.commands };
  } catch (error) {
    if (error instanceof NotRebuilt) return { ok: false, why: error.message };
    throw error;
  }
}

function readText(text: string, state: Rebuilding): string {
  if (isTooLong(text, state.depth) || !text.isWellFormed())
    throw new NotRebuilt("it is too long or nested too deeply");
  if (hasControlCharacter(text.replace(/[\n\t]/g, "")) || /[^\S\n\t ]/.test(text))
    throw new NotRebuilt("it contains control characters or unusual blanks");
  state.depth++;
  const script = readScript({ ...parse(text), source: text }, state);
  state.depth--;
  return script;
}

function readScript(script: ParsedScript, state: Rebuilding): string {
  if (script.errors !== undefined && script.errors.length > 0) throw new NotRebuilt("it can't be parsed");
  const outer = state.source;
  state.source = script.source ?? outer;
  const text = list(script.commands, state);
  state.source = outer;
  return text;
}

function subshell(script: ParsedScript, state: Rebuilding): string {
  return apart(state, () => readScript(script, state));
}

function list(statements: readonly Statement[], state: Rebuilding): string {
  const texts = statements.map(({ command, background }) => {
    if (background === true) throw new NotRebuilt("it starts something in the background");
    return command.type === "AndOr" ? andOr(command, state) : pipeline(command, state);
  });
  return texts.join("; ") || ":";
}

/** A `cd` after something that can fail may not run, and then nobody knows where the rest runs. */
function andOr({ commands, operators }: AndOr, state: Rebuilding): string {
  let certain = true;
  let mayMove = false;
  const texts = commands.map((command, index) => {
    const before = state.place;
    const operator = operators[index - 1];
    if (operator === "||") {
      certain = false;
      state.lost ||= mayMove;
    }
    const text = pipeline(command, state);
    if (state.place === before) certain = false;
    else mayMove ||= !certain;
    return operator === undefined ? text : `${operator} ${text}`;
  });
  state.lost ||= mayMove;
  return texts.join(" ");
}

function pipeline(node: PipelineNode, state: Rebuilding): string {
  if (node.type !== "Pipeline") return commandNode(node, state);
  const prefix = node.prefixes.map((each) =>
    each.type === "Negation" ? "! " : each.posix === undefined ? "time " : "time -p ",
  );
  return prefix.join("") + joined(node, state);
}

function joined({ commands, operators, prefixes }: Pipeline, state: Rebuilding): string {
  const [only] = commands;
  const before = state.place;
  if (commands.length === 1 && only !== undefined) {
    const text = commandNode(only, state);
    if (state.place !== before && prefixes.length > 0) throw new NotRebuilt("it changes the folder");
    return text;
  }
  const texts = commands.map((command) => apart(state, () => commandNode(command, state)));
  return texts.map((text, index) => (index === 0 ? text : `${operators[index - 1]} ${text}`)).join(" ");
}

function commandNode(node: CommandNode, state: Rebuilding): string {
  switch (node.type) {
    case "Command":
      return node.name?.value === "cd" ? changeFolder(node, state) : rebuildCommand(node, state);
    case "Subshell":
      return `( ${apart(state, () => list(node.body.commands, state))} )`;
    case "BraceGroup":
      return `{ ${list(node.body.commands, state)}; }`;
    case "If":
      return condition(node, state);
    case "For":
      return loop(node, state);
    case "TestCommand":
      return `[[ ${rebuildCondition(node.expression, state)} ]]`;
    case "Redirected":
      return redirected(node, state);
    default:
      throw new NotRebuilt("it is more than a list of commands");
  }
}

function redirected({ command, redirects }: Redirected, state: Rebuilding): string {
  const before = state.place;
  const { texts, uses } = rebuildRedirects(redirects, state);
  state.commands.push({ text: "", words: [], uses, place: state.place, answer: null });
  const text = commandNode(command, state);
  if (state.place !== before) throw new NotRebuilt("it changes the folder");
  return [text, ...texts].join(" ");
}

function condition(node: If, state: Rebuilding): string {
  const branch = (body: CompoundList) => {
    const { place } = state;
    const text = list(body.commands, state);
    if (state.place !== place) throw new NotRebuilt("it may or may not change the folder");
    return text;
  };
  const parts = [node, ...node.elif].map(({ clause, then }) => `if ${branch(clause)}; then ${branch(then)}`);
  const last = node.else === undefined ? "" : `; else ${branch(node.else)}`;
  return `${parts.join("; el")}${last}; fi`;
}

/** A loop is written out, so no variable is set. */
function loop({ name, wordlist, body }: For, state: Rebuilding): string {
  if (wordlist === undefined || !LOOP_VARIABLE.test(name.text)) throw new NotRebuilt("it sets a variable");
  const values = wordlist.flatMap((word) => rebuildWord(word, state).values);
  state.rounds += values.length;
  if (state.rounds > MAX_ROUNDS) throw new NotRebuilt("it loops too often");
  const rounds = values.map((value) => {
    if (value === null) throw new NotRebuilt("a loop goes over values that aren't known");
    state.variables = new Map([...state.variables, [name.text, value]]);
    return list(body.commands, state);
  });
  return rounds.length === 0 ? ":" : `{ ${rounds.join("; ")}; }`;
}

/** It ends the script if the folder is gone by then, because everything after it was judged in that folder. */
function changeFolder(node: Command, state: Rebuilding): string {
  const { place } = state;
  const text = rebuildCommand(node, state);
  const words = state.commands.at(-1)?.words ?? [];
  const [, target] = words;
  if (typeof target !== "string" || /^-|^$/.test(target) || words.length !== 2)
    throw new NotRebuilt("it changes to a folder that isn't known");
  const joinedPath = isAbsolute(target) ? target : `${place.path}/${target}`;
  // By default the shell resolves `..` in the text, before it follows symlinks.
  const path = normalize(joinedPath).replace(/(.)\/$/, "$1");
  const real = realPath(path, state.disk);
  if (real === null || real !== realPath(joinedPath, state.disk) || state.disk.kindOf(real) !== "folder")
    throw new NotRebuilt("it changes to a folder that isn't there");
  const written = isAbsolute(target) ? target : `${place.written}/${target}`;
  state.place = { written: normalize(written), path };
  return `{ ${text} || exit; }`;
}
