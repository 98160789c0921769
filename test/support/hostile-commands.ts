// Random commands that try to make something else run, or to read something else, than what is judged: a generator for
// each class of attack. Most of them have to be asked about; those that are not are run and traced.
import fc from "fast-check";
import { shellCommand, tokenSoup } from "./shell-grammar.ts";

const READERS = [
  "ls",
  "cat",
  "git status",
  "git diff",
  "git log -p",
  "grep -r alpha",
  "rg alpha",
  "head -1",
  "find .",
  "wc -l",
  "echo",
  "sort",
];
const reader = fc.constantFrom(...READERS);
const program = fc.constantFrom("ls", "cat", "git", "grep", "rg", "head", "find", "sort");
const variable = fc.constantFrom(
  "PATH",
  "HOME",
  "IFS",
  "BASH_ENV",
  "LD_PRELOAD",
  "GIT_DIR",
  "GIT_PAGER",
  "CDPATH",
  "PWD",
  "OLDPWD",
  "XDG_CONFIG_HOME",
  "SHELLOPTS",
  "GLOBIGNORE",
  "USER",
  "x",
  "f",
  "LC_ALL",
  "TZ",
);
const value = fc.constantFrom(
  "./evil",
  "$PWD/evil",
  ".",
  "evil:$PATH",
  "$OPENAI_API_KEY",
  "'$(./CANARY)'",
  "a.txt",
  "../CANARY",
  "/",
  "C",
);
const glob = fc.constantFrom(
  "*",
  "-*",
  "-[nde]*",
  "e*",
  "*a*a*a*a*a*a*b",
  "sub/*",
  "*/a.txt",
  "[-e]*",
  "?*",
  "--*",
  "link*",
  "odd/*",
  "*/*",
  ".*",
  ".e?v",
  "{a,b}.txt",
  "{-e,x}",
  "sub/-*",
  "*out",
  "*-out/*",
);
const folder = fc.constantFrom(
  "sub",
  "f",
  "deep/er",
  "..",
  "odd",
  "folder-out",
  "nope",
  "repositories",
  "evil",
  ".",
  "sub/..",
  "folder-out/..",
  "$HOME",
  "-",
  "'$PWD'",
);

/** A variable is set in some way, and then a program is run. */
const assignments = fc
  .tuple(
    fc.constantFrom(
      "for V in X; do P; done",
      "for V in X; do echo $V; P; done",
      "V=X P",
      "V=X; P",
      "export V=X; P",
      "printf -v V X; P",
      "printf 'abc%ln' V; P",
      "printf '%n' V; P",
      ": {V}</dev/null; P",
      "read V <<< X; P",
      `: \${V:=X}; P`,
      ": $((V=1)); P",
      "declare V=X; P",
      "let V=1; P",
      "select V in X; do P; done",
      "while read V; do P; done < a.txt",
      "mapfile V < a.txt; P",
      "getopts a V; P",
      "(( V = 1 )); P",
      "[[ x =~ x ]]; P",
      "for ((V=0;V<1;V++)); do P; done",
      "env V=X P",
      "unset V; P",
      "eval V=X; P",
      "bash -c 'P' V",
      "coproc V { P; }",
    ),
    variable,
    value,
    reader,
  )
  .map(([shape, name, set, run]) => shape.replaceAll("V", name).replaceAll("X", set).replaceAll("P", run));

/** Names that become options, in a folder that the command changes to. */
const globs = fc
  .tuple(
    fc.constantFrom(
      "P G",
      "cd F && P G",
      "(cd F; P G)",
      "cd F; P G x",
      "eval G",
      "cd F && eval G",
      "P -- G",
      'for f in G; do P "$f"; done',
      "for f in G; do P $f; done",
      "P < G",
      "timeout 5 P G",
      "P $(echo G)",
      'P "$(ls F)"',
      "bash -c 'P G'",
    ),
    reader,
    glob,
    folder,
  )
  .map(([shape, run, pattern, place]) =>
    shape.replaceAll("P", run).replaceAll("G", pattern).replaceAll("F", place),
  );

/** Programs under other paths. */
const paths = fc
  .tuple(
    fc.constantFrom(
      "./P",
      "evil/P",
      "/usr/bin/../../$PWD/evil/P",
      "/usr/bin/../bin/P",
      "$PWD/P",
      "~/P",
      "/bin/./P",
      "//bin/P",
      "/proc/self/cwd/P",
      "command -p P",
      "builtin P",
      "\\P",
      "P/../P",
      "nice P",
      "timeout 5 ./P",
      "timeout $(echo 5 ./evil/P) P",
      "type P; P",
      "hash -p ./evil/P P; P",
      "alias P=./evil/P; P",
      "enable -f ./x P",
      "P() { ./evil/P; }; P",
    ),
    program,
  )
  .map(([shape, name]) => shape.replaceAll("P", name));

/** Folders that may or may not be there, and chains of them. */
const folders = fc
  .tuple(
    fc.array(folder, { minLength: 1, maxLength: 5 }),
    fc.constantFrom(" && ", "; ", " || ", " | ", "\n"),
    reader,
    glob,
  )
  .map(
    ([chain, joint, run, pattern]) =>
      `${chain.map((each) => `cd ${each}`).join(joint)}${joint}${run} ${pattern}`,
  );

const GIT = [
  "status",
  "status -s",
  "status -v",
  "diff",
  "diff HEAD",
  "diff --stat",
  "log -p -1",
  "log --format=%h",
  "show",
  "show HEAD:a.txt",
  "blame a.txt",
  "grep alpha",
  "ls-files -m",
  "stash list",
  "shortlog -s HEAD",
  "describe --always",
  "branch -a",
  "reflog",
  "cat-file -p HEAD",
  "rev-parse HEAD",
  "diff --ignore-submodules=none",
  "status --ignore-submodules=none",
  "log --pretty=x -1",
  "for-each-ref",
];

/** Git in repositories that somebody else made. */
export function gitCommand(repositories: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(
        "git -C R G",
        "cd R && git G",
        "(cd R && git --no-pager G)",
        "timeout 5 git -C R G",
        "git -C R G | head -3",
        "for r in R; do git -C $r G; done",
      ),
      fc.constantFrom(...repositories),
      fc.constantFrom(...GIT),
    )
    .map(([shape, repository, command]) => shape.replace("R", repository).replace("G", command));
}

export const ATTACKS = {
  assignments,
  globs,
  paths,
  folders,
  grammar: shellCommand,
  soup: tokenSoup,
} as const;
