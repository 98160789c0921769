// The commands, as data: help, completions and main's choice are made from it.

export interface CommandFacts {
  /** What follows the name. */
  readonly operands: string;
  readonly summary: string;
  /** The rest of its help. */
  readonly details: string;
  /** Words that may come first, for completions. */
  readonly words?: readonly string[];
}

export const COMMANDS = {
  app: {
    operands: "[PROMPT]",
    summary: "the terminal app, optionally with a first prompt",
    details: "Without a terminal it does what run does.",
  },
  run: {
    operands: "PROMPT | -",
    summary: "headless: one request, then exit",
    details: `The answer goes to stdout, everything else to stderr. With - the prompt is read from stdin. With a PROMPT and a
pipe the pipe's text is appended to it; if nothing comes within a second it goes on without.
/NAME WORDS runs a custom command: .tunacode/commands/NAME.md, or the same in ~/.config/tunacode.
It never waits for a person: what would need asking is refused, and the model is told so (exit code 6).
Ctrl-C stops it cleanly; a second one leaves at once.`,
  },
  sessions: {
    operands: "[list | search WORDS | show ID | path ID | delete ID]",
    summary: "list, search, read and delete conversations",
    details:
      "list shows this project's, newest first. The beginning of an ID will do where only one session has it.",
    words: ["list", "search", "show", "path", "delete"],
  },
  doctor: {
    operands: "[FILE | ID]",
    summary: "check the machine and the set-up; with a session: find and repair damage",
    details: "Every line is ok, a warning or a failure with its remedy. Exit code 1 if there is a failure.",
  },
  models: {
    operands: "[FILTER]",
    summary: "what can be used here, with prices and context windows",
    details: `Prices are dollars per million tokens. With a FILTER all models whose name contains it are shown, also those whose
provider has no key here.`,
  },
  config: {
    operands: "[show | path | schema | trust | distrust]",
    summary: "what is configured, and where each value comes from",
    details: `show      every value with its origin; keys are masked
path      where the configuration files are
schema    the JSON Schema of a configuration file
trust     let this project's own configuration loosen permissions, add commands and change addresses
distrust  take that back`,
    words: ["show", "path", "schema", "trust", "distrust"],
  },
  permit: {
    operands: "COMMAND | - | -0",
    summary: "would this shell command run, be asked about or be denied here, and why",
    details:
      "It runs nothing. With - one command a line is read from stdin, with -0 they are separated by NUL.",
  },
  setup: {
    operands: "",
    summary: "choose a provider, a model, a key",
    details: `Asks, tries one request, and saves to the configuration file, which only you can read. Without a terminal the flags
say it all: tunacode setup --model openai:gpt-6-sol --api-key - < key-file`,
  },
  demo: {
    operands: "",
    summary: "a guided tour on a sample project with a scripted model: no key, no network",
    details: `A script plays the model; the loop, the tools, the permission rules and the session are the real ones. It works in a
new temporary folder and may run one command and change one file there. Exit code 0 only if the sample's tests pass
in the end.`,
  },
  completions: {
    operands: "bash | zsh | fish",
    summary: "print a shell's completions",
    details: `bash  tunacode completions bash > ~/.local/share/bash-completion/completions/tunacode
zsh   tunacode completions zsh > "\${fpath[1]}/_tunacode"
fish  tunacode completions fish > ~/.config/fish/completions/tunacode.fish`,
    words: ["bash", "zsh", "fish"],
  },
  help: {
    operands: "[COMMAND]",
    summary: "print this help, or that of a command",
    details: "",
  },
} as const satisfies Record<string, CommandFacts>;

export type CommandName = keyof typeof COMMANDS;

/** The app has no name: it is what runs without one. */
export const COMMAND_NAMES = Object.keys(COMMANDS).filter((name) => name !== "app") as Exclude<
  CommandName,
  "app"
>[];
