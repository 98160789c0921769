// Generates random shell commands: mostly commands that read, with harmless and harmful options, files, secrets,
// redirections, substitutions and wrappers, to find holes in the table of harmless commands.
import fc from "fast-check";
import { flagTable } from "../../src/permission/arguments.ts";
import { READ_ONLY_GIT } from "../../src/permission/read-only-git.ts";
import { READ_ONLY } from "../../src/permission/read-only-table.ts";

const FILES = [
  "a.txt",
  "b.txt",
  "src/main.ts",
  "README.md",
  "package.json",
  "src",
  ".",
  "link-in",
  "-",
  "*.txt",
  "src/*",
];
const TRAPS = [
  ".env",
  "link-out",
  "../home/notes.txt",
  "~/.ssh/id_rsa",
  "/etc/passwd",
  "out.txt",
  ".git/config",
  "$HOME",
  "$X",
  "vendor/trap",
];
const TEXTS = ["alpha", "'a.*'", "5", "1,3", "x", "':'", "'%s'", "+%Y", "src/main.ts", "HEAD", "main"];
const HARMFUL_FLAGS = [
  "-o",
  "--output=out.txt",
  "-exec",
  "-delete",
  "-i",
  "--pre=sh",
  "-f",
  "-w",
  "--compress-program=sh",
  "-c",
  "-O",
  "-e",
  "-s",
  "-t",
  "-T.",
  "-C",
  "-z",
];
const HARMFUL = [
  "rm a.txt",
  "touch out.txt",
  "tee out.txt",
  "cp a.txt out.txt",
  "mkdir out",
  "sh -c 'touch out.txt'",
  "python3 -c 1",
  "env",
  "dd of=out.txt",
  "ln -s a.txt out",
  "chmod 700 a.txt",
  "awk 1 a.txt",
  "xargs cat",
];

const GIT = [
  "status",
  "status -s",
  "log --oneline -3",
  "log -p -1",
  "diff",
  "diff --stat",
  "diff --cached",
  "show",
  "show HEAD:a.txt",
  "blame a.txt",
  "branch -a",
  "branch out",
  "tag -l",
  "tag out",
  "ls-files",
  "ls-files -m",
  "ls-tree HEAD",
  "rev-parse HEAD",
  "grep alpha",
  "stash list",
  "stash",
  "describe --always",
  "shortlog -s HEAD",
  "reflog",
  "cat-file -p HEAD",
  "remote -v",
  "for-each-ref",
  "count-objects -v",
  "check-ignore a.txt",
  "rev-list --count HEAD",
  "worktree list",
  "merge-base HEAD HEAD",
  "add a.txt",
  "checkout .",
  "gc",
  "name-rev HEAD",
  "show-ref",
  "diff HEAD -- src",
];
const OWN = [
  "find . -name '*.ts'",
  "find src -type f",
  "find . -newer a.txt -print",
  "find . -printf '%p'",
  "sed -n 1,2p a.txt",
  "sed 's/a/b/g' a.txt",
  "sed -n '$=' a.txt",
  "[ -f a.txt ]",
  "[[ -d src ]]",
  "test -s a.txt",
  "printf '%s\\n' x",
  "date +%s",
];

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...FILES) },
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom(...TRAPS) },
);

const tableCommand = fc
  .constantFrom(...Object.entries(READ_ONLY))
  .chain(([name, { flags }]) => commandOf(name, flags));
const gitTableCommand = fc
  .constantFrom(...Object.entries(READ_ONLY_GIT))
  .chain(([name, { flags, verbs = [""] }]) =>
    fc.constantFrom(...verbs).chain((verb) => commandOf(`git ${name} ${verb}`.trim(), flags)),
  );

/** Uses options from the table, with attached and separate values, and sometimes a harmful option anywhere. */
function commandOf(name: string, flags: string): fc.Arbitrary<string> {
  const known = [...flagTable(flags)].flatMap(([flag, kind]) => {
    if (kind === "" || kind === "?") return flag === "-#" ? ["-2"] : [flag];
    const value = kind === "#" ? "2" : kind === "<" ? "a.txt" : "x";
    return flag.startsWith("--") ? [`${flag}=${value}`, `${flag} ${value}`, flag] : [`${flag} ${value}`];
  });
  const flag = fc.oneof(
    { weight: 8, arbitrary: known.length === 0 ? fc.constant("") : fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(...HARMFUL_FLAGS) },
  );
  return fc
    .tuple(fc.array(flag, { maxLength: 3 }), fc.array(word, { maxLength: 3 }))
    .map(([flagWords, words]) => [name, ...flagWords, ...words].filter((each) => each !== "").join(" "));
}

const simple = fc.oneof(
  { weight: 8, arbitrary: tableCommand },
  { weight: 3, arbitrary: gitTableCommand },
  { weight: 3, arbitrary: fc.constantFrom(...GIT).map((rest) => `git ${rest}`) },
  { weight: 2, arbitrary: fc.constantFrom(...OWN) },
  { weight: 1, arbitrary: fc.constantFrom(...HARMFUL) },
);

const decorated = fc
  .tuple(
    simple,
    fc.constantFrom(
      "",
      "",
      "",
      "",
      "2>/dev/null",
      "2>&1",
      "< a.txt",
      "> out.txt",
      ">> a.txt",
      "&> /dev/null",
      "<<< x",
    ),
  )
  .map(([command, redirect]) => `${command} ${redirect}`.trim());

const wrapped = fc
  .tuple(
    decorated,
    fc.constantFrom(
      "",
      "",
      "",
      "",
      "",
      "timeout 5 ",
      "nice ",
      "command ",
      "time ",
      "! ",
      "sudo ",
      "LC_ALL=C ",
      "PATH=. ",
      "cd src && ",
      "env ",
    ),
  )
  .map(([command, wrapper]) => wrapper + command);

const TOKENS =
  "ls|cat|echo|a.txt|x|touch out.txt|rm a.txt|$(|)|(|`|\"|'|\\|\n|\n\n|;|&|&&| | |<<E|<<'E'|<<-E|\nE\n|\n\tE\n|E|((|))|{|}|#|$((|<(|>(|>|2>|<|<<<|[[|]]|if|then|fi|case|in|esac|;;|do|done|while|for|$'|!|time|-n|=|\t|\\\n|$\"|@(|{a,b}|~|*|?|[a]|1|%".split(
    "|",
  );

/** Pieces of syntax in any order. If our parser and bash disagreed, a command could run unseen. */
export const tokenSoup: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...TOKENS, "|", "||", "${"), { minLength: 3, maxLength: 14 })
  .chain((tokens) => fc.constantFrom("", " ").map((joint) => tokens.join(joint)));

/** One shell command, from simple to nested. */
export const shellCommand: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: wrapped },
  {
    weight: 2,
    arbitrary: fc
      .tuple(wrapped, fc.constantFrom(" | ", " && ", " ; ", " || ", " & ", "\n"), wrapped)
      .map(([left, joint, right]) => left + joint + right),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        wrapped,
        fc.constantFrom(
          "echo $(%)",
          '"$(%)"',
          "( % )",
          "{ %; }",
          "if %; then pwd; fi",
          "cat <(%)",
          "bash -c '%'",
          "eval '%'",
          "cat <<E\n$(%)\nE\n",
        ),
      )
      .map(([command, shape]) => shape.replace("%", () => command)),
  },
);
