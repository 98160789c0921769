// The files that deny and ask rules are about, as far as they exist. The sandbox hides them from a command, whatever
// program it starts. The search is limited; where it doesn't get to its end, the command is asked about.
import { join, posix } from "node:path";
import { realPath } from "../base/real-path.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import { createEffort, TooMuchToRead } from "./disk-budget.ts";
import { createPathPattern, pathOfPattern } from "./path-pattern.ts";
import type { Access, PermissionRule } from "./rules.ts";

interface BoundFiles {
  /** Real paths. A folder stands for everything in it. */
  readonly unreadable: readonly string[];
  readonly unwritable: readonly string[];
  /** A rule of which not all files were found. */
  readonly incomplete: PermissionRule | null;
}

const MAX_PATHS = 200;
/** Takes about 15 ms. */
const MAX_ENTRIES = 3_000;

/** A decision needs them for each of its commands. */
const known = new WeakMap<PermissionContext, BoundFiles>();

export function boundFiles(context: PermissionContext): BoundFiles {
  const bound = known.get(context) ?? findBoundFiles(context);
  known.set(context, bound);
  return bound;
}

function findBoundFiles(context: PermissionContext): BoundFiles {
  const found: Record<Access, Set<string>> = { read: new Set(), write: new Set() };
  const search: Search = { context: { ...context, spend: createEffort() }, entries: 0 };
  let incomplete: PermissionRule | null = null;
  for (const rule of rulesInForce(context)) {
    const { verdict, subject } = rule;
    if (verdict === "allow" || subject.type !== "path") continue;
    const paths = subject.pattern === null ? null : boundedSearch(subject.pattern, search);
    for (const path of paths ?? []) found[subject.access].add(path);
    if (paths === null || found.read.size + found.write.size > MAX_PATHS) incomplete ??= rule;
  }
  const listed = (access: Access) => [...found[access]].slice(0, MAX_PATHS);
  return { unreadable: listed("read"), unwritable: listed("write"), incomplete };
}

interface Search {
  readonly context: PermissionContext;
  entries: number;
}

/** null if there is too much to look at. */
function boundedSearch(pattern: string, search: Search): readonly string[] | null {
  try {
    return filesUnder(pattern, search);
  } catch (error) {
    if (error instanceof TooMuchToRead) return null;
    throw error;
  }
}

function filesUnder(pattern: string, search: Search): readonly string[] | null {
  const { context } = search;
  const { disk } = context;
  const whole = pathOfPattern(pattern, context);
  const matches = createPathPattern(pattern, context, true);
  // A folder stands for what is in it.
  const names = whole
    .replace(/(\/\*\*)*\/?$/, "")
    .split("/")
    .filter(Boolean);
  let start = "/";
  let depth = 0;
  // The last name is looked for in its folder, because a rule ignores case.
  while (depth < names.length - 1) {
    const next = posix.join(start, names[depth] ?? "");
    const real = realPath(next, disk);
    if (/[*?]/.test(names[depth] ?? "") || real === null || disk.kindOf(real) !== "folder") break;
    start = next;
    depth++;
  }
  const found: string[] = [];
  const mostDepth = names.slice(0, -1).includes("**") ? Number.POSITIVE_INFINITY : names.length - depth;
  const waiting = [{ folder: start, level: 1 }];
  // A symlink may lead back.
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { name, kind } of disk.listFolder(realPath(next.folder, disk) ?? next.folder) ?? []) {
      if (++search.entries > MAX_ENTRIES) return null;
      const path = join(next.folder, name);
      if (matches(path)) found.push(...realOnly(path, search));
      // Git's objects are compressed, and there are too many.
      else if ((kind === "folder" || kind === "link") && name !== ".git" && next.level < mostDepth) {
        const real = realPath(path, disk);
        if (real === null || seen.has(real) || disk.kindOf(real) !== "folder") continue;
        seen.add(real);
        waiting.push({ folder: path, level: next.level + 1 });
      }
    }
  }
  return found;
}

function realOnly(path: string, { context: { disk } }: Search): readonly string[] {
  const real = realPath(path, disk);
  return real === null || disk.kindOf(real) === null ? [] : [real];
}
