// A project with odd names, and random harmless commands over it: every way to write a word, globs, pipes, lists, loops,
// conditions, substitutions, here-documents and folders.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { git, type PermissionProject } from "./permission-project.ts";

const NAMES = [
  "a.txt",
  "b.txt",
  "Big File.md",
  "it's.txt",
  'say "hi".txt',
  "new\nline.txt",
  "tab\there.txt",
  "dollar$HOME.txt",
  "$(id).txt",
  "`id`.txt",
  "star*.txt",
  "[x].txt",
  "back\\slash.txt",
  "{a,b}.txt",
  "~tilde.txt",
  "#hash.txt",
  "a;b&c|d.txt",
  "näme-ü.txt",
  "鱼.txt",
  "!bang.txt",
  "=equals=.txt",
  "empty",
  ".hidden",
];
const FOLDERS = ["src", "src/deep", "two words", "it's a folder"];

export function createOddProject(): PermissionProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-odd-")));
  const root = join(base, "project");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [index, name] of NAMES.entries())
    write(name, name === "empty" ? "" : `alpha ${index}\nbeta\n${name}\n`);
  for (const folder of FOLDERS)
    for (const name of NAMES.slice(0, 7)) write(join(folder, name), `${folder} alpha\ngamma\n`);
  symlinkSync("a.txt", join(root, "link-in"));
  symlinkSync("src", join(root, "link-folder"));
  mkdirSync(join(base, "home"));
  git(root, "init", "-q", "-b", "main");
  git(root, "add", ".");
  git(root, "commit", "-q", "-m", "first");
  write("a.txt", "alpha changed\nbeta\n");
  return { root, home: join(base, "home"), close: () => rmSync(base, { recursive: true, force: true }) };
}

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const double = (text: string) => `"${text.replace(/["\\$`]/g, "\\$&")}"`;
const escaped = (text: string) => (text.includes("\n") ? single(text) : text.replace(/[^\w./-]/g, "\\$&"));
const halved = (text: string) => single(text.slice(0, 2)) + double(text.slice(2));

const name = fc.constantFrom(...NAMES.slice(0, 22), "no-such-file");
const inFolder = fc
  .tuple(fc.constantFrom("", "", "./", "src/", "two words/", "link-folder/"), name)
  .map((both) => both.join(""));
const file = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(inFolder, fc.constantFrom(single, double, escaped, halved))
      .map(([path, write]) => write(path)),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "*.txt",
      "*",
      "src/*.txt",
      "*/a.txt",
      "b*",
      "'Big'*",
      "*.none",
      "{a,b}.txt",
      "link-*",
      "[ab].txt",
      "?.txt",
      "src/*/",
      "*'words'/*",
      "*/*/*.md",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"$PWD"/a.txt', "$PWD/b.txt", "src/../a.txt", "link-folder/../a.txt"),
  },
);
const files = fc.array(file, { minLength: 1, maxLength: 3 }).map((each) => each.join(" "));
const text = fc.constantFrom(
  "alpha",
  "'a b'",
  '"x  y"',
  "'$HOME'",
  "$'a\\tb'",
  '"a\\"b"',
  "\\$x",
  "'*'",
  "--",
  "'%s'",
  "''",
  "$((1 + 2))",
  "$HOME",
  '"$?"',
);
const texts = fc.array(text, { maxLength: 4 }).map((each) => each.join(" "));

const reader = fc.oneof(
  files.map((each) => `cat ${each}`),
  fc
    .tuple(
      fc.constantFrom(
        "head -2",
        "tail -n 1",
        "wc -l",
        "sort",
        "sort -r",
        "nl",
        "cat -A",
        "sha256sum",
        "rev",
        "od -c",
      ),
      files,
    )
    .map((each) => each.join(" ")),
  fc.tuple(fc.constantFrom("ls", "ls -a", "ls -1", "ls -d", "ls -R"), files).map((each) => each.join(" ")),
  fc
    .tuple(fc.constantFrom("alpha", "'a.*a'", "-c beta", "-n gamma", "-l alpha", "-e alpha -e gamma"), files)
    .map((each) => `grep ${each.join(" ")}`),
  texts.map((each) => `echo ${each}`),
  texts.map((each) => `printf '<%s>\\n' ${each}`),
  fc.constantFrom(
    "pwd",
    "ls",
    "find . -name '*.txt' | sort",
    "find src -type f | sort",
    "git status --short",
    "git log --oneline",
    "git diff",
    "git ls-files",
    "sed -n 1,2p a.txt",
    "sed 's/alpha/X/' b.txt",
    "true",
    "false",
    "basename src/a.txt .txt",
    "seq 3",
    "grep -rn gamma src | sort",
    "diff a.txt b.txt",
    "ls nope",
    "ls | wc -l",
    "command -v cat",
    "git show HEAD:a.txt",
    "git -C src log -1 --format=%s",
    "LC_ALL=C sort a.txt",
  ),
  file.map((each) => `test -f ${each}`),
  file.map((each) => `cat < ${each}`),
);

const shape = fc.constantFrom(
  "%",
  "%",
  "% 2>/dev/null",
  "% 2>&1",
  "% | tail -3",
  "% | sort | uniq -c",
  "% && %",
  "% || %",
  "%; %",
  "%\n%",
  "! %",
  "( % ; % )",
  "{ %; %; }",
  "if %; then %; else %; fi",
  "if %; then %; fi",
  "cd src && %",
  "cd 'two words'; %",
  "(cd src && %); pwd",
  "cd src && cd deep && % && cd .. && pwd",
  'for f in *.txt; do echo "$f"; done',
  'for f in a.txt "Big File.md" src/*; do head -1 "$f"; done; %',
  "for x in one 'two three'; do echo \"<$x>\" $x; %; done",
  "for d in src 'two words'; do ls \"$d\"; done | sort",
  'echo "$(%)"',
  "echo $(%)",
  "printf '%s|' \"a $(%) b\"",
  "cat <( % ) | tail -2",
  "cat <<'E'\n$x `y`\nE\n%",
  "cat <<E\n$HOME and $(%)\nE",
  "cat <<< 'one  two' | tr a-z A-Z",
  "bash -c 'ls src' && %",
  "eval 'ls src'; %",
  "timeout 20 cat a.txt && %",
  "timeout 20 bash -c 'cat *.txt | sort' && %",
  "command ls src && builtin echo x; %",
  "[[ -f a.txt && ! -d b.txt ]] && %",
  "% > /dev/null; echo $?",
  "%; echo $?",
);

/** Commands that read only the project, though not all of them are allowed unasked. */
export const harmlessCommand: fc.Arbitrary<string> = fc
  .tuple(shape, fc.array(reader, { minLength: 3, maxLength: 3 }))
  .map(([pattern, readers]) => {
    let next = 0;
    return pattern.replace(/%(?!s)/g, () => readers[next++] ?? "true");
  });
