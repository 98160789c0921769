// What a command may reach inside the sandbox, by the rules in force when it starts and those of this one run.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isWithin, realPath } from "../base/real-path.ts";
import { boundFiles } from "../permission/bound-files.ts";
import { type PermissionContext, rulesInForce } from "../permission/context.ts";
import { obeyedByGit } from "../permission/git-repository.ts";
import { parseRules } from "../permission/rules.ts";
import type { SandboxReach } from "../permission/sandboxed-command.ts";
import { isKnownCache, mayBeOpened } from "../permission/way-out-folder.ts";
import type { ExtraReach } from "../tools/ports.ts";
import { sandboxHosts } from "./permit.ts";

export function sandboxReach(current: PermissionContext, extra?: ExtraReach): SandboxReach {
  const { rules } = parseRules(extra?.rules ?? [], "allow", "session", current.vocabulary);
  const context = { ...current, rules: [...current.rules, ...rules] };
  const { home, workspace, addedFolders = [] } = context;
  const { unreadable, unwritable } = boundFiles(context);
  const opened = openedFolders(context);
  return {
    root: workspace.root,
    home,
    writableFolders: [...addedFolders, ...opened],
    caches: opened.filter((folder) => isKnownCache(folder, context)),
    addedFolders,
    ...sandboxHosts(context),
    unreadable,
    unwritable: [...unwritable, ...hookFolders(context)],
  };
}

/** Hooks run outside, with the next commit. */
function hookFolders({ disk, home, workspace: { root } }: PermissionContext): readonly string[] {
  if (disk.kindOf(join(root, ".git")) === null) return [];
  return obeyedByGit(disk.gitConfiguration(root) ?? "", root, home).filter((path) => isWithin(path, root));
}

/** The folders outside the project that rules like `write(~/.npm/_cacache/**)` open. */
function openedFolders(context: PermissionContext): readonly string[] {
  const { home, workspace, disk } = context;
  const folders = rulesInForce(context).flatMap(({ verdict, subject }) => {
    if (verdict !== "allow" || subject.type !== "path" || subject.access !== "write") return [];
    const folder = /^([~/].*?)(\/\*\*)?$/.exec(subject.pattern ?? "")?.[1];
    return folder === undefined || !subject.reachesShell ? [] : [folder.replace(/^~/, () => home)];
  });
  return [...new Set(folders)].flatMap((folder) => {
    const real = realPath(folder, disk);
    if (real === null || isWithin(real, workspace.root) || !mayBeOpened(real, context)) return [];
    if (disk.kindOf(real) === null && isKnownCache(real, context)) makeFolder(real);
    return disk.kindOf(real) === "folder" ? [real] : [];
  });
}

/** A folder that can't be made stays closed, and the command says so. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // On a full or read-only disk.
  }
}
