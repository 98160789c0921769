// Tells whether git would run a program that the repository's configuration names. `git status` runs core.fsmonitor,
// `git diff` runs filters and textconv, a partial clone fetches. Harmless keys are listed; with any other key the
// person is asked. The person's own ~/.gitconfig is trusted and not read.
import { dirname, join, resolve } from "node:path";
import { isWithin, realPath } from "../base/real-path.ts";
import type { DiskView } from "./disk.ts";

/** Why git is not harmless in this folder, or null. `worktree` means that the command reads the worktree's files. */
export function gitDanger(folder: string, root: string, worktree: boolean, disk: DiskView): string | null {
  const start = realPath(folder, disk) ?? folder;
  for (let current = start; ; current = dirname(current)) {
    const found = repositoryAt(current, disk);
    if (found !== null) {
      const danger = found.bare
        ? `${current} looks like a bare repository, whose configuration git would follow`
        : repositoryDanger(current, found.folder, worktree, disk);
      if (danger !== null) return danger;
      // Git may reject what looks like a repository to us and continue upwards, so the folders above are checked, too.
      if (!isWithin(dirname(current), root)) return null;
    }
    if (current === "/") return null;
  }
}

function repositoryAt(folder: string, disk: DiskView): { folder: string; bare: boolean } | null {
  const inner = join(folder, ".git");
  if (looksLikeRepository(inner, disk)) return { folder: inner, bare: false };
  const pointer = disk.readFile(inner);
  const target = pointer === null ? undefined : /^gitdir:[ \t]*(.+?)[\r\n]*$/.exec(pointer)?.[1];
  if (target !== undefined) return { folder: resolve(folder, target), bare: false };
  return looksLikeRepository(folder, disk) ? { folder, bare: true } : null;
}

function looksLikeRepository(folder: string, disk: DiskView): boolean {
  const names = disk.listFolder(folder)?.map((entry) => entry.name.toLowerCase()) ?? [];
  return names.includes("head") && (names.includes("config") || names.includes("commondir"));
}

function repositoryDanger(top: string, folder: string, worktree: boolean, disk: DiskView): string | null {
  const shared = disk.readFile(join(folder, "commondir"))?.trim();
  const folders = shared === undefined ? [folder] : [folder, resolve(folder, shared)];
  const hookFolders = folders.map((each) => join(each, "hooks"));
  for (const each of folders) {
    for (const name of ["config", "config.worktree"]) {
      const text = disk.readFile(join(each, name));
      if (text === null) continue;
      for (const key of configKeys(text)) {
        if (key === null) return `${join(each, name)} can't be read`;
        if (key.name === "core.hookspath") hookFolders.push(resolve(top, key.value));
        else if (!isHarmless(key))
          return `this repository's configuration sets ${key.name}, which git may run`;
      }
    }
  }
  // Git runs this hook when a read-only command refreshes the index.
  if (hookFolders.some((hooks) => disk.readFile(join(hooks, "post-index-change")) !== null))
    return "this repository has a hook that runs when git looks at files";
  if (worktree && hasSubmodules(folder, disk))
    return "this repository has submodules, whose own configuration git would follow";
  return null;
}

interface ConfigKey {
  readonly name: string;
  readonly value: string;
}

/** Sections whose keys never run anything in a command that only reads. */
const HARMLESS_SECTIONS =
  /^(user|author|branch|init|pull|push|fetch|rebase|gc|color|column|advice|status|maintenance|pack|alias|submodule|receive|transfer|merge|commit|tag|help|gui|index|feature|rerere|pull|stash|github|gitlab|vscode)(\.|$)/;
const HARMLESS_KEYS = new Set(
  (
    "core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.symlinks " +
    "core.precomposeunicode core.autocrlf core.eol core.safecrlf core.quotepath core.abbrev core.untrackedcache " +
    "core.preloadindex core.longpaths core.protecthfs core.protectntfs core.sparsecheckout core.commentchar " +
    "core.sparsecheckoutcone core.commitgraph core.multipackindex core.trustctime core.checkstat core.whitespace " +
    "core.bigfilethreshold core.compression core.excludesfile core.fscache core.hidedotfiles " +
    "diff.renames diff.algorithm diff.colormoved diff.noprefix diff.mnemonicprefix " +
    "log.date log.decorate log.abbrevcommit blame.ignorerevsfile lfs.repositoryformatversion " +
    "extensions.objectformat extensions.worktreeconfig extensions.refstorage extensions.noop extensions.compatobjectformat"
  ).split(" "),
);
const HARMLESS_REMOTE_KEYS =
  /^remote\.(.*\.)?(url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|skipfetchall|gh-resolved|pushdefault|followremotehead)$/;

function isHarmless({ name, value }: ConfigKey): boolean {
  if (name === "core.fsmonitor") return value === "false";
  return HARMLESS_KEYS.has(name) || HARMLESS_REMOTE_KEYS.test(name) || HARMLESS_SECTIONS.test(name);
}

/** Keys with their sections in lower case; null for a line that isn't understood. */
function* configKeys(text: string): Generator<ConfigKey | null> {
  let section = "";
  for (const line of text.replace(/^\u00ef\u00bb\u00bf/, "").split(/\r?\n/)) {
    let rest = line.trim();
    const header = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/.exec(rest);
    if (header !== null) {
      section = `${header[1]}${header[2] === undefined ? "" : `.${header[2]}`}`.toLowerCase();
      // A key may follow on the same line.
      rest = rest.slice(header[0].length);
    }
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const key = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest);
    // A trailing backslash continues the value on the next line.
    if (key === null || rest.endsWith("\\")) yield null;
    else yield { name: `${section}.${key[1]?.toLowerCase()}`, value: key[2]?.trim() ?? "" };
  }
}

/** The index marks a submodule with mode 160000: four bytes at a fixed offset in an entry aligned to eight bytes. */
function hasSubmodules(folder: string, disk: DiskView): boolean {
  const names = disk.listFolder(folder)?.map((entry) => entry.name) ?? [];
  return names
    .filter((name) => name === "index" || name.startsWith("sharedindex."))
    .some((name) => {
      const index = disk.readFile(join(folder, name)) ?? "";
      const aligned = index.charCodeAt(7) < 4;
      for (let at = index.indexOf(GITLINK_MODE); at >= 0; at = index.indexOf(GITLINK_MODE, at + 1))
        if (!aligned || (at - FIRST_MODE) % 8 === 0) return true;
      return false;
    });
}

const GITLINK_MODE = "\x00\x00\xe0\x00";
/** The mode follows the header of 12 bytes and the entry's times, device and inode. */
const FIRST_MODE = 12 + 24;
