// Permission for one session: the context of decisions from settings, flags and the machine, and the shell.
import { homedir } from "node:os";
import { dirname } from "node:path";
import { realPath } from "../base/real-path.ts";
import { shellProgram } from "../base/shell-program.ts";
import type { PermissionMode, RuleSource, Verdict } from "../domain/permission.ts";
import { type PermissionContext, rulesInForce } from "../permission/context.ts";
import { createDiskView, type DiskView } from "../permission/disk.ts";

import { type PermissionRule, parseRules, type RuleVocabulary, ruleVocabulary } from "../permission/rules.ts";
import type { Sandbox } from "../permission/sandbox.ts";
import { CATALOG } from "../tools/catalog.ts";
import type { Shell } from "../tools/ports.ts";

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
  /** Of all tools that rules may speak of; absent: the catalog's. */
  readonly vocabulary?: RuleVocabulary;
  readonly environment: NodeJS.ProcessEnv;
}

export type ContextResult =
  | { readonly ok: true; readonly context: PermissionContext }
  /** What is wrong with the rules; never silently left out. */
  | { readonly ok: false; readonly problems: readonly string[]; readonly code: "usage" | "config" };

export function createPermissionContext(settings: PermissionSettings): ContextResult {
  const { mode, trusted, sandbox, readableFolders, environment } = settings;
  const { vocabulary = ruleVocabulary(CATALOG) } = settings;
  const disk = createDiskView(environment["PATH"] ?? "");
  const { rules, problems, code } = readRules(settings.rules, trusted, vocabulary);
  if (problems.length > 0) return { ok: false, problems, code };
  const real = (path: string) => realPath(path, disk) ?? path;
  const home = real(environment["HOME"] || homedir());
  const root = settings.root === undefined ? permissionRoot(settings.cwd, home, disk) : real(settings.root);
  return {
    ok: true,
    context: {
      mode,
      rules,
      vocabulary,
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
export function permissionRoot(folder: string, home: string, disk: DiskView): string {
  const start = realPath(folder, disk) ?? folder;
  const ends = ["/", realPath(home, disk) ?? home];
  for (let current = start; !ends.includes(current); current = dirname(current)) {
    if (disk.listFolder(current)?.some((entry) => entry.name === ".git")) return current;
  }
  return start;
}

function readRules(
  written: readonly WrittenRules[],
  trusted: boolean,
  vocabulary: RuleVocabulary,
): { rules: PermissionRule[]; problems: string[]; code: "usage" | "config" } {
  const rules: PermissionRule[] = [];
  const problems: string[] = [];
  let code: "usage" | "config" = "usage";
  for (const each of written) {
    for (const verdict of VERDICTS) {
      const parsed = parseRules(each[verdict] ?? [], verdict, each.source, vocabulary);
      rules.push(...parsed.rules);
      // What doesn't count can't be wrong, or any folder one looks into could keep tunacode from starting.
      const counts = trusted || each.source !== "project" || verdict !== "allow";
      if (!counts || parsed.problems.length === 0) continue;
      problems.push(...parsed.problems);
      if (each.source !== "command line") code = "config";
    }
  }
  return { rules, problems, code };
}

const VERDICTS: readonly Verdict[] = ["deny", "ask", "allow"];

/** Starts a command as its grant says. What was allowed inside the sandbox never runs outside. */
export function createShell(sandbox: () => Promise<Sandbox> | null): Shell {
  return async (script, { folder, sandboxed }, signal) => {
    if (!sandboxed) return { argv: [shellProgram(), "-c", script] };
    const inside = await sandbox();
    if (inside?.available !== true) throw new Error("It was to run inside the sandbox, and there is none.");
    return await inside.wrapCommand(script, folder, signal);
  };
}

/** The hosts that rules about web_fetch open or close for sandboxed commands, too. */
export function sandboxHosts(context: PermissionContext): {
  readonly allowedHosts: readonly string[];
  readonly deniedHosts: readonly string[];
} {
  const hosts = (verdict: Verdict) =>
    rulesInForce(context).flatMap(({ verdict: own, subject }) =>
      own === verdict && subject.type === "host" ? [`${subject.subdomains ? "*." : ""}${subject.host}`] : [],
    );
  return { allowedHosts: hosts("allow"), deniedHosts: hosts("deny") };
}
