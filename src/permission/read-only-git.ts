// Git commands that only read, each with the options that keep it so, while what the repository's configuration would
// run is switched off. Left out: everything that contacts a remote, `-c`, a pager, an external diff, signatures (gpg).
import { absolute } from "./act.ts";
import { type Split, splitArguments } from "./arguments.ts";
import { type ExclusionGround, mayShowContents, withoutForbidden } from "./git-exclusion.ts";
import type { GitGuard, GitSafety } from "./git-repository.ts";
import { foldersAbove } from "./project-path.ts";
import { mayDoMore, type PathUse, type ReadOnlyAnswer } from "./read-only-answer.ts";

interface GitCommand {
  /** In the notation of flagTable. */
  readonly flags: string;
  /** Arguments other than options are allowed only together with one of these. */
  readonly onlyWith?: readonly string[];
  /** The first argument is a pattern. Otherwise, all are revisions and paths. */
  readonly pattern?: boolean;
  /** The first argument has to be one of these. */
  readonly verbs?: readonly string[];
  /** It looks for changes in submodules, which starts a git in each of them. */
  readonly submodules?: boolean;
  /** It shows differences, with programs that the configuration names. */
  readonly diffs?: boolean;
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

function git(flags: string, more: Omit<GitCommand, "flags"> = {}): GitCommand {
  return { flags, ...more };
}

export const READ_ONLY_GIT: Readonly<Record<string, GitCommand>> = {
  status: git(
    "-s -b -v -z -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignored? " +
      "--column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --ignore-submodules?",
    { submodules: true },
  ),
  diff: git(`${DIFF} --cached --staged --merge-base`, { submodules: true, diffs: true }),
  log: git(LOG, { diffs: true }),
  show: git(LOG, { diffs: true }),
  reflog: git(LOG, { verbs: ["show", "exists"], diffs: true }),
  shortlog: git(
    "-s -n -e -c -w? --summary --numbered --email --group= --since= --until= --after= --before= --no-merges --merges --all --author=",
  ),
  blame: git(
    "-L= -b -c -e -f -l -n -p -s -t -w -M? -C? --root --show-name --show-number --show-email --porcelain " +
      "--line-porcelain --since= --date= --abbrev? --color-lines --color-by-age --first-parent --ignore-rev=",
    { diffs: true },
  ),
  "rev-list": git(
    "-n# -# --count --all --max-count# --skip# --since= --until= --after= --before= --author= --grep= --merges " +
      "--no-merges --first-parent --left-right --reverse --branches? --tags? --remotes? --parents --objects --abbrev-commit",
  ),
  "rev-parse": git(
    "-q --quiet --verify --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix " +
      "--show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir " +
      "--is-bare-repository --is-shallow-repository --all --branches? --tags? --remotes? --revs-only --no-revs",
  ),
  "merge-base": git("-a --all --is-ancestor --octopus --fork-point"),
  "name-rev": git("--tags --name-only --refs= --always"),
  describe: git(
    "--tags --all --long --always --abbrev? --match= --exclude= --exact-match --contains --first-parent --candidates#",
  ),
  "ls-files": git(
    "-c -d -m -o -i -s -u -k -z -t -v -x= --cached --deleted --modified --others --ignored --stage --unmerged " +
      "--killed --exclude= --exclude-standard --full-name --error-unmatch --abbrev? --eol --deduplicate --directory --no-empty-directory",
  ),
  "ls-tree": git(
    "-d -r -t -l -z --name-only --name-status --full-name --full-tree --long --abbrev? --object-only",
  ),
  "cat-file": git("-t -s -p -e"),
  grep: git(
    "-n -i -I -w -l -L -c -E -F -G -P -v -h -H -o -q -p -W -z -e= -m# -A# -B# -C# -# --line-number --ignore-case --word-regexp " +
      "--files-with-matches --files-without-match --name-only --count --extended-regexp --fixed-strings --perl-regexp " +
      "--invert-match --only-matching --quiet --show-function --function-context --heading --break --cached --column " +
      "--full-name --max-depth# --max-count# --color? --no-color --text -a --and --or --not --all-match",
    { pattern: true },
  ),
  branch: git(`${REFERENCES} -a -r -v --all --remotes --verbose --show-current --abbrev? --no-abbrev`, {
    onlyWith: ["-l", "--list"],
  }),
  tag: git(`${REFERENCES} -n?`, { onlyWith: ["-l", "--list"] }),
  "for-each-ref": git(`${REFERENCES} --count#`),
  "show-ref": git("--head --heads --branches --tags --hash? --abbrev? -s? -d -q --quiet --verify"),
  remote: git("-v --verbose --all --push", { verbs: ["get-url"] }),
  stash: git(`${DIFF} --oneline`, { verbs: ["list", "show"], diffs: true }),
  worktree: git("-v --porcelain -z", { verbs: ["list"] }),
  "check-ignore": git("-q -v -n -z --quiet --verbose --non-matching --no-index"),
  config: git("--get --get-all --local --global --system", { onlyWith: ["--get", "--get-all"] }),
  "count-objects": git("-v -H", { onlyWith: [] }),
  version: git("--build-options", { onlyWith: [] }),
};

const GLOBAL_FLAGS = /^(--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/;
/** These commands write unless they are given one of their verbs. */
const NEEDS_VERB = /^(stash|worktree)$/;
/** Keys whose values are no secret. */
const TOLD_KEY =
  /^(user|init|core|branch|remote|pull|push|fetch|merge|rebase|commit|tag|color|status|log|diff)\.(?!.*(header|token|pass|secret|key|proxy))/i;
/** These formats check a signature, which runs gpg. */
const SIGNATURE = /%G|%\((signature|contents:signature|.*signature)/i;

interface GitGround extends ExclusionGround {
  readonly repository: (folder: string) => GitSafety;
  readonly roots: readonly string[];
}

export function readOnlyGit(
  words: readonly string[],
  folders: ReadonlySet<string>,
  ground: GitGround,
): ReadOnlyAnswer {
  const answer = answerFor(words, folders, ground);
  if (answer.harmless || !mayShowContents(words)) return answer;
  const isForbidden = [...folders].some((folder) => ground.exclusion(folder)?.length !== 0);
  return isForbidden ? { ...answer, readsUnknown: "history" } : answer;
}

function answerFor(
  words: readonly string[],
  folders: ReadonlySet<string>,
  ground: GitGround,
): ReadOnlyAnswer {
  let places = [...folders];
  let index = 0;
  for (; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "-C") {
      const target = words[++index] ?? "";
      places = places.map((folder) => absolute(target, folder));
    } else if (!GLOBAL_FLAGS.test(word)) break;
  }
  // It always reads the repository it runs in.
  const uses: PathUse[] = places.map((path) => ({ path, extent: "names" }));
  const [name = "", ...rest] = words.slice(index);
  if (name === "--version" && rest.length === 0) return { harmless: true, uses };
  const command = Object.hasOwn(READ_ONLY_GIT, name) ? READ_ONLY_GIT[name] : undefined;
  if (command === undefined) return mayDoMore(`git ${name} isn't one of git's commands that only read`);
  const [first = ""] = rest;
  const verb = command.verbs?.includes(first) ?? false;
  if (NEEDS_VERB.test(name) && !verb) return mayDoMore(`git ${name} ${first} may change something`);
  const given = verb ? rest.slice(1) : rest;
  const split = splitArguments(given, command.flags);
  if (!split.ok) return mayDoMore(`git ${name} ${split.problem} isn't on the list of harmless options`);
  const problem = problemOf(name, command, split, verb);
  if (problem !== null) return mayDoMore(problem);
  const { options, positionals } = split;
  const patterns = command.pattern === true && !options.some(({ flag }) => flag === "-e") ? 1 : 0;
  const lines = options.flatMap(({ flag, value }) => (flag === "-L" && value?.includes(":") ? [value] : []));
  for (const folder of places)
    for (const word of [...positionals.slice(patterns), ...lines])
      for (const path of pathsOf(word, folder, ground.roots)) uses.push({ path, extent: "file" });
  const before = words.slice(0, index + (verb ? 2 : 1));
  const flags: string[] = [];
  let variables: GitGuard["variables"] = {};
  let shown: readonly string[] = given;
  for (const folder of places) {
    const safety = ground.repository(folder);
    const added = safety.safe ? guardFlags(name, command, options, safety.guard) : safety.why;
    if (!safety.safe || typeof added === "string") return { ...mayDoMore(String(added)), uses };
    flags.splice(0, flags.length, ...added);
    variables = safety.guard.variables;
    const excluding = withoutForbidden({ name, before, given, split, patterns, folder }, ground);
    if (excluding === null)
      return { ...mayDoMore(`git ${name} may show files that a rule forbids to read`), uses };
    shown = excluding;
  }
  return { harmless: true, uses, guarded: { words: ["git", ...before, ...flags, ...shown], variables } };
}

type SplitGit = Extract<Split, { ok: true }>;

/** Why these arguments may do more than read, or null. */
function problemOf(name: string, command: GitCommand, split: SplitGit, verb: boolean): string | null {
  const { options, positionals, mixed } = split;
  // For `git config`, an option after the key is a value to write.
  if (command.onlyWith !== undefined && mixed) return `git ${name} may take an option for a value`;
  // Git's parsers disagree about which options take the next word, so a value that looks like an option may be one.
  const swallowed = options.find(({ value }) => value?.startsWith("-"));
  if (swallowed !== undefined)
    return `git ${name} ${swallowed.flag} ${swallowed.value} can be read in two ways`;
  if (options.some(({ value }) => value !== null && SIGNATURE.test(value)))
    return "the format checks signatures";
  if (name === "config" && !TOLD_KEY.test(positionals[0] ?? ""))
    return "git config may change something, or show a secret";
  if (command.verbs !== undefined && !verb && positionals.length > 0)
    return `git ${name} ${positionals[0]} may change something`;
  if (positionals.some((word) => /^:[(!/^]/.test(word)))
    return `git ${name} with pathspec magic isn't understood`;
  const mayHaveArguments = options.some(({ flag }) => command.onlyWith?.includes(flag));
  const isTold = name === "config" && positionals.length === 1;
  if (command.onlyWith !== undefined && positionals.length > 0 && !mayHaveArguments && !isTold)
    return `git ${name} with arguments may change something`;
  return null;
}

/** The options that switch off what the repository would run, or why they aren't enough. */
function guardFlags(
  name: string,
  command: GitCommand,
  options: SplitGit["options"],
  { diffPrograms, submodules }: GitGuard,
): readonly string[] | string {
  const shownInStatus = name === "status" && options.some(({ flag }) => /^-v$|^--verbose$/.test(flag));
  if (diffPrograms && shownInStatus) return "this repository's configuration names a program that git runs";
  const flags = diffPrograms && command.diffs === true ? ["--no-ext-diff", "--no-textconv"] : [];
  if (command.submodules !== true) return flags;
  const ignored = options.find(({ flag }) => flag === "--ignore-submodules");
  if (ignored === undefined && submodules)
    return "this repository has submodules, whose own configuration git would follow";
  // Not every submodule is in the configuration.
  if (ignored === undefined) return [...flags, "--ignore-submodules=dirty"];
  return /^(all|dirty)$/.test(ignored.value ?? "all") ? flags : "git would look into submodules";
}

/**
 * `HEAD:secret.key` and `:secret.key` name a file after the colon, from the top of the repository on, which is somewhere
 * between here and the project's root. A plain revision passes as a harmless path.
 */
function pathsOf(word: string, folder: string, roots: readonly string[]): readonly string[] {
  const colon = word.lastIndexOf(":");
  if (colon < 0) return [absolute(word, folder)];
  // A file's own name may have a colon in it.
  const named = foldersAbove(folder, roots).map((place) => absolute(word.slice(colon + 1), place));
  return [absolute(word, folder), absolute(word.slice(colon + 1), folder), ...named];
}
