// Commands with options of every kind, for each program that may run unasked: those in its table, bundled, shortened,
// with values that look like options or files, those that its own help lists, and words in any order. The tables are
// what the trust rests on, so each is tried against the real program.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { flagTable } from "../../src/permission/arguments.ts";
import { READ_ONLY_GIT } from "../../src/permission/read-only-git.ts";
import { READ_ONLY } from "../../src/permission/read-only-table.ts";

const WORDS =
  "a.txt b.txt sub . - -- -p -o out -oout --output=out -delete -exec --pre=bash @a.txt 1 5 +2 -1 1,3 x 'a b' '' / .. " +
  "-c -i -n -f -d -O -w -T. --help --version alpha '%s' '%n' +%Y ':' HEAD main src deep certificates .env link-out " +
  "../CANARY/secret folder-out '*' ';' '{}' '(' ')' '!' = -e -z --files0-from=a.txt";
const word = fc.constantFrom(...(WORDS.match(/'[^']*'|\S+/g) ?? []));

/** What the program itself says it understands. */
function ownOptions(name: string, args: readonly string[]): readonly string[] {
  const { stdout = "", stderr = "" } = spawnSync(name, args, {
    encoding: "utf8",
    timeout: 5_000,
    input: "",
    env: { PATH: "/usr/bin:/bin", GIT_PAGER: "cat", MANPAGER: "cat", HOME: "/nonexistent" },
  });
  const found = `${stdout}\n${stderr}`.match(/(?<![\w-])--?[A-Za-z0-9][\w-]*/g) ?? [];
  return [...new Set(found)].filter((option) => !/^--?(help|version)$/.test(option)).slice(0, 200);
}

function commandWith(name: string, notation: string, own: readonly string[]): fc.Arbitrary<string> {
  const table = [...flagTable(notation)].map(([flag, kind]) => ({
    flag: flag === "-#" ? "-3" : flag,
    kind,
  }));
  const short = table
    .filter(({ flag, kind }) => /^-.$/.test(flag) && kind === "")
    .map(({ flag }) => flag.slice(1));
  const listed = fc
    .tuple(
      fc.constantFrom(...(table.length === 0 ? [{ flag: "", kind: "" as const }] : table)),
      fc.oneof(
        { weight: 2, arbitrary: fc.constantFrom("2", "x", "a.txt", "1") },
        { weight: 1, arbitrary: word },
      ),
      fc.constantFrom("joined", "apart", "bare", "short"),
    )
    .map(([{ flag, kind }, value, way]) => {
      if (way === "short" && flag.startsWith("--")) return flag.slice(0, Math.max(3, flag.length - 2));
      if (kind === "" || way === "bare") return flag;
      if (way === "apart" && kind !== "?") return `${flag} ${value}`;
      return flag.startsWith("--") ? `${flag}=${value}` : `${flag}${value}`;
    });
  const bundled = fc
    .array(fc.constantFrom(...(short.length === 0 ? ["x"] : short)), { minLength: 2, maxLength: 4 })
    .map((letters) => `-${letters.join("")}`);
  const option = fc.oneof(
    { weight: 8, arbitrary: listed },
    { weight: 2, arbitrary: bundled },
    { weight: 1, arbitrary: own.length === 0 ? fc.constant("") : fc.constantFrom(...own) },
  );
  const file = fc.constantFrom(
    name.endsWith("config") ? "user.name" : "a.txt",
    "a.txt",
    "a.txt",
    "b.txt",
    "sub",
    "deep",
    ".",
  );
  return fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: option },
        { weight: 3, arbitrary: file },
        { weight: 1, arbitrary: word },
      ),
      { maxLength: 6 },
    )
    .map((words) => [name, ...words].filter((each) => each !== "").join(" "));
}

const FIND =
  "-amin# -anewer= -atime# -cmin# -empty -executable -fstype= -iname= -ipath= -lname= -links# -mmin# -mtime# -name= " +
  "-newer= -path= -perm= -regex= -samefile= -size= -type= -user= -xtype= -maxdepth# -mindepth# -depth -follow -xdev " +
  "-print -print0 -prune -quit -ls -printf= -not -a -o -H -L -P -O1 -E -s -exec= -fprint= -delete -ok= -fls= " +
  "-newermt= -files0-from= -D=";
const SED =
  "-n -E -r -s -u -z -e= --quiet --expression= --null-data -i -f= --in-place --posix --debug -l# --sandbox";
const SED_SCRIPTS =
  "p 1p '1,2p' '$=' 's/a/b/' 's/a/b/w out' 's/a/id/e' '1e' 'w out' '1,2w out' 's|a|b|gp' '/alpha/p' '/a;w out/p' " +
  "'s/a/b/;w out' 'r .env' 'R link-out' 'y/a/b/' '1!G;h' 's/[/]/w out/' '/[/]w out/p' '1p;5p' 'p;e id' 's/a/\\n/;p' " +
  "'a\\' '1i x' 'F' 'W out' '{p}' 's,a\\,b,c,' 'q' 'q5' '1~2p' '/a/I,+1p' 's/a/b/m' 's/a/b/2'";
const JQ =
  "-r -c -s -S -e -n -R -j -a -C -M --tab --arg= -f= -L= --slurpfile= --rawfile= --args --seq --indent#";
const JQ_FILTERS =
  ". '.name' 'keys' 'env' '$ENV' '$ENV.PATH' 'input_filename' 'include \"a\"; .' 'import \"a\" as a; .' '[.[]?]' " +
  "'length' '$__loc__' 'inputs' 'input' 'debug' '\"\\(env)\"' 'limit(1;.)' 'getpath([\"env\"])' 'halt_error' " +
  "'@sh' 'ltrimstr(\"a\")' '$__prog_args' 'get_search_list' 'modulemeta' 'stderr' 'tojson' 'now' 'splits(\"a\")'";

const AWK =
  "'{print $1}' 'NR==1' '{print > \"out\"}' '{print|\"id\"}' 'BEGIN{system(\"id\")}' '/a/{print}' '$1 > \"out\"' " +
  "'/[/ \"]/ > \"x\"' '{while((getline x < \"link-out\")>0)print x}' 'END{print NR}' '{s+=$1} END {print s}' " +
  "'{print $1 / 2 > \"out\" / 3}' 'BEGIN{ARGV[1]=\".env\"}' '{print ENVIRON[\"PATH\"]}' '@include \"a\"' " +
  "'{print $NF, length($0)}' '{printf \"%s\\n\", $1}' 'NR>1 && /b/ {print NR \": \" $0}' '{a[$1]++}' '$1~/a/' " +
  "'{print toupper($1)}' '{print -$1}' '{print ($1>2)}' 'NR%2' '!/a/' '/\\//{print}' '{close(\"x\")}' '1;{print >> \"out\"}'";
const EXEC =
  "'-exec cat {} +' '-exec grep -l a {} ;' '-exec wc -l {} ;' '-exec head -1 {} +' '-exec rm {} ;' '-execdir cat {} ;' " +
  "'-exec sh -c id {} ;' '-exec ls -la {} +' '-exec cat {}x ;' '-exec touch out ;' '-exec cat {} ; -delete' " +
  "'-exec file {} +' '-exec stat {} ;' '-exec env cat {} ;' '-exec tail -n1 {} ; -exec wc {} +' '-exec grep -r a {} +'";

/** Name of a program -> commands. Only of programs that are installed. */
export function optionCommands(): Readonly<Record<string, fc.Arbitrary<string>>> {
  const installed = Object.entries(READ_ONLY).filter(
    ([name, { builtin }]) => builtin === true || spawnSync("which", [name]).status === 0,
  );
  const entries = installed.map(([name, { flags, builtin }]): [string, fc.Arbitrary<string>] => [
    name,
    commandWith(name, flags, builtin === true ? [] : ownOptions(name, ["--help"])),
  ]);
  const git = Object.entries(READ_ONLY_GIT).flatMap(([name, { flags, verbs = [] }]) => {
    const own = ownOptions("git", [name, "-h"]);
    // Without a verb, these two write.
    const starts = /^(stash|worktree)$/.test(name) ? verbs : ["", ...verbs];
    return starts.map((verb): [string, fc.Arbitrary<string>] => {
      const command = `git -C repositories/touched ${name} ${verb}`.trim();
      return [command, commandWith(command, flags, own)];
    });
  });
  const scripted = (name: string, notation: string, scripts: string): [string, fc.Arbitrary<string>] => [
    name,
    fc
      .tuple(
        commandWith(name, notation, ownOptions(name, ["--help"])),
        fc.constantFrom(...(scripts.match(/'[^']*'|\S+/g) ?? [])),
        fc.constantFrom("a.txt", "", "b.txt sub/a.txt", "-- a.txt", "a.txt -i"),
      )
      .map(([command, script, files]) => `${command} ${script} ${files}`.trim()),
  ];
  return Object.fromEntries([
    ...entries,
    ...git,
    ["find", commandWith("find", FIND, ownOptions("find", ["--help"]))],
    [
      "find -exec",
      fc
        .tuple(
          fc.constantFrom("", "-type f", "-name '*.txt'", "-type f -not -name x", "-maxdepth 2", "-type l"),
          fc.constantFrom(...(EXEC.match(/'[^']*'/g) ?? [])),
          fc.constantFrom("sub", "deep", "sub deep", "-L sub", "evil", "f", "certificates", "odd"),
        )
        .map(([tests, run, start]) => `find ${start} ${tests} ${run.slice(1, -1).replaceAll(";", "\\;")}`),
    ],
    scripted("awk", "-F= -v= -f=", AWK),
    scripted("sed", SED, SED_SCRIPTS),
    scripted("jq", JQ, JQ_FILTERS),
  ]);
}
