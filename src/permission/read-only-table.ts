// Commands that only read, each with the options that keep it so. Any other command or option needs a question.
//
// Left out on purpose: less, more and man (they run other programs), awk and sed beyond printing, env and printenv (they show keys), xargs (unknown arguments), tee and dd (they write), tac and `sort -m`
// (they use a temporary file), `sort -o`, `--compress-program` and `-T`, `hostname` with options that use the network,
// `rg --pre`, `-z` and `--hostname-bin`, `diff -l` (runs pr), `file -z` and `-C`, `tail --pid` and `-f` (never end),
// `date -s`, `tree -o`, `uniq IN OUT`, `xxd IN OUT`, and `--files0-from` (its files don't appear in the command).
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
  /** In the notation of flagTable. */
  readonly flags: string;
  readonly positionals: Positionals;
  /** The most positionals it may have. */
  readonly most?: number;
  /** With one of these, the first positional is a file, not a pattern. */
  readonly patternFlags?: readonly string[];
  /** With one of these, it reads everything below the given folders, including hidden files. */
  readonly treeFlags?: readonly string[] | "always";
  /** Options whose values are globs of the files it reads. */
  readonly includeFlags?: readonly string[];
  /** With one of these, files that match none of the globs are read, too. */
  readonly openingFlags?: readonly string[];
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

const row =
  (positionals: Positionals) =>
  (flags: string, more: Partial<ReadOnlyCommand> = {}): ReadOnlyCommand => ({ flags, positionals, ...more });
const anything = row("anything");
const text = row("text");
const files = row("files");
const names = row("names");
const nothing = row("none");

const grep = row("pattern-files")(GREP, {
  patternFlags: ["-e", "--regexp", "-f", "--file"],
  includeFlags: ["--include"],
  openingFlags: ["--exclude"],
  treeFlags: ["-r", "-R", "--recursive", "--dereference-recursive"],
});
const checksum = files("-b -t -z --tag");

export const READ_ONLY: Readonly<Record<string, ReadOnlyCommand>> = {
  // Text.
  echo: anything("-n -e -E", { builtin: true }),
  printf: anything("", { builtin: true }),
  true: anything("", { builtin: true }),
  false: anything("", { builtin: true }),
  ":": anything("", { builtin: true }),
  seq: text("-w -s= -f="),
  basename: text("-a -s= -z --multiple --suffix="),
  dirname: text("-z"),
  sleep: text(""),

  // Names, sizes and dates.
  pwd: nothing("-L -P", { builtin: true }),
  cd: names("", { most: 1, builtin: true }),
  ls: names(LS, { readsFolder: true, treeFlags: ["-L"] }),
  dir: names(LS, { readsFolder: true, treeFlags: ["-L"] }),
  stat: names("-L -f -t -c= -x --dereference --file-system --terse --format= --printf="),
  du: names(
    "-a -b -c -d# -h -H -k -l -L -m -P -s -S -x --all --apparent-size --bytes --total --max-depth# " +
      "--human-readable --summarize --si --one-file-system --exclude= --time? --threshold= -t=",
    { readsFolder: true, treeFlags: ["-L"] },
  ),
  // It opens what it is given.
  df: files("-a -h -H -i -k -l -P -T -t= -x= --all --human-readable --inodes --local --total --output?"),
  tree: names(
    "-a -d -f -x -L# -P= -I= -i -q -N -p -u -g -s -h -D -F -v -t -c -U -r -n -C -J -A -S --noreport --dirsfirst --filesfirst " +
      "--prune --gitignore --du --si --inodes --device --sort= --matchdirs --ignore-case --charset= --filelimit#",
    { readsFolder: true },
  ),
  realpath: names("-e -m -L -P -q -s -z --relative-to= --relative-base= --canonicalize-existing --strip"),
  readlink: names("-f -e -m -n -q -s -v -z --canonicalize"),
  test: text("", { builtin: true }),
  which: text("-a -s"),
  type: text("-a -t -p -P -f", { builtin: true }),
  command: text("-v -V", { builtin: true }),

  // The machine.
  date: text("-u -R -I? -d= --utc --universal --rfc-email --rfc-3339= --iso-8601? --date="),
  uname: nothing("-a -s -n -r -v -m -p -i -o --all"),
  arch: nothing(""),
  nproc: nothing("--all --ignore#"),
  whoami: nothing(""),
  id: text("-u -g -G -n -r -z"),
  groups: text(""),
  hostname: nothing("-s"),
  uptime: nothing("-p -s"),

  // Content.
  cat: files(
    "-A -b -e -E -n -s -t -T -u -v --show-all --number --number-nonblank --squeeze-blank --show-ends --show-tabs",
  ),
  rev: files(""),
  nl: files("-b= -d= -f= -h= -i# -l# -n= -p -s= -v# -w#"),
  head: files("-n# -c# -q -v -z -# --lines# --bytes# --quiet --silent --verbose"),
  tail: files("-n# -c# -q -v -z -r -# --lines# --bytes# --quiet --silent --verbose"),
  wc: files("-c -m -l -L -w --bytes --chars --lines --max-line-length --words"),
  cut: files(
    "-b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= --only-delimited --complement --output-delimiter=",
  ),
  tr: text("-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1"),
  sort: files(
    "-b -d -f -g -i -M -h -n -R -r -V -c -C -s -u -z -k= -t= --ignore-leading-blanks --dictionary-order " +
      "--ignore-case --general-numeric-sort --month-sort --human-numeric-sort --numeric-sort --reverse --sort= " +
      "--version-sort --check? --key= --stable --field-separator= --unique --zero-terminated",
  ),
  uniq: files(
    "-c -d -D -i -u -z -f# -s# -w# --count --repeated --unique --ignore-case --skip-fields# --skip-chars# --check-chars#",
    { most: 1 },
  ),
  paste: files("-d= -s -z --delimiters= --serial"),
  join: files("-a# -e= -i -j# -o= -t= -v# -1# -2# --header --nocheck-order --check-order", { most: 2 }),
  comm: files("-1 -2 -3 -i -z --total --nocheck-order", { most: 2 }),
  fold: files("-b -s -w#"),
  fmt: files("-c -s -u -w# -t"),
  expand: files("-i -t="),
  unexpand: files("-a -t="),
  column: files("-t -s= -x -c# -n"),
  diff: files(
    "-a -b -B -c -C# -d -e -E -i -I= -n -N -p -q -r -s -t -T -u -U# -w -W# -x= -y -Z --text --brief --unified? --context? " +
      "--side-by-side --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --recursive " +
      "--new-file --report-identical-files --minimal --color? --exclude= --strip-trailing-cr --suppress-common-lines --width#",
    { most: 2, treeFlags: "always" },
  ),
  cmp: files("-b -i= -l -n# -s --print-bytes --silent --quiet --verbose"),
  file: files("-b -i -L -h -N -r -0 --brief --mime --mime-type --mime-encoding"),
  strings: files("-a -f -n# -t= -w --all --bytes# --radix="),
  od: files("-A= -t= -N# -j# -v -w? -c -x -b -d -o"),
  hexdump: files("-b -c -C -d -o -x -v -n# -s#"),
  xxd: files("-a -b -c# -e -g# -i -l# -p -s# -u", { most: 1 }),
  base64: files("-d -i -w# --decode --wrap#"),
  md5sum: checksum,
  sha1sum: checksum,
  sha256sum: checksum,
  sha512sum: checksum,
  cksum: files(""),
  grep,
  egrep: grep,
  fgrep: grep,
  rg: row("pattern-files")(RIPGREP, {
    patternFlags: ["-e", "--regexp", "-f", "--file", "--files", "--type-list"],
    extent: "visible",
    includeFlags: ["-g", "--glob", "--iglob"],
    treeFlags: ["-u", "-.", "--unrestricted", "--hidden", "--no-ignore", "--no-ignore-vcs", "-L", "--follow"],
    readsFolder: true,
  }),
};
