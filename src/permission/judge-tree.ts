// Searches a folder for secrets and forbidden files, because a command that reads everything below it would read
// them. The search is limited: of a tree that is too large, nothing is known.
import { basename, join, resolve } from "node:path";
import { NOT_UTF8, realPath, realPaths } from "../base/real-path.ts";
import { createWildcard } from "../base/wildcard.ts";
import { ruleWithSource } from "../domain/permission.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import type { FolderEntry } from "./disk.ts";
import { INSTALLED, isObeyed, isSecret } from "./guarded-paths.ts";
import { asking, type Judgement, ruled } from "./judgement.ts";
import type { PathUse } from "./read-only-answer.ts";
import { matchesPath } from "./rule-match.ts";

/** Takes about 15 ms. */
const MAX_ENTRIES = 3_000;

type TreeUse = Pick<PathUse, "include" | "extent" | "follows">;
type Found = { readonly path: string } | "unclear" | null;

/** The first file below the folder that `isKept` matches. `folder` is a real path, so only symlinks lead elsewhere. */
export function findBelow(
  folder: string,
  { include, extent, follows }: TreeUse,
  isKept: (path: string) => boolean,
  context: PermissionContext,
): Found {
  const { disk } = context;
  const wanted = include?.map((name) => createWildcard(name, true));
  const isWanted = (name: string) => wanted?.some((matches) => matches(name)) ?? false;
  const isRead = (name: string) => extent === "tree" || isWanted(name) || !/^(\.|node_modules$)/.test(name);
  const waiting = [folder];
  const linked = new Set<string>();
  let seen = 0;
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    for (const { name, kind } of disk.listFolder(current) ?? []) {
      if (++seen > MAX_ENTRIES) return "unclear";
      if (!isRead(name)) continue;
      const path = join(current, name);
      // Git's objects are compressed, and there are too many. But a link among them may lead anywhere.
      if (follows !== true && path.endsWith("/.git/objects")) continue;
      // Nobody can tell what is in it, or where it leads.
      if (kind !== "file" && name.includes(NOT_UTF8)) return "unclear";
      if (kind === "folder") waiting.push(path);
      const isFile = kind !== "folder" && (wanted === undefined || isWanted(name));
      const targets = kind === "link" ? realPaths(path, disk) : [];
      for (const target of targets) {
        // null is a symlink loop, which can't be read.
        if (target === null || linked.has(target)) continue;
        const leads = follows === true && disk.kindOf(target) === "folder";
        if ((isFile || leads) && isKept(target)) return { path };
        if (!leads) continue;
        linked.add(target);
        waiting.push(target);
      }
      if (isFile && isKept(path)) return { path };
    }
  }
  return null;
}

/** Takes about 5 ms. A command may name several folders. */
const MAX_DELETED = 1_000;

/** A secret below the folder, or what other programs obey: what is done to the whole is done to that, too. */
export function guardedBelow(folder: string, { disk, home }: PermissionContext): Found {
  const waiting = [folder];
  let seen = 0;
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    for (const { name, kind } of disk.listFolder(current) ?? []) {
      const path = join(current, name);
      if (isSecret(path, home) || isObeyed(path, home)) return { path };
      if (++seen > MAX_DELETED || (kind !== "file" && name.includes(NOT_UTF8))) return "unclear";
      if (kind === "folder" && !INSTALLED.has(name)) waiting.push(path);
    }
  }
  return null;
}

/** More are too many to be judged one by one. */
const MAX_NAMED = 100;

/** What has such a name at or below these absolute paths; null if there is too much to look at, or a symlink on the way. */
export function namedBelow(
  paths: readonly string[],
  isNamed: (name: string) => boolean,
  { disk }: PermissionContext,
): readonly string[] | null {
  const found: string[] = [];
  const waiting: string[] = [];
  let seen = 0;
  const visit = (path: string, kind: FolderEntry["kind"]) => {
    if (isNamed(basename(path))) found.push(path);
    if (kind === "folder") waiting.push(path);
  };
  for (const path of paths.map((each) => resolve(each))) {
    const kind = disk.kindOf(path);
    if (realPath(path, disk) !== path) return null;
    if (kind !== null) visit(path, kind);
  }
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop())
    for (const { name, kind } of disk.listFolder(current) ?? []) {
      if (++seen > MAX_ENTRIES || found.length > MAX_NAMED || name.includes(NOT_UTF8)) return null;
      visit(join(current, name), kind);
    }
  return found;
}

/** The judgement of a deny or ask rule that matches a file below. Deny rules apply in every mode. */
export function forbiddenBelow(
  folders: readonly string[],
  use: TreeUse,
  context: PermissionContext,
): Judgement | null {
  const rules = rulesInForce(context).filter(
    ({ subject }) => subject.type === "path" && subject.access === "read",
  );
  const { deny = [], ask = [] } = Object.groupBy(rules, (rule) => rule.verdict);
  for (const rule of [...deny, ...ask]) {
    const matches = (path: string) => matchesPath(rule, { access: "read", tool: null }, [path], context);
    for (const folder of folders) {
      const found = findBelow(folder, use, matches, context);
      if (found === "unclear")
        return asking(
          `The folder is too large, or has names too odd, to tell whether the rule ${ruleWithSource(rule)} forbids it.`,
        );
      if (found !== null) return ruled(rule);
    }
  }
  return null;
}
