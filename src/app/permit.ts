// Makes the context of permission decisions from settings, flags and the machine.
import { homedir } from "node:os";
import type { PermissionMode, RuleSource, Verdict } from "../domain/permission.ts";
import type { PermissionContext } from "../permission/context.ts";
import { createDisk, type Disk } from "../permission/disk.ts";
import { realPath } from "../permission/real-path.ts";
import { parseRules, type Rule } from "../permission/rules.ts";

/** Rules as somebody wrote them. */
export interface WrittenRules {
  readonly source: RuleSource;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export interface PermissionSettings {
  readonly mode: PermissionMode;
  readonly rules: readonly WrittenRules[];
  readonly root: string;
  readonly cwd: string;
  readonly trusted: boolean;
  readonly sandbox: boolean;
  readonly readableFolders?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

export type ContextResult =
  | { readonly ok: true; readonly context: PermissionContext }
  /** What is wrong with the rules; never silently left out. */
  | { readonly ok: false; readonly problems: readonly string[] };

export function createPermissionContext(settings: PermissionSettings): ContextResult {
  const { mode, trusted, sandbox, readableFolders, environment } = settings;
  const disk = createDisk(environment["PATH"] ?? "");
  const { rules, problems } = readRules(settings.rules);
  if (problems.length > 0) return { ok: false, problems };
  const real = (path: string) => realPath(path, disk) ?? path;
  return {
    ok: true,
    context: {
      mode,
      rules,
      workspace: { root: real(settings.root), cwd: settings.cwd },
      home: real(environment["HOME"] || homedir()),
      trusted,
      sandbox,
      ...(readableFolders === undefined ? {} : { readableFolders: readableFolders.map(real) }),
      disk,
    },
  };
}

/** The git top level above a folder, else the folder. */
export function projectRoot(folder: string, disk: Disk): string {
  const start = realPath(folder, disk) ?? folder;
  for (let current = start; current !== "/"; current = current.slice(0, current.lastIndexOf("/")) || "/") {
    const names = disk.listFolder(current)?.map((entry) => entry.name) ?? [];
    if (names.includes(".git")) return current;
  }
  return start;
}

function readRules(written: readonly WrittenRules[]): { rules: Rule[]; problems: string[] } {
  const rules: Rule[] = [];
  const problems: string[] = [];
  for (const each of written) {
    for (const verdict of VERDICTS) {
      const parsed = parseRules(each[verdict] ?? [], verdict, each.source);
      rules.push(...parsed.rules);
      problems.push(...parsed.problems);
    }
  }
  return { rules, problems };
}

const VERDICTS: readonly Verdict[] = ["deny", "ask", "allow"];
