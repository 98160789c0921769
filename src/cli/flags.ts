// Every flag of every command, as data. Parsing, help, completions and the test that every flag has an effect are
// derived from this table.
import { defined } from "../base/defined.ts";
import type { CommandName } from "./commands.ts";

export interface Flag {
  readonly short?: string;
  readonly value: FlagValue;
  readonly help: string;
  readonly commands: readonly CommandName[];
}

type FlagValue =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly label: string; readonly repeatable?: boolean }
  /** May be left out, and is "" then. A word that follows is the value only if it has this form. */
  | { readonly kind: "optional"; readonly label: string; readonly form: RegExp }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  /** Above 0. */
  | { readonly kind: "number"; readonly label: string; readonly whole?: boolean };

const SWITCH = { kind: "none" } as const;
const text = (label: string) => ({ kind: "text", label }) as const;
const number = (label: string) => ({ kind: "number", label }) as const;
const choice = <const Choices extends readonly string[]>(...choices: Choices) =>
  ({ kind: "choice", choices }) as const;
const RULES = { kind: "text", label: "RULE", repeatable: true } as const;
const FOLDERS = { kind: "text", label: "DIR", repeatable: true } as const;
const FILES = { kind: "text", label: "PATH", repeatable: true } as const;
const whole = (label: string) => ({ kind: "number", label, whole: true }) as const;

const NAME = { kind: "optional", label: "NAME", form: /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u } as const;

const REQUEST = ["run", "app"] as const;
const READERS = ["sessions", "undo", "worktrees", "doctor", "models", "config", "permit"] as const;
const EVERYWHERE = [...REQUEST, ...READERS, "setup"] as const;

const flag = <const Value extends FlagValue>(
  value: Value,
  help: string,
  commands: readonly CommandName[],
  short?: string,
) => ({ value, help, commands, ...defined({ short }) });

export const FLAGS = {
  model: flag(
    text("P:M"),
    "provider:model; a provider alone means its default model",
    [...REQUEST, "doctor", "setup"],
    "m",
  ),
  fallback: flag(
    { kind: "text", label: "P:M", repeatable: true },
    "a model that answers when the chosen one can't; several are tried in order",
    REQUEST,
  ),
  output: flag(
    choice("text", "json", "stream-json"),
    "what to print on stdout (default text); stream-json is for run only",
    [...REQUEST, ...READERS],
  ),
  "output-json": flag(SWITCH, "the same as --output json", [...REQUEST, ...READERS]),
  stream: flag(SWITCH, "print the text as it comes; on a terminal that is the default", ["run"]),
  "output-schema": flag(text("FILE"), "the answer is JSON that fits the JSON Schema in this file", ["run"]),
  file: flag(FILES, "send this file or image with the prompt", REQUEST),
  continue: flag(SWITCH, "continue the newest session of this project", REQUEST, "c"),
  resume: flag(text("ID"), "continue this session; a unique prefix of its id is enough", REQUEST, "r"),
  "no-session": flag(SWITCH, "save nothing to disk", REQUEST),
  cwd: flag(text("DIR"), "work in this folder", EVERYWHERE),
  worktree: flag(
    NAME,
    "work in a git worktree of its own, on a new branch; an existing NAME is reused",
    REQUEST,
    "w",
  ),
  "with-changes": flag(SWITCH, "bring what is not committed along into a new worktree", REQUEST),
  yes: flag(SWITCH, "commit what is not committed before a merge; remove a worktree with work in it", [
    "worktrees",
  ]),
  "add-dir": flag(FOLDERS, "make this folder part of the project, too", [...REQUEST, "permit"]),
  timeout: flag(number("SECONDS"), "stop the request after this time (exit code 124)", REQUEST),
  "max-iterations": flag(whole("N"), "stop after this many model calls (default 1000; exit code 5)", REQUEST),
  "max-cost": flag(number("USD"), "stop at this cost, counted over the whole session (exit code 5)", REQUEST),
  "max-total-tokens": flag(
    whole("N"),
    "stop at this many tokens, counted over the whole session (exit code 5)",
    REQUEST,
  ),
  "max-tool-calls": flag(
    whole("N"),
    "stop before more tool calls than this, counted over the whole session (exit code 5)",
    REQUEST,
  ),
  permission: flag(
    choice("ask", "auto-edit", "auto", "read-only", "yolo"),
    "what may be done without asking (default ask)",
    [...REQUEST, "permit"],
  ),
  allow: flag(RULES, "allow without asking, such as 'bash(npm test)'", [...REQUEST, "permit"]),
  ask: flag(RULES, "always ask about this", ["permit"]),
  deny: flag(RULES, "never allow, in any mode", [...REQUEST, "permit"]),
  sandbox: flag(
    choice("auto", "on", "off"),
    "run shell commands in the sandbox (default auto: where it works)",
    [...REQUEST, "permit"],
  ),
  "base-url": flag(text("URL"), "the address of the model's provider", [...REQUEST, "doctor", "setup"]),
  thinking: flag(
    choice("off", "low", "medium", "high"),
    "how much the model thinks (default: the model's own)",
    REQUEST,
  ),
  explain: flag(SWITCH, "also print what runs in place of a command that only reads", ["permit"]),
  nul: flag(SWITCH, "read commands from stdin, separated by NUL", ["permit"], "0"),
  "dry-run": flag(SWITCH, "show what would be done to a session, and change nothing", ["doctor", "undo"]),
  list: flag(SWITCH, "list the prompts of the session, with what each of them changed", ["undo"]),
  to: flag(whole("N"), "go back to before prompt N of the list", ["undo"]),
  "files-only": flag(SWITCH, "leave the conversation as it is", ["undo"]),
  redo: flag(SWITCH, "take back the last undo", ["undo"]),
  overwrite: flag(FILES, "put this file back although it was changed since", ["undo"]),
  uncovered: flag(SWITCH, "list what undo would not bring back", ["undo"]),
  limit: flag(whole("N"), "list or find at most this many", ["sessions"]),
  all: flag(SWITCH, "sessions of every project", ["sessions"], "a"),
  "api-key": flag(text("KEY"), "the provider's key; - reads it from stdin", ["setup"]),
  api: flag(
    choice("openai-chat", "openai-responses", "anthropic", "google"),
    "the API that a custom provider speaks",
    ["setup"],
  ),
  "no-test": flag(SWITCH, "save without trying a request", ["setup"]),
  quiet: flag(SWITCH, "print no progress and no notices", REQUEST, "q"),
  plain: flag(SWITCH, "plain lines, nothing redrawn; for screen readers", ["app"]),
  debug: flag(SWITCH, "write a log; its path is printed on stderr", REQUEST),
  help: flag(SWITCH, "print help", [...EVERYWHERE, "demo", "completions", "help"], "h"),
  version: flag(SWITCH, "print the version", ["app"], "v"),
} satisfies Record<string, Flag>;

export type FlagName = keyof typeof FLAGS;

type ValueOf<Spec extends Flag> = Spec["value"] extends { kind: "none" }
  ? true
  : Spec["value"] extends { kind: "choice"; choices: readonly (infer Choice)[] }
    ? Choice
    : Spec["value"] extends { kind: "number" }
      ? number
      : Spec["value"] extends { repeatable: true }
        ? readonly string[]
        : string;

/** Only the flags that were given. */
export type FlagValues = { readonly [Name in FlagName]?: ValueOf<(typeof FLAGS)[Name]> };

/** The same table with wide types, for code that loops over all flags. */
export const FLAG_LIST: readonly (readonly [FlagName, Flag])[] = Object.entries(FLAGS) as [FlagName, Flag][];

export function flagsOf(command: CommandName): readonly (readonly [FlagName, Flag])[] {
  return FLAG_LIST.filter(([, flag]) => flag.commands.includes(command));
}
