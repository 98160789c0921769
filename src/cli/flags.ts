// Every flag of every command, as data. Parsing, help, completions and the test that every flag has an effect are
// derived from this table.
import type { CommandName } from "./commands.ts";

export interface Flag {
  readonly short?: string;
  readonly value: FlagValue;
  readonly repeatable?: boolean;
  readonly help: string;
  readonly commands: readonly CommandName[];
}

export type FlagValue =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly label: string }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "number"; readonly label: string; readonly whole?: boolean; readonly above?: number };

const SWITCH = { kind: "none" } as const;
const text = <const Label extends string>(label: Label) => ({ kind: "text", label }) as const;
const choice = <const Choices extends readonly string[]>(...choices: Choices) =>
  ({ kind: "choice", choices }) as const;
const whole = (label: string) => ({ kind: "number", label, whole: true, above: 0 }) as const;

const REQUEST = ["run", "app"] as const;
const EVERYWHERE = ["app", "run", "sessions", "doctor", "models", "config", "permit", "setup"] as const;
const READERS = ["sessions", "doctor", "models", "config", "permit"] as const;

export const FLAGS = {
  model: {
    short: "m",
    value: text("P:M"),
    help: "provider:model; a provider alone means its default model",
    commands: [...REQUEST, "doctor", "setup"],
  },
  output: {
    value: choice("text", "json", "stream-json"),
    help: "what to print on stdout (default text); stream-json is for run only",
    commands: ["run", "app", ...READERS],
  },
  "output-json": { value: SWITCH, help: "the same as --output json", commands: ["run", "app", ...READERS] },
  continue: {
    short: "c",
    value: SWITCH,
    help: "continue the newest session of this project",
    commands: REQUEST,
  },
  resume: {
    short: "r",
    value: text("ID"),
    help: "continue this session; a unique prefix of its id is enough",
    commands: REQUEST,
  },
  "no-session": { value: SWITCH, help: "save nothing to disk", commands: REQUEST },
  cwd: { value: text("DIR"), help: "work in this folder", commands: EVERYWHERE },
  timeout: {
    value: { kind: "number", label: "SECONDS", above: 0 },
    help: "stop the request after this time (exit code 124)",
    commands: REQUEST,
  },
  "max-iterations": {
    value: whole("N"),
    help: "stop after this many model calls (default 200; exit code 5)",
    commands: REQUEST,
  },
  "max-cost": {
    value: { kind: "number", label: "USD", above: 0 },
    help: "stop at this cost, counted over the whole session (exit code 5)",
    commands: REQUEST,
  },
  "max-total-tokens": {
    value: whole("N"),
    help: "stop at this many tokens, counted over the whole session (exit code 5)",
    commands: REQUEST,
  },
  permission: {
    value: choice("ask", "auto-edit", "read-only", "yolo"),
    help: "what may be done without asking (default ask)",
    commands: [...REQUEST, "permit"],
  },
  allow: {
    value: text("RULE"),
    repeatable: true,
    help: "allow without asking, such as 'bash(npm test)'",
    commands: [...REQUEST, "permit"],
  },
  ask: {
    value: text("RULE"),
    repeatable: true,
    help: "always ask about this",
    commands: ["permit"],
  },
  deny: {
    value: text("RULE"),
    repeatable: true,
    help: "never allow, in any mode",
    commands: [...REQUEST, "permit"],
  },
  sandbox: {
    value: choice("auto", "on", "off"),
    help: "run shell commands in the sandbox (default auto: where it works)",
    commands: [...REQUEST, "permit"],
  },
  "base-url": {
    value: text("URL"),
    help: "the address of the model's provider",
    commands: [...REQUEST, "doctor", "setup"],
  },
  thinking: {
    value: choice("off", "low", "medium", "high"),
    help: "how much the model thinks (default: the model's own)",
    commands: REQUEST,
  },
  nul: {
    short: "0",
    value: SWITCH,
    help: "read commands from stdin, separated by NUL",
    commands: ["permit"],
  },
  limit: { value: whole("N"), help: "list or find at most this many", commands: ["sessions"] },
  all: { short: "a", value: SWITCH, help: "sessions of every project", commands: ["sessions"] },
  "api-key": {
    value: text("KEY"),
    help: "the provider's key; - reads it from stdin",
    commands: ["setup"],
  },
  api: {
    value: choice("openai-chat", "openai-responses", "anthropic", "google"),
    help: "the API that a custom provider speaks",
    commands: ["setup"],
  },
  "no-test": { value: SWITCH, help: "save without trying a request", commands: ["setup"] },
  quiet: { short: "q", value: SWITCH, help: "print no progress and no notices", commands: REQUEST },
  plain: { value: SWITCH, help: "plain lines, nothing redrawn; for screen readers", commands: ["app"] },
  debug: { value: SWITCH, help: "write a log; its path is printed on stderr", commands: REQUEST },
  help: {
    short: "h",
    value: SWITCH,
    help: "print help",
    commands: [...EVERYWHERE, "demo", "completions", "help"],
  },
  version: { short: "v", value: SWITCH, help: "print the version", commands: ["app"] },
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof FLAGS;

type ValueOf<Spec extends Flag> = Spec["value"] extends { kind: "none" }
  ? true
  : Spec["value"] extends { kind: "choice"; choices: readonly (infer Choice)[] }
    ? Choice
    : Spec["value"] extends { kind: "number" }
      ? number
      : Spec extends { repeatable: true }
        ? readonly string[]
        : string;

/** Only the flags that were given. */
export type FlagValues = { readonly [Name in FlagName]?: ValueOf<(typeof FLAGS)[Name]> };

/** The same table with wide types, for code that loops over all flags. */
export const FLAG_LIST: readonly (readonly [FlagName, Flag])[] = Object.entries(FLAGS) as [FlagName, Flag][];

export function flagsOf(command: CommandName): readonly (readonly [FlagName, Flag])[] {
  return FLAG_LIST.filter(([, flag]) => flag.commands.includes(command));
}
