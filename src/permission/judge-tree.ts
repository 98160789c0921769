// A command that reads everything below a folder reads what lies there, secrets and forbidden files too. Bounded: a
// tree too large to look through is reported as such.
import { join } from "node:path";
import { realPaths } from "../base/real-path.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { type Judgement, ruled } from "./judgement.ts";
import type { PathUse } from "./read-only-answer.ts";
import { matchesPath } from "./rule-match.ts";

/** About 15 ms of looking. */
const MAX_ENTRIES = 3_000;

export type Found = { readonly path: string } | "too large" | null;

/** The first file below that `isKept` picks. `folder` is a real path, so only links lead elsewhere. */
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
      // Git's own store is compressed, and enormous.
      if (!isRead(name) || name === ".git") continue;
      const path = join(current, name);
      if (kind === "folder") waiting.push(path);
      else if (wanted === undefined || isWanted(name)) {
        const places = kind === "link" ? [path, ...realPaths(path, disk)] : [path];
        // A link that never ends can't be read.
        if (places.some((place) => place !== null && isKept(place))) return { path };
      }
    }
  }
  return null;
}

/** A deny or ask rule about a file below; deny rules hold in every mode. */
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
