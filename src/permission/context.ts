// Everything a decision depends on, as data. The same context and the same disk give the same decision.
import type { PermissionMode } from "../domain/permission.ts";
import type { DiskView } from "./disk.ts";
import type { PermissionRule, RuleVocabulary } from "./rules.ts";

export interface PermissionContext {
  readonly mode: PermissionMode;
  /** In any order: deny comes before ask, ask before allow. */
  readonly rules: readonly PermissionRule[];
  /** The names that new rules may use. */
  readonly vocabulary: RuleVocabulary;
  /** root: the project's real path. cwd: where a command runs. */
  readonly workspace: { readonly root: string; readonly cwd: string };
  readonly home: string;
  /** The person trusts this project: its own allow rules count. Its deny and ask rules always do. */
  readonly trusted: boolean;
  /** Shell commands run inside a sandbox that passed its probe. */
  readonly sandbox: boolean;
  /** Outside the project, but ours to read: kept tool output, for instance. */
  readonly readableFolders?: readonly string[];
  readonly disk: DiskView;
}

/** Rules that count here. */
export function rulesInForce({ rules, trusted }: PermissionContext): readonly PermissionRule[] {
  return trusted ? rules : rules.filter((rule) => rule.source !== "project" || rule.verdict !== "allow");
}
