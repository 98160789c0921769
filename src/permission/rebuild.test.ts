// What runs in place of a command, as a table.
import { describe, expect, test } from "bun:test";
import { fakeDisk } from "../../test/support/fake-disk.ts";
import { guardGit } from "./git-repository.ts";
import { rebuild } from "./rebuild.ts";

const disk = fakeDisk({
  "/p/a.txt": "",
  "/p/b c.txt": "",
  "/p/sub/-e": "",
  "/p/sub/x.ts": "",
  "/p/odd/link\ufffd": "",
  "/p/down": "-> sub",
});

function rebuilt(command: string): string {
  const repository = (folder: string) => guardGit(disk.gitConfiguration(folder));
  const result = rebuild(command, "/p", { roots: ["/p"], home: "/h", disk, repository, exclusion: () => [] });
  // The programs are told first.
  return result.ok
    ? result.script.replace(/^(hash -p '[^']*' '[^']*'; )*/, "")
    : `not rebuilt: ${result.why}`;
}

describe("is rebuilt", () => {
  test.each([
    ["cat *.txt", "'cat' 'a.txt' 'b c.txt'"],
    ["cat 'b c.txt' b\\ c.txt \"b c\".txt", "'cat' 'b c.txt' 'b c.txt' 'b c.txt'"],
    ["echo it\\'s ~ $HOME", "'echo' 'it'\\''s' '/h' '/h'"],
    ["ls 2>/dev/null | head", "'ls' 2>'/dev/null' | 'head'"],
    ["cd sub && cat *.ts; pwd", "{ 'cd' 'sub' || exit; } && 'cat' 'x.ts'; 'pwd'"],
    ["(cd sub); cat *.txt", "( { 'cd' 'sub' || exit; } ); 'cat' 'a.txt' 'b c.txt'"],
    ["cd down && pwd", "{ 'cd' 'down' || exit; } && 'pwd'"],
    ['for f in a b; do cat "$f"; done', "{ 'cat' 'a'; 'cat' 'b'; }"],
    ["for f in; do ls; done", ":"],
    [
      "if [ -f a ]; then ls; elif true; then pwd; else :; fi",
      "if '[' '-f' 'a' ']'; then 'ls'; elif 'true'; then 'pwd'; else ':'; fi",
    ],
    ['echo "a $(ls) b" $(pwd) $?', "'echo' 'a '\"$( 'ls' )\"' b' $( 'pwd' ) \"$?\""],
    ["cat <<E\n$HOME\nE", "'cat' <<<'/h'''"],
    ["cat <<'E'\n$x\n\nE", "'cat' <<<'$x\n'"],
    ["LC_ALL=C sort a.txt", "LC_ALL='C' 'sort' 'a.txt'"],
    ["timeout 5 git diff", "'timeout' '5' 'git' 'diff' '--ignore-submodules=dirty'"],
    ["bash -c 'ls; pwd'", "( 'ls'; 'pwd' )"],
    ["timeout 5 bash -c 'cat *.none'", "'timeout' '5' 'bash' -c ''\\''cat'\\'' '\\''*.none'\\'''"],
    ["! ls && time pwd", "! 'ls' && time 'pwd'"],
    ["[[ -f a.txt && ! x == y ]]", "[[ -f 'a.txt' && ! 'x' == 'y' ]]"],
    ["cat *.none", "'cat' '*.none'"],
    ["# nothing", ":"],
  ])("%s", (command, script) => {
    expect(rebuilt(command)).toBe(script);
  });

  test("with the programs that were judged", () => {
    const result = rebuild("ls | head; echo", "/p", {
      roots: ["/p"],
      exclusion: () => [],
      home: "/h",
      disk,
      repository: () => guardGit(null),
    });
    expect(result.ok && result.script).toStartWith(
      "hash -p '/usr/bin/ls' 'ls'; hash -p '/usr/bin/head' 'head'; 'ls'",
    );
  });
});

describe("is not rebuilt", () => {
  test.each([
    "cd sub && cat *",
    "cd sub; ls -*",
    "cat odd/*",
    "cat [z-a]*",
    "ls && cd sub; cat a.txt",
    "cd nope && ls",
    "cd - && ls",
    "for PATH in x; do ls; done",
    "x=1; ls",
    "ls &",
    "cat $x",
    `echo \${HOME:0:1}`,
    "while true; do ls; done",
    "f() { ls; }; f",
    ": {PATH}<a.txt",
    "cat <<E\n\\$HOME\nE",
    "sh -c 'echo \"a\\tb\"'",
    "fish -c ls",
    "builtin eval ls",
    "timeout 5 sh -c ls",
    "timeout $(echo 5) ls",
    "[[ $x == y ]]",
    "[[ a == b* ]]",
    "echo $'\\xff'",
    "printf '%ln' PATH",
    "rm a.txt",
  ])("%s", (command) => {
    expect(rebuilt(command)).toStartWith("not rebuilt: ");
  });
});
