// What the words of a git command say about its effect. All that doesn't clearly only look writes .git, which can't be
// written inside the sandbox.
import { type EffectGround, hasOption, type KnownEffect, operandsOf, optionValues } from "./effect.ts";
import type { KnownWord } from "./rule-match.ts";

/** Whatever their options are, they write no more than a file that an option names. */
const LOOKS = new Set(
  (
    "status diff log show shortlog blame annotate rev-list rev-parse merge-base name-rev describe ls-files ls-tree " +
    "ls-remote cat-file grep for-each-ref show-ref show-branch check-ignore check-attr check-mailmap count-objects " +
    "version help var diff-tree diff-index diff-files range-diff cherry whatchanged archive verify-commit verify-tag " +
    "patch-id stripspace get-tar-commit-id merge-tree check-ref-format request-pull clone"
  ).split(" "),
);
/** They only look if nothing follows but options, or one of these words. */
const LOOKS_WITH: Readonly<Record<string, RegExp>> = {
  branch: /^$/,
  tag: /^$/,
  remote: /^(show|get-url)?$/,
  stash: /^(list|show)$/,
  worktree: /^list$/,
  reflog: /^(show|exists|list)?$/,
  submodule: /^(status|summary)?$/,
  bundle: /^(verify|list-heads)$/,
  notes: /^(list|show)?$/,
  config: /^(get|list)$/,
  bisect: /^(log|view|visualize)$/,
  lfs: /^(ls-files|status|env|version)$/,
};
const LISTING = [
  "--list",
  "--contains",
  "--merged",
  "--no-merged",
  "--points-at",
  "--get",
  "--get-all",
  "--get-regexp",
];
const CHANGING_OPTIONS = [
  "--delete",
  "--force",
  "--move",
  "--copy",
  "--edit",
  "--unset",
  "--add",
  "--replace-all",
  "--rename-section",
  "--set-upstream-to",
  "--track",
];
const CHANGING_FLAGS: Readonly<Record<string, string>> = {
  branch: "dDmMcCfut",
  tag: "asufdFme",
  config: "e",
};

/** Commits or work may get lost. */
const REWRITES =
  /^(reset|rebase|filter-branch|filter-repo|update-ref|symbolic-ref|gc|prune|prune-packed|repack|replace|rm|restore|checkout-index|read-tree|fast-import|maintenance|lfs)$/;
const GLOBAL_VALUES = /^(-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source)$/;
const NAMES_PROGRAM = /^(-c|--config-env|--exec-path)/;

export function gitEffect(words: readonly KnownWord[], ground: EffectGround): KnownEffect | null {
  let index = 0;
  for (; index < words.length; index++) {
    const word = words[index];
    if (word === undefined || word === null || !word.startsWith("-")) break;
    if (GLOBAL_VALUES.test(word)) index++;
  }
  const configured = words.slice(0, index).some((word) => word === null || NAMES_PROGRAM.test(word));
  const [verb, ...rest] = words.slice(index);
  if (verb === undefined) return configured ? UNCLEAR : null;
  if (verb === null) return repository("run a command that isn't known before it runs");
  const operands = operandsOf(rest);
  if (looks(verb, rest, operands)) {
    const outputs = [...optionValues(rest, "--output", verb === "archive" ? "o" : "\0")];
    const targets = outputs.filter((path) => path === null || ground.exists(path));
    if (targets.length > 0) return { kind: "overwrites", what: `overwrite ${targets.join(", ")}`, targets };
    return configured ? UNCLEAR : null;
  }
  if (verb === "clean") {
    const among = index === 0 && hasOption(rest, [], "xX") ? ignoredAmong(operands, ground) : [];
    return { kind: "deletes", what: "delete files that git doesn't know", targets: [null], among };
  }
  if (verb === "apply" && !hasOption(rest, ["--index", "--cached", "--3way"], "3"))
    return { kind: "overwrites", what: "overwrite the files that the patch names", targets: [null] };
  if (isPublishing(verb, operands))
    return { kind: "publishes", what: `publish with git ${verb}`, targets: [] };
  if (losesSomething(verb, rest, operands))
    return { kind: "history", what: `rewrite history or discard work with git ${verb}`, targets: [] };
  return repository(`write to the git repository with git ${verb}`);
}

/** Where `git clean` looks for ignored files. It never touches git's own. */
function ignoredAmong(operands: readonly KnownWord[], ground: EffectGround): readonly string[] {
  const named = operands.filter((path) => path !== null);
  return named.length > 0 ? named : ground.names().filter((name) => name !== ".git");
}

function isPublishing(verb: string, operands: readonly KnownWord[]): boolean {
  if (/^(push|send-email|send-pack|svn|p4|http-push|imap-send)$/.test(verb)) return true;
  return /^(lfs|subtree|annex)$/.test(verb) && operands.some((word) => word === null || word === "push");
}

const UNCLEAR: KnownEffect = {
  kind: "overwrites",
  what: "run git with a configuration that may name a program",
  targets: [null],
};

function repository(what: string): KnownEffect {
  return { kind: "repository", what, targets: [] };
}

function looks(verb: string, rest: readonly KnownWord[], operands: readonly KnownWord[]): boolean {
  // It runs a program.
  if (/^grep$/.test(verb) && hasOption(rest, ["--open-files-in-pager"], "O")) return false;
  if (LOOKS.has(verb)) return true;
  const allowed = Object.hasOwn(LOOKS_WITH, verb) ? LOOKS_WITH[verb] : undefined;
  if (allowed === undefined || operands.includes(null)) return false;
  const changing = CHANGING_FLAGS[verb];
  if (changing !== undefined) {
    if (hasOption(rest, CHANGING_OPTIONS, changing)) return false;
    if (hasOption(rest, LISTING, "l")) return true;
  }
  return allowed.test(operands[0] ?? "") || (verb === "config" && readsKey(rest, operands));
}

/** `git config user.name` */
function readsKey(rest: readonly KnownWord[], operands: readonly KnownWord[]): boolean {
  const [key] = operands;
  const options = rest.filter((word) => word !== key);
  return (
    operands.length === 1 &&
    /^[\w-]+\..*[\w-]$/.test(key ?? "") &&
    options.every((word) =>
      /^(--(global|local|system|worktree|null|bool|int|path|show-origin)|-z)$/.test(word ?? ""),
    )
  );
}

function losesSomething(verb: string, rest: readonly KnownWord[], operands: readonly KnownWord[]): boolean {
  if (REWRITES.test(verb)) return true;
  const [first] = operands;
  switch (verb) {
    case "commit":
      return hasOption(rest, ["--amend"]);
    case "checkout":
    case "switch":
      // With a path, or with a name that is also one, changes are discarded.
      return (
        (verb === "checkout" && !hasOption(rest, [], "b")) ||
        hasOption(rest, ["--force", "--discard-changes", "--force-create", "--merge"], "fBCm")
      );
    case "branch":
    case "tag":
      return hasOption(rest, ["--delete", "--force", "--move"], "dDmMfC");
    case "stash":
      return first === null || /^(drop|clear|pop)$/.test(first ?? "");
    case "reflog":
      return first === null || /^(expire|delete|drop)$/.test(first ?? "");
    case "pull":
      return hasOption(rest, ["--rebase", "--force"], "rf");
    case "fetch":
      return hasOption(rest, ["--prune", "--force", "--prune-tags"], "pPf");
    case "worktree":
    case "submodule":
    case "remote":
    case "notes":
      return first === null || /^(remove|rm|prune|deinit|foreach|rename|set-url)$/.test(first ?? "");
    default:
      return false;
  }
}
