// Searches a folder for secrets and forbidden files, because a command that reads everything below it would read
// them. The search is limited, and a tree that is too large is reported as such.
import { join } from "node:path";
import { realPaths } from "../base/real-path.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { type Judgement, ruled } from "./judgement.ts";
import type { PathUse } from "./read-only-answer.ts";
import { matchesPath } from "./rule-match.ts";

/** Takes about 15 ms. */
const MAX_ENTRIES = 3_000;

export type Found = { readonly path: string } | "too large" | null;

/** The first file below the folder that `isKept` matches. `folder` is a real path, so only symlinks lead elsewhere. */
export function findBelow(
  folder: string,
  { include, extent }: Pick<PathUse, "include" | "extent">,
  isKept: (path: string) => boolean,
  context: PermissionContext,
): Found {
  const { disk } = context;
  const wanted = include?.map(nameExpression);
  const isWanted = (name: string) => wanted?.some((expression) => expression.test(name)) ?? false;
  const isRead = (name: string) => extent === "tree" || isWanted(name) || !/^(\.|node_modules$)/.test(name);
  const waiting = [folder];
  let seen = 0;
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    for (const { name, kind } of disk.listFolder(current) ?? []) {
      if (++seen > MAX_ENTRIES) return "too large";
      // Git's objects are compressed, and there are too many.
      if (!isRead(name) || name === ".git") continue;
      const path = join(current, name);
      if (kind === "folder") waiting.push(path);
      else if (wanted === undefined || isWanted(name)) {
        const paths = kind === "link" ? [path, ...realPaths(path, disk)] : [path];
        // null is a symlink loop, which can't be read.
        if (paths.some((each) => each !== null && isKept(each))) return { path };
      }
    }
  }
  return null;
}

/** The judgement of a deny or ask rule that matches a file below. Deny rules apply in every mode. */
export function forbiddenBelow(
  folders: readonly string[],
  use: Pick<PathUse, "include" | "extent">,
  context: PermissionContext,
): Judgement | null {
  const base = { root: context.workspace.root, home: context.home };
  for (const verdict of ["deny", "ask"] as const) {
    for (const rule of rulesInForce(context)) {
      const { subject } = rule;
      if (rule.verdict !== verdict || subject.type !== "path" || subject.access !== "read") continue;
      const matches = (path: string) => matchesPath(rule, "read", null, [path], base);
      const found = folders
        .map((folder) => findBelow(folder, use, matches, context))
        .find((each) => each !== null);
      if (found === "too large")
        return {
          verdict: "ask",
          reason: `The folder is too large to tell whether the rule ${rule.text} (${rule.source}) forbids it.`,
          basis: "mode",
        };
      if (found !== undefined && found !== null) return ruled(rule);
    }
  }
  return null;
}

function nameExpression(pattern: string): RegExp {
  const source = pattern.replace(/[.*+?^${}()|[\]\\/]/gu, (character) =>
    character === "*" ? ".*" : character === "?" ? "." : `\\${character}`,
  );
  return new RegExp(`^${source}$`, "iu");
}
