// Permission for one session: the context of decisions from settings, flags and the machine, and the shell.
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { linksOnDisk, realPath } from "../base/real-path.ts";
import { TunacodeError } from "../domain/error.ts";
import type { Verdict } from "../domain/permission.ts";
import { type PermissionContext, rulesInForce } from "../permission/context.ts";
import { createDiskView, type DiskView } from "../permission/disk.ts";
import { type PermissionRule, parseRules, type RuleVocabulary, ruleVocabulary } from "../permission/rules.ts";
import { trustedSearchPath } from "../permission/search-path.ts";
import type { WrittenRules } from "../permission/settings.ts";
import { temporaryFolders } from "../permission/temporary-folders.ts";
import { unaskedEnvironment } from "../permission/unasked-environment.ts";
import { CATALOG } from "../tools/catalog.ts";
import { addedFolder } from "./added-folders.ts";
import type { AgentSettings } from "./settings.ts";

/** Part of the agent's settings. */
interface PermissionStart
  extends Pick<AgentSettings, "permission" | "cwd" | "trusted" | "tools" | "env" | "remembered"> {
  readonly readableFolders?: readonly string[];
  /** Gets sentences about remembered rules that can't be read. */
  readonly notify?: AgentSettings["notify"];
}

/** Begins without a sandbox. Throws if a rule is wrong: none is silently left out. */
export function createPermissionContext(start: PermissionStart): PermissionContext {
  const { permission, cwd, trusted, tools, env, readableFolders = [], remembered, notify } = start;
  const vocabulary = ruleVocabulary([...CATALOG, ...(tools?.own ?? [])]);
  const real = (path: string) => realPath(path, linksOnDisk) ?? path;
  const home = real(env["HOME"] || homedir());
  const root = permissionRoot(cwd, home, createDiskView({}));
  const kept = remembered?.read(root);
  for (const problem of kept?.problems ?? []) notify?.(problem);
  const written = kept === undefined ? [] : [{ source: "remembered" as const, ...kept.rules }];
  const place = { root, env, cwd };
  const added = permission.addedFolders?.map((folder) => addedFolder(folder, place)) ?? [];
  return {
    mode: permission.mode,
    rules: readRules([...permission.rules, ...written], trusted, vocabulary),
    vocabulary,
    workspace: { root, cwd },
    home,
    trusted,
    sandbox: false,
    keepsRules: remembered !== undefined,
    // Elsewhere the system is the sandbox, and mounts nothing.
    ...(process.platform === "linux" && { temporaryFolders: temporaryFolders() }),
    readableFolders: readableFolders.map(real),
    ...folderParts(root, added, env),
  };
}

/** The parts of a context that depend on the folders of the project: no program is taken from them unasked. */
export function folderParts(
  root: string,
  added: readonly string[],
  env: AgentSettings["env"],
): Pick<PermissionContext, "addedFolders" | "environment" | "disk"> {
  const addedFolders = [...new Set(added)];
  const searchPath = trustedSearchPath(env["PATH"] ?? "", [root, ...addedFolders]);
  const environment = unaskedEnvironment({ HOME: homedir(), ...env }, searchPath);
  return { addedFolders, environment, disk: createDiskView(environment) };
}

/** The git top level of a folder, or the folder itself. A home folder that is kept in git is not a project. */
export function permissionRoot(folder: string, home: string, disk: DiskView): string {
  const start = realPath(folder, disk) ?? folder;
  const ends = ["/", realPath(home, disk) ?? home];
  for (let current = start; !ends.includes(current); current = dirname(current)) {
    if (disk.kindOf(join(current, ".git")) !== null) return current;
  }
  return start;
}

function readRules(
  written: readonly WrittenRules[],
  trusted: boolean,
  vocabulary: RuleVocabulary,
): PermissionRule[] {
  const rules: PermissionRule[] = [];
  const problems: string[] = [];
  let code: "usage" | "config" = "usage";
  for (const each of written) {
    for (const verdict of VERDICTS) {
      const parsed = parseRules(each[verdict] ?? [], verdict, each.source, vocabulary);
      rules.push(...parsed.rules);
      // A rule that doesn't apply can't be wrong: otherwise any untrusted folder could keep tunacode from starting.
      const applies = trusted || each.source !== "project" || verdict !== "allow";
      if (!applies || parsed.problems.length === 0) continue;
      problems.push(...parsed.problems);
      if (each.source !== "command line") code = "config";
    }
  }
  if (problems.length > 0) throw new TunacodeError(code, problems.join("\n"));
  return rules;
}

const VERDICTS: readonly Verdict[] = ["deny", "ask", "allow"];

/** The hosts that rules allow or deny, for commands in the sandbox too. */
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
