// Makes the context of permission decisions from settings, flags and the machine.
import { homedir } from "node:os";
import { dirname } from "node:path";
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
  /** Absent: the git top level. */
  readonly root?: string;
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
  const home = real(environment["HOME"] || homedir());
  const root = settings.root === undefined ? projectRoot(settings.cwd, home, disk) : real(settings.root);
  return {
    ok: true,
    context: {
      mode,
      rules,
      workspace: { root, cwd: settings.cwd },
      home,
      trusted,
      sandbox,
      ...(readableFolders === undefined ? {} : { readableFolders: readableFolders.map(real) }),
      disk,
    },
  };
}

/** The git top level above a folder, else the folder. A home folder kept in git doesn't make a project of it all. */
export function projectRoot(folder: string, home: string, disk: Disk): string {
  const start = realPath(folder, disk) ?? folder;
  const ends = ["/", realPath(home, disk) ?? home];
  for (let current = start; !ends.includes(current); current = dirname(current)) {
    if (disk.listFolder(current)?.some((entry) => entry.name === ".git")) return current;
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
