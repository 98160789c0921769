// The commands, as data. Help, completions and main's dispatch are derived from this table.

export interface CommandFacts {
  /** What follows the command's name. */
  readonly operands: string;
  readonly summary: string;
  /** The rest of its help text. */
  readonly details: string;
  /** Words that may come first, for shell completions. */
  readonly words?: readonly string[];
}

export const COMMANDS = {
  app: {
    operands: "[PROMPT]",
    summary: "the terminal app, optionally with a first prompt",
    details: "Without a terminal it behaves like run.",
  },
  run: {
    operands: "PROMPT | -",
    summary: "headless: one request, then exit",
    details: `The answer goes to stdout, on a terminal as it comes, everything else to stderr. With - the prompt is read from stdin. With a PROMPT and a
pipe, the piped text is appended; if nothing arrives within a second, the run starts without it.
@PATH in the PROMPT attaches a file or an image, as --file does; text from a pipe is data and attaches nothing.
/NAME WORDS runs a custom command: .tunacode/commands/NAME.md or ~/.config/tunacode/commands/NAME.md.
It never waits for a person: a call that would need approval is denied, and the model is told (exit code 6).
Ctrl-C stops it cleanly; a second Ctrl-C exits at once.`,
  },
  sessions: {
    operands: "[list | search WORDS | show ID | path ID | delete ID]",
    summary: "list, search, read and delete conversations",
    details: "list shows this project's sessions, newest first. An ID may be shortened to any unique prefix.",
    words: ["list", "search", "show", "path", "delete"],
  },
  undo: {
    operands: "[ID]",
    summary: "take back what the last turn of a session changed",
    details: `Takes back the last turn of this project's newest session, or of the session ID: its files and its part of the
conversation. A file that was changed since is a conflict: it is shown with a diff and stays as it is, unless
--overwrite names it. Whatever is replaced is kept for --redo. Git's branches, index and stash are not touched.
Exit code 1 if a conflict stayed, or if there was nothing to take back.`,
  },
  worktrees: {
    operands: "[list | diff NAME | merge NAME | remove NAME]",
    summary: "the git worktrees that --worktree made for this project",
    details: `list    each with its branch, what is in it that is nowhere else, its last session and its path
diff    all that it changed, committed or not
merge   into the branch of the tree that it was made from; then it is removed with its branch
remove  the worktree with its branch. If that loses work you are asked twice; without a terminal it takes --yes.`,
    words: ["list", "diff", "merge", "remove"],
  },
  doctor: {
    operands: "[FILE | ID]",
    summary: "check the machine and the setup; with a session: find and repair damage",
    details: `Each line is ok, a warning or a failure, with a remedy. What is repaired in a session is marked as changed, and as
planned with --dry-run, which changes nothing. Exit code 1 if anything failed.`,
  },
  models: {
    operands: "[FILTER]",
    summary: "the models you can use here, with prices and context windows",
    details: `Prices are dollars per million tokens. A FILTER shows every model whose name contains it, including those whose
provider has no key here.`,
  },
  config: {
    operands: "[show | path | schema | trust | distrust]",
    summary: "what is configured, and where each value comes from",
    details: `show      every value with its origin; keys are masked
path      where the configuration files are
schema    the JSON Schema of a configuration file
trust     let this project's own configuration loosen permissions, add commands and change addresses
distrust  undo trust`,
    words: ["show", "path", "schema", "trust", "distrust"],
  },
  permit: {
    operands: "COMMAND | - | -0",
    summary: "would this shell command run, need approval or be denied here, and why",
    details:
      "It runs nothing. With - it reads one command per line from stdin; with -0 they are separated by NUL.\nIt decides as if there were no sandbox, unless you pass --sandbox on.",
  },
  setup: {
    operands: "",
    summary: "choose a provider, a model and a key",
    details: `Asks, tries one request, and saves to the configuration file, which only you can read. Without a terminal, give
everything as flags: tunacode setup --model openai:gpt-6-sol --api-key - < key-file`,
  },
  demo: {
    operands: "",
    summary: "a guided tour on a sample project with a scripted model: no key, no network",
    details: `A script plays the model; the loop, the tools, the permission rules and the session are real. It works in a new
temporary folder, where it may run one command and change one file. Exit code 0 only if the sample's tests pass at
the end.`,
  },
  completions: {
    operands: "bash | zsh | fish",
    summary: "print a shell's completions",
    details: `bash  tunacode completions bash > ~/.local/share/bash-completion/completions/tunacode
zsh   tunacode completions zsh > "\${fpath[1]}/_tunacode"
fish  tunacode completions fish > ~/.config/fish/completions/tunacode.fish`,
    words: ["bash", "zsh", "fish"],
  },
  help: { operands: "[COMMAND]", summary: "print this help, or the help of a command", details: "" },
} as const satisfies Record<string, CommandFacts>;

export type CommandName = keyof typeof COMMANDS;

/** The app is not listed: it is what runs when no command is named. */
export const COMMAND_NAMES = Object.keys(COMMANDS).filter((name) => name !== "app") as Exclude<
  CommandName,
  "app"
>[];
