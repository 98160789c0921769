// What git would run because a repository's own configuration says so, and how it is switched off for one call. Which
// keys are in force is read from git's own listing. Harmless keys are listed here; with a key that is neither harmless
// nor can be switched off, the person is asked. The person's own configuration stays in force.
import { resolve } from "node:path";

export interface GitGuard {
  /** Variables that switch keys off. */
  readonly variables: Readonly<Record<string, string>>;
  /** The repository names programs that show differences. Only options can switch them off. */
  readonly diffPrograms: boolean;
  readonly submodules: boolean;
}

export type GitSafety =
  | { readonly safe: true; readonly guard: GitGuard }
  | { readonly safe: false; readonly why: string };

/** Whatever a repository says, and also where it has no key for it, such as a hook that is simply there. */
const ALWAYS: readonly (readonly [key: string, value: string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["log.showSignature", "false"],
  ["diff.submodule", "short"],
  // Without this, `git diff` would write the index.
  ["diff.autoRefreshIndex", "false"],
  ["status.submoduleSummary", "false"],
  ["submodule.recurse", "false"],
  // A folder of a project that looks like a repository itself is not taken for one.
  ["safe.bareRepository", "explicit"],
];

/** For every git that runs unasked. */
export const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  // Without this, `git status` would write the index.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PAGER: "cat",
  ...settings(ALWAYS, 0),
};

const MAX_SWITCHED_OFF = 100;

/** `listing` is what `git config --list --show-scope -z` printed; null if git failed or took too long. */
export function guardGit(listing: string | null): GitSafety {
  if (listing === null)
    return { safe: false, why: "git can't tell what this repository's configuration says" };
  const entries = [...readListing(listing)];
  // Git before 2.31 doesn't look at these variables.
  if (!entries.some(({ scope, key }) => scope === "command" && key === "core.hookspath"))
    return { safe: false, why: "this git is too old to keep a repository's programs from running" };
  const own = new Map(entries.filter(({ scope }) => isPersons(scope)).map(({ key, value }) => [key, value]));
  const repository = entries.filter(({ scope }) => !isPersons(scope) && scope !== "command");
  // Git takes no folder for a repository that only looks like one, and an older git may see it differently.
  if (repository.length === 0)
    return { safe: false, why: "git finds no repository with a configuration here" };
  const off = new Map<string, string>();
  let diffPrograms = false;
  let submodules = false;
  for (const { key } of repository) {
    submodules ||= /^submodule\..*\.(url|active)$/.test(key);
    if (isHarmless(key)) continue;
    const instead = own.get(key) ?? SWITCHED_OFF.find(([pattern]) => pattern.test(key))?.[1];
    if (instead !== undefined) off.set(key, instead);
    else if (DIFF_PROGRAM.test(key)) diffPrograms = true;
    else
      return { safe: false, why: `this repository's configuration sets ${key}, which git may run or read` };
  }
  if (off.size > MAX_SWITCHED_OFF || listing.includes("\ufffd"))
    return { safe: false, why: "this repository's configuration is too odd to be switched off" };
  const variables = off.size === 0 ? {} : settings([...off], ALWAYS.length);
  return { safe: true, guard: { variables, diffPrograms, submodules } };
}

/** For git that also writes, such as a checkout or a merge: it starts nothing that outlives it, and stashes nothing. */
const WRITING: readonly (readonly [key: string, value: string])[] = [
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["merge.autoStash", "false"],
  ["rerere.enabled", "false"],
  ["color.ui", "false"],
];

/** In a folder that the person trusts, its own filters and merge drivers run; hooks don't. */
export function guardWritingGit(
  listing: string | null,
  trusted: boolean,
): (GitSafety & { readonly safe: false }) | WritingGuard {
  if (trusted) {
    const variables = { ...settings(WRITING, ALWAYS.length), GIT_NO_LAZY_FETCH: "0" };
    return { safe: true, variables, filtersOff: false };
  }
  const read = guardGit(listing);
  if (!read.safe) return read;
  // A driver that does nothing would drop one side without a word; one that fails leaves a conflict.
  const drivers = [...readListing(listing ?? "")]
    .filter(({ scope, key }) => !isPersons(scope) && /^merge\..*\.driver$/.test(key))
    .map(({ key }) => [key, "false"] as const);
  const { variables } = read.guard;
  const first = Number(variables["GIT_CONFIG_COUNT"] ?? ALWAYS.length);
  const filtersOff = Object.values(variables).some((key) => key.startsWith("filter."));
  return {
    safe: true,
    variables: { ...variables, ...settings([...WRITING, ...drivers], first) },
    filtersOff,
  };
}

interface WritingGuard {
  readonly safe: true;
  readonly variables: Readonly<Record<string, string>>;
  /** Files that a filter of this repository makes stay as git stores them. */
  readonly filtersOff: boolean;
}

/** Git takes settings from variables with numbers. They win over every file. */
function settings(
  pairs: readonly (readonly [key: string, value: string])[],
  first: number,
): Record<string, string> {
  const variables = pairs.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(first + pairs.length), ...Object.fromEntries(variables) };
}

interface Entry {
  readonly scope: string;
  /** The section and the name are in lower case. */
  readonly key: string;
  readonly value: string;
}

/** What git obeys outside .git: a folder with hooks, and further configuration. `root` is the top folder. */
export function obeyedByGit(listing: string, root: string, home: string): readonly string[] {
  return [...readListing(listing)].flatMap(({ scope, key, value }) => {
    if (scope === "command" || value === "") return [];
    const path = value.replace(/^~(?=\/|$)/, () => home);
    if (key === "core.hookspath") return resolve(root, path);
    return /^include(if\..*)?\.path$/.test(key) ? resolve(root, ".git", path) : [];
  });
}

function* readListing(listing: string): Generator<Entry> {
  const fields = listing.split("\0");
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [key = "", ...value] = (fields[index + 1] ?? "").split("\n");
    yield { scope: fields[index] ?? "", key, value: value.join("\n") };
  }
}

function isPersons(scope: string): boolean {
  return scope === "global" || scope === "system";
}

const SWITCHED_OFF: readonly (readonly [key: RegExp, value: string])[] = [
  [/^filter\..*\.(clean|smudge|process)$/, ""],
  // It may be any file, and `git check-ignore -v` shows lines of it.
  [/^core\.excludesfile$/, ""],
  [/^filter\..*\.required$/, "false"],
  [/^diff\..*\.cachetextconv$/, "false"],
  [/^credential\.(.*\.)?helper$/, ""],
  [/^(core\.(editor|sshcommand|askpass|gitproxy)|sequence\.editor|gpg\.(.*\.)?program)$/, "false"],
  [/^remote\..*\.(uploadpack|receivepack|proxy)$/, "false"],
];
const DIFF_PROGRAM = /^diff\.(external|.*\.(textconv|command))$/;

/** Sections whose keys neither run anything nor show a file from elsewhere, in a command that only reads. */
const HARMLESS_SECTIONS =
  /^(user|author|branch|init|pull|push|fetch|rebase|gc|color|column|advice|status|maintenance|pack|pager|alias|submodule|receive|transfer|merge|commit|tag|help|gui|index|feature|rerere|stash|github|gitlab|vscode|include|includeif|http|url)\./;
const HARMLESS_KEYS = new Set(
  (
    "core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.symlinks " +
    "core.precomposeunicode core.autocrlf core.eol core.safecrlf core.quotepath core.abbrev core.untrackedcache " +
    "core.preloadindex core.longpaths core.protecthfs core.protectntfs core.sparsecheckout core.commentchar " +
    "core.sparsecheckoutcone core.commitgraph core.multipackindex core.trustctime core.checkstat core.whitespace " +
    "core.bigfilethreshold core.compression core.fscache core.hidedotfiles " +
    "diff.renames diff.algorithm diff.colormoved diff.noprefix diff.mnemonicprefix " +
    "log.date log.decorate log.abbrevcommit lfs.repositoryformatversion " +
    "extensions.objectformat extensions.worktreeconfig extensions.refstorage extensions.noop " +
    `extensions.compatobjectformat ${ALWAYS.map(([key]) => key.toLowerCase()).join(" ")}`
  ).split(" "),
);
const HARMLESS_PATTERNS = [
  /^remote\.(.*\.)?(url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|skipfetchall|gh-resolved|pushdefault|followremotehead)$/,
  /^lfs\..*\.(access|locksverify)$/,
  /^diff\..*\.(binary|funcname|xfuncname|wordregex|algorithm)$/,
];

function isHarmless(key: string): boolean {
  return (
    HARMLESS_KEYS.has(key) ||
    HARMLESS_SECTIONS.test(key) ||
    HARMLESS_PATTERNS.some((pattern) => pattern.test(key))
  );
}
