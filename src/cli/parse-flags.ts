// Parses argv into a command, flags and operands. An error says what would have been accepted.
import { nearestName } from "../base/nearest-name.ts";
import { TunacodeError } from "../domain/error.ts";
import { COMMAND_NAMES, type CommandName } from "./commands.ts";
import { type Flag, type FlagName, type FlagValues, flagsOf } from "./flags.ts";

export interface Invocation {
  readonly command: CommandName;
  readonly flags: FlagValues;
  readonly operands: readonly string[];
}

/** Throws a usage error for argv that can't be parsed. */
export function parseCommandLine(args: readonly string[]): Invocation {
  const [first, ...rest] = args;
  const command = COMMAND_NAMES.find((name) => name === first);
  if (command !== undefined) return { command, ...parseFlags(command, rest) };
  refuseMisspelled(first, rest);
  return { command: "app", ...parseFlags("app", args) };
}

/** For commands without a stream of events, whose output is text or json. */
export function wantsJson(flags: FlagValues): boolean {
  if (flags.output === "stream-json")
    throw new TunacodeError("usage", "--output stream-json works with run only.");
  return flags.output === "json" || flags["output-json"] === true;
}

function parseFlags(command: CommandName, args: readonly string[]): Omit<Invocation, "command"> {
  const values: { [name: string]: unknown } = {};
  const operands: string[] = [];
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      operands.push(...rest.splice(0));
    } else if (word === "-" || !word.startsWith("-")) {
      operands.push(word);
    } else {
      const { name, flag, attached } = findFlag(command, word);
      const { value: expected } = flag;
      if (expected.kind === "none") {
        if (attached !== undefined) throw usage(`--${name} takes no value.`);
        values[name] = true;
        continue;
      }
      if (expected.kind === "optional" && attached === undefined) {
        const [next = "", ...others] = rest;
        if (expected.form.test(next)) refuseDoubtful(name, next, others);
        values[name] = expected.form.test(next) ? rest.shift() : "";
        continue;
      }
      const value = attached ?? rest.shift();
      if (value === undefined || (attached === undefined && /^--?[a-z]/i.test(value)))
        throw usage(`--${name} needs a value: ${shownValue(flag)}.`);
      const read = readValue(name, flag, value);
      const before = values[name];
      if (expected.kind === "text" && expected.repeatable === true)
        values[name] = [...(Array.isArray(before) ? before : []), read];
      else if (before !== undefined && before !== read) throw usage(`--${name} was given twice.`);
      else values[name] = read;
    }
  }
  // Names and kinds were checked against the table that FlagValues is derived from.
  return { flags: values as FlagValues, operands };
}

/** `-w fix the bug`: fix may be a name, or the first word of the prompt. */
function refuseDoubtful(name: string, value: string, others: readonly string[]): void {
  const end = others.findIndex((word) => word.startsWith("-") && word !== "-");
  if ((end === -1 ? others : others.slice(0, end)).length < 2) return;
  throw usage(
    `Is ${value} the value of --${name} or a word of the prompt? Write --${name}=${value}, or put the prompt in quotes.`,
  );
}

interface Found {
  readonly name: FlagName;
  readonly flag: Flag;
  readonly attached: string | undefined;
}

function findFlag(command: CommandName, word: string): Found {
  const flags = flagsOf(command);
  if (!word.startsWith("--")) {
    const found = flags.find(([, flag]) => flag.short === word[1]);
    if (found === undefined) throw unknownFlag(command, word.slice(0, 2), "");
    return { name: found[0], flag: found[1], attached: word.slice(2).replace(/^=/, "") || undefined };
  }
  const [, wanted = "", attached] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const found = flags.find(([name]) => name === wanted);
  if (found === undefined) throw unknownFlag(command, `--${wanted}`, wanted);
  return { name: found[0], flag: found[1], attached };
}

function readValue(name: string, { value }: Flag, given: string): string | number {
  switch (value.kind) {
    case "choice":
      if (!value.choices.includes(given))
        throw usage(`--${name} must be one of ${value.choices.join(", ")}, not ${JSON.stringify(given)}.`);
      return given;
    case "number": {
      const number = given.trim() === "" ? Number.NaN : Number(given);
      const fits = Number.isFinite(number) && number > 0;
      if (!fits || (value.whole === true && !Number.isInteger(number))) {
        const kind = value.whole === true ? "a whole number" : "a number";
        throw usage(`--${name} must be ${kind} above 0, not ${JSON.stringify(given)}.`);
      }
      return number;
    }
    default:
      if (given === "") throw usage(`--${name} can't be empty.`);
      return given;
  }
}

/** A value as help shows it: `P:M`, or its choices. */
export function shownValue({ value }: Flag): string {
  switch (value.kind) {
    case "none":
      return "";
    case "choice":
      return value.choices.join("|");
    case "optional":
      return `[${value.label}]`;
    default:
      return value.label;
  }
}

function unknownFlag(command: CommandName, shown: string, wanted: string): TunacodeError {
  const names = flagsOf(command).map(([name]) => name);
  const nearest = nearestName(wanted, names);
  const meant = nearest === undefined ? "" : ` Did you mean --${nearest}?`;
  const where = command === "app" ? "" : ` of ${command}`;
  return usage(
    `${JSON.stringify(shown)} is not a flag${where}.${meant}`,
    command === "app" ? "tunacode --help" : `tunacode help ${command}`,
  );
}

/** A single word that is nearly a command is a typo, not a prompt. */
function refuseMisspelled(first: string | undefined, rest: readonly string[]): void {
  if (first === undefined || rest.some((word) => !word.startsWith("-")) || /[^a-z-]/i.test(first)) return;
  const nearest = first.startsWith("-") ? undefined : nearestName(first, COMMAND_NAMES);
  if (nearest !== undefined)
    throw usage(
      `${JSON.stringify(first)} is not a command. Did you mean ${nearest}? (To send it as a prompt: tunacode run ${first})`,
    );
}

function usage(message: string, help = "tunacode --help"): TunacodeError {
  return new TunacodeError("usage", `${message}\nTry: ${help}`);
}
