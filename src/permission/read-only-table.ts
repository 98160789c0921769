// Commands that only read, each with the options that keep it so. Any other command or option needs a question.
//
// Left out on purpose: less, more and man (they run other programs), awk (runs commands, writes files), sed beyond
// printing, env and printenv (they show keys), xargs (unknown arguments), tee and dd (they write), tac and `sort -m`
// (they use a temporary file), `sort -o`, `--compress-program` and `-T`, `hostname` with options that use the network,
// `rg --pre`, `-z` and `--hostname-bin`, `diff -l` (runs pr), `file -z` and `-C`, `tail --pid` and `-f` (never end),
// `date -s`, `tree -o`, `uniq IN OUT`, `xxd IN OUT`, and `--files0-from` (its files don't appear in the command).
import { type FlagTable, flagTable } from "./arguments.ts";

/** What the arguments other than options mean. */
type Positionals =
  /** They are printed or ignored, so even unknown words are harmless. */
  | "anything"
  | "text"
  /** Files to read. */
  | "files"
  /** Paths whose names and dates are shown, but not their content. */
  | "names"
  /** A pattern, then files. */
  | "pattern-files"
  | "none";

export interface ReadOnlyCommand {
  readonly flags: FlagTable;
  readonly positionals: Positionals;
  /** The most positionals it may have. */
  readonly most?: number;
  /** With one of these, the first positional is a file, not a pattern. */
  readonly patternFlags?: readonly string[];
  /** With one of these, it reads everything below the given folders, including hidden files. */
  readonly treeFlags?: readonly string[] | "always";
  /** Options whose values are globs of the files it reads. */
  readonly includeFlags?: readonly string[];
  /** How it reads a folder without treeFlags. */
  readonly extent?: "visible";
  /** Without a path, it reads the working directory. */
  readonly readsFolder?: boolean;
  readonly builtin?: boolean;
}

const GREP =
  "-E -F -G -P -i -v -w -x -c -l -L -n -h -H -o -q -s -r -R -a -I -b -Z -z -T -e= -f< -m# -A# -B# -C# -# " +
  "--extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match " +
  "--word-regexp --line-regexp --count --files-with-matches --files-without-match --line-number --no-filename " +
  "--with-filename --only-matching --quiet --silent --no-messages --recursive --dereference-recursive --text " +
  "--byte-offset --null --null-data --initial-tab --line-buffered --regexp= --file< --max-count# " +
  "--after-context# --before-context# --context# --color? --colour? --include= --exclude= --exclude-dir= " +
  "--binary-files= --label=";

const RIPGREP =
  "-i -S -s -v -w -x -c -l -n -N -o -q -a -F -P -U -u -L -. -0 -p -H -I -h -b -e= -f< -g= -t= -T= -m# -A# -B# -C# -d# -M# -r= -j# " +
  "--ignore-case --smart-case --case-sensitive --invert-match --word-regexp --line-regexp --count " +
  "--count-matches --files-with-matches --files-without-match --files --line-number --no-line-number " +
  "--only-matching --quiet --text --fixed-strings --pcre2 --multiline --multiline-dotall --hidden --no-ignore " +
  "--no-ignore-vcs --follow --no-heading --heading --pretty --vimgrep --json --column --no-column --stats --trim " +
  "--no-messages --null --with-filename --no-filename --regexp= --file< --glob= --iglob= --type= --type-not= " +
  "--type-list --max-count# --after-context# --before-context# --context# --max-depth# --max-columns# " +
  "--max-filesize= --replace= --threads# --color= --colors= --sort= --sortr= --no-config --unrestricted " +
  "--passthru --crlf --block-buffered --line-buffered --byte-offset --max-columns-preview --context-separator= " +
  "--encoding= --engine= --one-file-system";

const LS =
  "-a -A -b -c -C -d -D -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T# -u -U -v -w# -x -X -Z -1 " +
  "-I= --all --almost-all --author --block-size= --classify? --color? --directory --dired --full-time " +
  "--group-directories-first --human-readable --si --inode --indicator-style= --file-type --format= --hide= " +
  "--hyperlink? --ignore= --kibibytes --literal --no-group --numeric-uid-gid --quote-name --quoting-style= " +
  "--recursive --reverse --show-control-chars --size --sort= --time= --time-style= --width# --zero";

export const READ_ONLY: Readonly<Record<string, ReadOnlyCommand>> = {
  // Text.
  echo: { flags: flagTable("-n -e -E"), positionals: "anything", builtin: true },
  printf: { flags: flagTable(""), positionals: "anything", builtin: true },
  true: { flags: flagTable(""), positionals: "anything", builtin: true },
  false: { flags: flagTable(""), positionals: "anything", builtin: true },
  ":": { flags: flagTable(""), positionals: "anything", builtin: true },
  seq: { flags: flagTable("-w -s= -f="), positionals: "text" },
  basename: { flags: flagTable("-a -s= -z --multiple --suffix="), positionals: "text" },
  dirname: { flags: flagTable("-z"), positionals: "text" },
  sleep: { flags: flagTable(""), positionals: "text" },

  // Names, sizes and dates.
  pwd: { flags: flagTable("-L -P"), positionals: "none", builtin: true },
  cd: { flags: flagTable(""), positionals: "names", most: 1, builtin: true },
  ls: { flags: flagTable(LS), positionals: "names", readsFolder: true },
  dir: { flags: flagTable(LS), positionals: "names", readsFolder: true },
  stat: {
    flags: flagTable("-L -f -t -c= -x --dereference --file-system --terse --format= --printf="),
    positionals: "names",
  },
  du: {
    flags: flagTable(
      "-a -b -c -d# -h -H -k -l -L -m -P -s -S -x --all --apparent-size --bytes --total --max-depth# " +
        "--human-readable --summarize --si --one-file-system --exclude= --time? --threshold= -t=",
    ),
    positionals: "names",
    readsFolder: true,
  },
  df: {
    flags: flagTable(
      "-a -h -H -i -k -l -P -T -t= -x= --all --human-readable --inodes --local --total --output?",
    ),
    positionals: "names",
  },
  tree: {
    flags: flagTable(
      "-a -d -f -x -L# -P= -I= -i -q -N -p -u -g -s -h -D -F -v -t -c -U -r -n -C -J -A -S --noreport --dirsfirst --filesfirst " +
        "--prune --gitignore --du --si --inodes --device --sort= --matchdirs --ignore-case --charset= --filelimit#",
    ),
    positionals: "names",
    readsFolder: true,
  },
  realpath: {
    flags: flagTable("-e -m -L -P -q -s -z --relative-to= --relative-base= --canonicalize-existing --strip"),
    positionals: "names",
  },
  readlink: { flags: flagTable("-f -e -m -n -q -s -v -z --canonicalize"), positionals: "names" },
  test: { flags: flagTable(""), positionals: "text", builtin: true },
  which: { flags: flagTable("-a -s"), positionals: "text" },
  type: { flags: flagTable("-a -t -p -P -f"), positionals: "text", builtin: true },
  command: { flags: flagTable("-v -V"), positionals: "text", builtin: true },

  // The machine.
  date: {
    flags: flagTable("-u -R -I? -d= --utc --universal --rfc-email --rfc-3339= --iso-8601? --date="),
    positionals: "text",
  },
  uname: { flags: flagTable("-a -s -n -r -v -m -p -i -o --all"), positionals: "none" },
  arch: { flags: flagTable(""), positionals: "none" },
  nproc: { flags: flagTable("--all --ignore#"), positionals: "none" },
  whoami: { flags: flagTable(""), positionals: "none" },
  id: { flags: flagTable("-u -g -G -n -r -z"), positionals: "text" },
  groups: { flags: flagTable(""), positionals: "text" },
  hostname: { flags: flagTable("-s"), positionals: "none" },
  uptime: { flags: flagTable("-p -s"), positionals: "none" },

  // Content.
  cat: {
    flags: flagTable(
      "-A -b -e -E -n -s -t -T -u -v --show-all --number --number-nonblank --squeeze-blank --show-ends --show-tabs",
    ),
    positionals: "files",
  },
  rev: { flags: flagTable(""), positionals: "files" },
  nl: { flags: flagTable("-b= -d= -f= -h= -i# -l# -n= -p -s= -v# -w#"), positionals: "files" },
  head: {
    flags: flagTable("-n# -c# -q -v -z -# --lines# --bytes# --quiet --silent --verbose"),
    positionals: "files",
  },
  tail: {
    flags: flagTable("-n# -c# -q -v -z -r -# --lines# --bytes# --quiet --silent --verbose"),
    positionals: "files",
  },
  wc: {
    flags: flagTable("-c -m -l -L -w --bytes --chars --lines --max-line-length --words"),
    positionals: "files",
  },
  cut: {
    flags: flagTable(
      "-b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= --only-delimited --complement --output-delimiter=",
    ),
    positionals: "files",
  },
  tr: {
    flags: flagTable("-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1"),
    positionals: "text",
  },
  sort: {
    flags: flagTable(
      "-b -d -f -g -i -M -h -n -R -r -V -c -C -s -u -z -k= -t= --ignore-leading-blanks --dictionary-order " +
        "--ignore-case --general-numeric-sort --month-sort --human-numeric-sort --numeric-sort --reverse --sort= " +
        "--version-sort --check? --key= --stable --field-separator= --unique --zero-terminated",
    ),
    positionals: "files",
  },
  uniq: {
    flags: flagTable(
      "-c -d -D -i -u -z -f# -s# -w# --count --repeated --unique --ignore-case --skip-fields# --skip-chars# --check-chars#",
    ),
    positionals: "files",
    most: 1,
  },
  paste: { flags: flagTable("-d= -s -z --delimiters= --serial"), positionals: "files" },
  join: {
    flags: flagTable("-a# -e= -i -j# -o= -t= -v# -1# -2# --header --nocheck-order --check-order"),
    positionals: "files",
    most: 2,
  },
  comm: { flags: flagTable("-1 -2 -3 -i -z --total --nocheck-order"), positionals: "files", most: 2 },
  fold: { flags: flagTable("-b -s -w#"), positionals: "files" },
  fmt: { flags: flagTable("-c -s -u -w# -t"), positionals: "files" },
  expand: { flags: flagTable("-i -t="), positionals: "files" },
  unexpand: { flags: flagTable("-a -t="), positionals: "files" },
  column: { flags: flagTable("-t -s= -x -c# -n"), positionals: "files" },
  diff: {
    flags: flagTable(
      "-a -b -B -c -C# -d -e -E -i -I= -n -N -p -q -r -s -t -T -u -U# -w -W# -x= -y -Z --text --brief --unified? --context? " +
        "--side-by-side --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --recursive " +
        "--new-file --report-identical-files --minimal --color? --exclude= --strip-trailing-cr --suppress-common-lines --width#",
    ),
    positionals: "files",
    most: 2,
    treeFlags: "always",
  },
  cmp: {
    flags: flagTable("-b -i= -l -n# -s --print-bytes --silent --quiet --verbose"),
    positionals: "files",
  },
  file: {
    flags: flagTable("-b -i -L -h -N -r -0 --brief --mime --mime-type --mime-encoding"),
    positionals: "files",
  },
  strings: { flags: flagTable("-a -f -n# -t= -w --all --bytes# --radix="), positionals: "files" },
  od: { flags: flagTable("-A= -t= -N# -j# -v -w? -c -x -b -d -o"), positionals: "files" },
  hexdump: { flags: flagTable("-b -c -C -d -o -x -v -n# -s#"), positionals: "files" },
  xxd: { flags: flagTable("-a -b -c# -e -g# -i -l# -p -s# -u"), positionals: "files", most: 1 },
  base64: { flags: flagTable("-d -i -w# --decode --wrap#"), positionals: "files" },
  md5sum: { flags: flagTable("-b -t -z --tag"), positionals: "files" },
  sha1sum: { flags: flagTable("-b -t -z --tag"), positionals: "files" },
  sha256sum: { flags: flagTable("-b -t -z --tag"), positionals: "files" },
  sha512sum: { flags: flagTable("-b -t -z --tag"), positionals: "files" },
  cksum: { flags: flagTable(""), positionals: "files" },
  grep: grepCommand(["-r", "-R", "--recursive", "--dereference-recursive"]),
  egrep: grepCommand(["-r", "-R", "--recursive"]),
  fgrep: grepCommand(["-r", "-R", "--recursive"]),
  rg: {
    flags: flagTable(RIPGREP),
    positionals: "pattern-files",
    patternFlags: ["-e", "--regexp", "-f", "--file", "--files", "--type-list"],
    extent: "visible",
    includeFlags: ["-g", "--glob", "--iglob"],
    treeFlags: ["-u", "-.", "--unrestricted", "--hidden", "--no-ignore", "--no-ignore-vcs", "-L", "--follow"],
    readsFolder: true,
  },
};

function grepCommand(treeFlags: readonly string[]): ReadOnlyCommand {
  return {
    flags: flagTable(GREP),
    positionals: "pattern-files",
    patternFlags: ["-e", "--regexp", "-f", "--file"],
    includeFlags: ["--include"],
    treeFlags,
  };
}
