// Which simple commands are known to delete, overwrite, rewrite history or publish, by their words. Inside the sandbox
// these are asked about, while programs whose effect isn't known, such as tests and builds, run without a question.
import { basename, join } from "node:path";
import {
  type EffectGround,
  hasOption,
  type KnownEffect,
  operandsOf,
  optionValues,
  programOf,
} from "./effect.ts";
import { findEffect } from "./find-effect.ts";
import { gitEffect } from "./git-effects.ts";
import { publishingEffect } from "./publishing-effects.ts";
import { readOnlySed } from "./read-only-special.ts";
import type { KnownWord } from "./rule-match.ts";
import { unwrap } from "./shell-wrapper.ts";

/** The words of a program that starts another one may be that program's, so they are tried from every word on. */
export function knownEffect(words: readonly KnownWord[], ground: EffectGround): KnownEffect | null {
  const own = effectOf(words, ground);
  if (own !== null || programOf(words) === "git") return own;
  if (handlesPackages(words)) return null;
  const startsAny = unwrap(words) !== null;
  for (let index = 1; index < words.length; index++) {
    const name = basename(words[index] ?? "");
    const isStart = startsAny || (NESTED.test(name) && !SUBCOMMANDS.test(name));
    const found = isStart ? effectOf(words.slice(index), ground) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Programs that are also words of other programs, as in `pip install x` and `npm version patch`. */
const SUBCOMMANDS = /^(install|patch)$/;
const PACKAGE_MANAGERS = /^(npm|pnpm|yarn|bun|pip[\d.]*|uv|poetry|pdm|cargo|gem|composer)$/;
const PACKAGE_VERBS = /^(i|ci|install|add|remove|rm|uninstall|update|upgrade)$/;

/** What follows are names of packages, which may be those of programs, as in `npm install rimraf x`. */
function handlesPackages(words: readonly KnownWord[]): boolean {
  const [verb] = words.slice(1);
  return PACKAGE_MANAGERS.test(programOf(words)) && PACKAGE_VERBS.test(verb ?? "");
}

const DELETERS = /^(rm|rmdir|unlink|shred|srm|wipe|trash|trash-put|rimraf|wipefs|blkdiscard|mkfs(\..*)?)$/;
/** They replace a file by a packed or unpacked one. */
const PACKERS = /^(gzip|gunzip|bzip2|bunzip2|xz|unxz|lzma|unlzma|lzip|compress|uncompress)$/;
const KEEPING = ["--stdout", "--keep", "--test", "--list"];
const KEEPING_LETTERS = "cktl";
const OVERWRITERS = /^(tee|truncate|sponge|fallocate)$/;
const COPIERS = /^(cp|mv|install|ln|rsync|ditto)$/;
/** They change the files that they are given, with these options or always. */
const EDITORS: readonly (readonly [program: RegExp, option: RegExp | null])[] = [
  [/^g?sed$/, /^-[nErsuz]*i|^--i/],
  [/^(perl|ruby)[\d.]*$/, /^-[acflnpstuwSTUWX\d]*i/],
  [/^[gm]?awk$/, /^(-i|--include=?)?inplace$/],
  [/^(ed|ex|vi|vim|nvim|patch|rename|prename|mmv|sponge|dos2unix|unix2dos)$/, null],
  [/^(prettier|gofmt|goimports|gofumpt|shfmt|biome)$/, /^(-[a-z]*w|--write)$/],
  [/^(eslint|ruff|stylelint|rubocop|standard)$/, /^(--fix.*|format|-[aA]|--autocorrect.*)$/],
  [/^(clang-format|autopep8|yapf)$/, /^(-[a-z]*i|--in-place)$/],
];
const NESTED = new RegExp(
  `${DELETERS.source}|${OVERWRITERS.source}|${COPIERS.source}|^(git|dd|g?sed|perl|find|patch|sort|scp|ssh|curl|twine|npm|pnpm|yarn|cargo|gem|docker|podman|gh|glab|kubectl|helm|terraform|aws|gcloud)$`,
);

function effectOf(words: readonly KnownWord[], ground: EffectGround): KnownEffect | null {
  const [, ...rest] = words;
  const name = programOf(words);
  if (name === "git") return gitEffect(rest, ground);
  if (name.startsWith("git-")) return gitEffect([name.slice("git-".length), ...rest], ground);
  return publishingEffect(name, rest) ?? fileEffect(name, rest, ground);
}

function fileEffect(name: string, rest: readonly KnownWord[], ground: EffectGround): KnownEffect | null {
  const operands = operandsOf(rest);
  const changes = (paths: readonly KnownWord[]) => overwrites(there(paths, ground));
  if (DELETERS.test(name)) return operands.length === 0 ? null : deletes(operands);
  if (PACKERS.test(name)) return hasOption(rest, KEEPING, KEEPING_LETTERS) ? null : changes(operands);
  if (OVERWRITERS.test(name)) return changes(operands);
  if (COPIERS.test(name)) return copying(name, rest, operands, ground);
  if (name === "dd") return changes(rest.flatMap(outputOf));
  if (name === "find") return findEffect(rest, ground);
  if (name === "tar" && hasOption(rest, ["--remove-files"])) return deletes(operands);
  if (/^(uniq|xxd)$/.test(name)) return changes(operands.slice(1).slice(-1));
  const [, option] = EDITORS.find(([program]) => program.test(name)) ?? [];
  if (option === null) return overwrites([null]);
  if (option !== undefined && rest.some((word) => word !== null && option.test(word))) {
    const effect = changes(operands);
    return effect && { ...effect, isSelective: true };
  }
  if (/^g?sed$/.test(name) && mayWrite(rest)) return overwrites([null]);
  if (name === "curl" && hasOption(rest, ["--remote-name"], "O"))
    return changes(operands.map((address) => address && basename(address)));
  const output = OUTPUT_OPTIONS.find(([program]) => program.test(name));
  return output === undefined ? null : changes(optionValues(rest, output[1], output[2]));
}

const OUTPUT_OPTIONS: readonly (readonly [program: RegExp, long: string, short: string])[] = [
  [/^(sort|curl)$/, "--output", "o"],
  [/^wget$/, "--output-document", "O"],
];

/** A script of sed that isn't understood and may hold one of the commands `w`, `W` and `e`. */
function mayWrite(rest: readonly KnownWord[]): boolean {
  const isHarmless = readOnlySed(rest.filter((word) => word !== null)).harmless;
  return !isHarmless && rest.some((word) => word === null || /[wWe]/.test(word));
}

function outputOf(word: KnownWord): readonly KnownWord[] {
  if (word === null) return [null];
  return word.startsWith("of=") ? [word.slice("of=".length)] : [];
}

function copying(
  name: string,
  rest: readonly KnownWord[],
  operands: readonly KnownWord[],
  ground: EffectGround,
): KnownEffect | null {
  if (name === "rsync" && hasOption(rest, ["--remove-source-files"])) return deletes(operands);
  if (name === "rsync" && hasOption(rest, ["--delete-before", "--delete-excluded"]))
    return deletes(operands.slice(-1));
  // Without -f, it fails where something is.
  if (name === "ln" && !hasOption(rest, ["--force", "--interactive"], "fi")) return null;
  const named = optionValues(rest, "--target-directory", "t");
  const into = name === "rsync" || named.length === 0 ? operands.slice(-1) : named;
  const sources = into === named ? operands : operands.slice(0, -1);
  // `ln -sf x` makes its link here.
  const [folder = null] = sources.length === 0 && name === "ln" ? ["."] : into;
  if (folder === null || operands.includes(null)) return overwrites([null]);
  const from = sources.length === 0 ? operands : sources;
  const replaced = overwrites(replacedIn(folder, name, from, rest, ground));
  if (name !== "mv" || !ground.isOutside(folder)) return replaced;
  // They are gone from the project.
  const what = `move ${shownTargets(from)} to ${folder}`;
  return { kind: "deletes", what, targets: [...from, folder, ...(replaced?.targets ?? [])] };
}

/** What is in the way of these in a folder, or is this file itself. */
function replacedIn(
  folder: string,
  name: string,
  from: readonly KnownWord[],
  rest: readonly KnownWord[],
  ground: EffectGround,
): readonly KnownWord[] {
  if (!ground.exists(folder)) return [];
  // A tree is merged with the one that is there.
  if (!ground.isFolder(folder) || name === "rsync") return [folder];
  const names = from.map((source) => basename(source ?? ""));
  if (names.some((each) => /^\.{0,2}$/.test(each)) || hasOption(rest, ["--no-target-directory"], "T"))
    return [folder];
  return there(
    names.map((each) => join(folder, each)),
    ground,
  );
}

/** Those at which something is, or may be. */
function there(paths: readonly KnownWord[], ground: EffectGround): readonly KnownWord[] {
  return paths.filter((path) => path === null || ground.exists(path));
}

function deletes(targets: readonly KnownWord[]): KnownEffect {
  return { kind: "deletes", what: `delete ${shownTargets(targets)}`, targets };
}

function overwrites(targets: readonly KnownWord[]): KnownEffect | null {
  if (targets.length === 0) return null;
  return { kind: "overwrites", what: `overwrite ${shownTargets(targets)}`, targets };
}

const MAX_SHOWN = 3;

function shownTargets(targets: readonly KnownWord[]): string {
  const known = targets.filter((target) => target !== null);
  if (known.length < targets.length || known.length === 0) return "files";
  const more = known.length > MAX_SHOWN ? ` and ${known.length - MAX_SHOWN} more` : "";
  return known.slice(0, MAX_SHOWN).join(", ") + more;
}
