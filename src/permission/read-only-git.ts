// Git commands that only read, with the options under which that is so, in a repository whose configuration
// runs nothing. Not here: anything that talks to a remote, `-c`, a pager, an external diff, signatures (gpg).
import { isAbsolute, join } from "node:path";
import { type FlagTable, flagTable, splitArguments } from "./arguments.ts";
import type { PermissionDisk } from "./disk.ts";
import { gitDanger } from "./git-repository.ts";
import { mayDoMore, type PathUse, type ReadOnlyAnswer } from "./read-only-answer.ts";

interface GitCommand {
  readonly flags: FlagTable;
  /** Arguments that are no options: revisions and paths; only with one of these options; or none. */
  readonly positionals: "revisions" | "pattern-paths" | "none" | { readonly onlyWith: readonly string[] };
  /** The first argument must be one of these. */
  readonly verbs?: readonly string[];
  /** It compares the files themselves, and looks into submodules. */
  readonly worktree?: boolean;
}

const DIFF =
  "-p -u -U# -s -z -R -a -b -w -W -M? -C? -B? -q --patch --no-patch --unified# --raw --stat? --numstat --shortstat " +
  "--dirstat? --summary --compact-summary --name-only --name-status --color? --no-color --color-moved? --word-diff? " +
  "--word-diff-regex= --color-words? --no-renames --find-renames? --find-copies? --full-index --binary --abbrev? " +
  "--diff-filter= -S= -G= --pickaxe-all --pickaxe-regex --relative? --text --ignore-space-change --check " +
  "--ignore-all-space --ignore-blank-lines --ignore-space-at-eol --ignore-cr-at-eol --function-context --exit-code " +
  "--quiet --no-ext-diff --no-textconv --no-prefix --src-prefix= --dst-prefix= --minimal --patience --histogram " +
  "--diff-algorithm= --inter-hunk-context# --ignore-submodules? --indent-heuristic -l#";

const LOG =
  `${DIFF} -n# -# -i -E -F -P -c -m -t -r -g -L= --max-count# --skip# --since= --until= --after= --before= --author= ` +
  "--committer= --grep= --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --merges " +
  "--no-merges --first-parent --all --branches? --tags? --remotes? --exclude= --reverse --oneline --graph --decorate? " +
  "--no-decorate --decorate-refs= --pretty? --format? --abbrev-commit --no-abbrev-commit --date= --relative-date " +
  "--follow --topo-order --date-order --author-date-order --left-right --cherry-pick --cherry-mark --cherry --boundary " +
  "--full-history --simplify-merges --simplify-by-decoration --ancestry-path? --parents --children --source --cc " +
  "--no-notes --notes? --no-walk? --walk-reflogs --root --full-diff --not --no-mailmap --log-size --merge-base";

const REFERENCES =
  "-l --list --sort= --format= --contains= --no-contains= --merged? --no-merged? --points-at= --color? --no-color " +
  "--column? --no-column -i --ignore-case";

export const READ_ONLY_GIT: Readonly<Record<string, GitCommand>> = {
  status: {
    flags: flagTable(
      "-s -b -v -z -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignored? " +
        "--column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --ignore-submodules?",
    ),
    positionals: "revisions",
    worktree: true,
  },
  diff: {
    flags: flagTable(`${DIFF} --cached --staged --merge-base`),
    positionals: "revisions",
    worktree: true,
  },
  log: { flags: flagTable(LOG), positionals: "revisions" },
  show: { flags: flagTable(LOG), positionals: "revisions" },
  reflog: { flags: flagTable(LOG), positionals: "revisions", verbs: ["show", "exists"] },
  shortlog: {
    flags: flagTable(
      "-s -n -e -c -w? --summary --numbered --email --group= --since= --until= --after= --before= --no-merges --merges --all --author=",
    ),
    positionals: "revisions",
  },
  blame: {
    flags: flagTable(
      "-L= -b -c -e -f -l -n -p -s -t -w -M? -C? --root --show-name --show-number --show-email --porcelain " +
        "--line-porcelain --since= --date= --abbrev? --color-lines --color-by-age --first-parent --ignore-rev=",
    ),
    positionals: "revisions",
  },
  "rev-list": {
    flags: flagTable(
      "-n# -# --count --all --max-count# --skip# --since= --until= --after= --before= --author= --grep= --merges " +
        "--no-merges --first-parent --left-right --reverse --branches? --tags? --remotes? --parents --objects --abbrev-commit",
    ),
    positionals: "revisions",
  },
  "rev-parse": {
    flags: flagTable(
      "-q --quiet --verify --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix " +
        "--show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir " +
        "--is-bare-repository --is-shallow-repository --all --branches? --tags? --remotes? --revs-only --no-revs",
    ),
    positionals: "revisions",
  },
  "merge-base": {
    flags: flagTable("-a --all --is-ancestor --octopus --fork-point"),
    positionals: "revisions",
  },
  "name-rev": { flags: flagTable("--tags --name-only --refs= --always"), positionals: "revisions" },
  describe: {
    flags: flagTable(
      "--tags --all --long --always --abbrev? --match= --exclude= --exact-match --contains --first-parent --candidates#",
    ),
    positionals: "revisions",
  },
  "ls-files": {
    flags: flagTable(
      "-c -d -m -o -i -s -u -k -z -t -v -x= --cached --deleted --modified --others --ignored --stage --unmerged " +
        "--killed --exclude= --exclude-standard --full-name --error-unmatch --abbrev? --eol --deduplicate --directory --no-empty-directory",
    ),
    positionals: "revisions",
    worktree: true,
  },
  "ls-tree": {
    flags: flagTable(
      "-d -r -t -l -z --name-only --name-status --full-name --full-tree --long --abbrev? --object-only",
    ),
    positionals: "revisions",
  },
  "cat-file": { flags: flagTable("-t -s -p -e"), positionals: "revisions" },
  grep: {
    flags: flagTable(
      "-n -i -I -w -l -L -c -E -F -G -P -v -h -H -o -q -p -W -z -e= -m# -A# -B# -C# -# --line-number --ignore-case --word-regexp " +
        "--files-with-matches --files-without-match --name-only --count --extended-regexp --fixed-strings --perl-regexp " +
        "--invert-match --only-matching --quiet --show-function --function-context --heading --break --cached --column " +
        "--full-name --max-depth# --max-count# --color? --no-color --text -a --and --or --not --all-match",
    ),
    positionals: "pattern-paths",
  },
  branch: {
    flags: flagTable(`${REFERENCES} -a -r -v --all --remotes --verbose --show-current --abbrev? --no-abbrev`),
    positionals: { onlyWith: ["-l", "--list"] },
  },
  tag: { flags: flagTable(`${REFERENCES} -n?`), positionals: { onlyWith: ["-l", "--list"] } },
  "for-each-ref": { flags: flagTable(`${REFERENCES} --count#`), positionals: "revisions" },
  "show-ref": {
    flags: flagTable("--head --heads --branches --tags --hash? --abbrev? -s? -d -q --quiet --verify"),
    positionals: "revisions",
  },
  remote: { flags: flagTable("-v --verbose --all --push"), positionals: "revisions", verbs: ["get-url"] },
  stash: { flags: flagTable(`${DIFF} --oneline`), positionals: "revisions", verbs: ["list", "show"] },
  worktree: { flags: flagTable("-v --porcelain -z"), positionals: "revisions", verbs: ["list"] },
  "check-ignore": {
    flags: flagTable("-q -v -n -z --quiet --verbose --non-matching --no-index"),
    positionals: "revisions",
  },
  "count-objects": { flags: flagTable("-v -H"), positionals: "none" },
  version: { flags: flagTable("--build-options"), positionals: "none" },
};

const GLOBAL_FLAGS = /^(--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/;
/** Verbs without which the command would write. */
const NEEDS_VERB = /^(stash|worktree)$/;
/** Formats that check a signature, which runs gpg. */
const SIGNATURE = /%G|%\((signature|contents:signature|.*signature)/i;

export function readOnlyGit(
  words: readonly string[],
  folders: ReadonlySet<string>,
  root: string,
  disk: PermissionDisk,
): ReadOnlyAnswer {
  let places = [...folders];
  const uses: PathUse[] = [];
  let index = 0;
  for (; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "-C") {
      const target = words[++index] ?? "";
      places = places.map((folder) => (isAbsolute(target) ? target : join(folder, target)));
    } else if (!GLOBAL_FLAGS.test(word)) break;
  }
  // Whatever else it reads, it reads the repository it stands in.
  uses.push(...places.map((path) => ({ path, extent: "names" as const })));
  const [name = "", ...rest] = words.slice(index);
  if (name === "--version" && rest.length === 0) return { harmless: true, uses };
  const command = Object.hasOwn(READ_ONLY_GIT, name) ? READ_ONLY_GIT[name] : undefined;
  if (command === undefined) return mayDoMore(`git ${name} isn't one of git's commands that only read`);
  const [first = ""] = rest;
  const verb = command.verbs?.includes(first) ?? false;
  if (NEEDS_VERB.test(name) && !verb) return mayDoMore(`git ${name} ${first} may change something`);
  const split = splitArguments(verb ? rest.slice(1) : rest, command.flags);
  if (!split.ok) return mayDoMore(`git ${name} ${split.problem} isn't on the list of harmless options`);
  const { options, positionals } = split;
  // Git's own parsers disagree about which options take the next word; one that looks like an option may be one.
  const swallowed = options.find(({ value }) => value?.startsWith("-"));
  if (swallowed !== undefined)
    return mayDoMore(`git ${name} ${swallowed.flag} ${swallowed.value} can be read in two ways`);
  if (options.some(({ value }) => value !== null && SIGNATURE.test(value)))
    return mayDoMore("the format checks signatures");
  if (command.verbs !== undefined && !verb && positionals.length > 0)
    return mayDoMore(`git ${name} ${positionals[0]} may change something`);
  const unfit = unfitPositionals(name, command, positionals, options);
  if (unfit !== null) return mayDoMore(unfit);
  const worktree = command.worktree === true && !options.some(isWithoutSubmodules);
  for (const folder of places) {
    const danger = gitDanger(folder, root, worktree, disk);
    if (danger !== null) return mayDoMore(danger);
  }
  const paths = command.positionals === "pattern-paths" ? positionals.slice(1) : positionals;
  const lines = options.flatMap(({ flag, value }) => (flag === "-L" && value?.includes(":") ? [value] : []));
  for (const folder of places)
    for (const word of [...paths, ...lines]) uses.push({ path: pathOf(word, folder), extent: "file" });
  return { harmless: true, uses };
}

function unfitPositionals(
  name: string,
  { positionals: kind }: GitCommand,
  positionals: readonly string[],
  options: readonly { readonly flag: string }[],
): string | null {
  if (positionals.some((word) => /^:[(!/^]/.test(word)))
    return `git ${name} with pathspec magic isn't read closely enough`;
  if (positionals.length === 0 || kind === "revisions" || kind === "pattern-paths") return null;
  if (kind !== "none" && options.some(({ flag }) => kind.onlyWith.includes(flag))) return null;
  return `git ${name} with arguments may change something`;
}

function isWithoutSubmodules({
  flag,
  value,
}: {
  readonly flag: string;
  readonly value: string | null;
}): boolean {
  return flag === "--ignore-submodules" && (value === null || value === "all");
}

/** `HEAD:secret.key` and `:secret.key` name a file after the colon; a plain revision looks like a harmless path. */
function pathOf(word: string, folder: string): string {
  const path = word.slice(word.lastIndexOf(":") + 1);
  return isAbsolute(path) ? path : join(folder, path);
}
