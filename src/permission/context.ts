// Everything a decision depends on, as data. The same context and the same disk give the same decision.
import type { PermissionMode } from "../domain/permission.ts";
import type { DiskView } from "./disk.ts";
import type { PermissionRule, RuleVocabulary } from "./rules.ts";

export interface PermissionContext {
  readonly mode: PermissionMode;
  /** In any order. */
  readonly rules: readonly PermissionRule[];
  /** The names that new rules may use. */
  readonly vocabulary: RuleVocabulary;
  /** `root` is the project's real path, `cwd` the folder a command runs in. */
  readonly workspace: { readonly root: string; readonly cwd: string };
  readonly home: string;
  /** The person trusts this project, so its own allow rules apply. Its deny and ask rules always apply. */
  readonly trusted: boolean;
  /** Shell commands run inside a sandbox that passed its probe. */
  readonly sandbox: boolean;
  /** The machine's temporary folders, if the sandbox puts private ones in their place; real paths. */
  readonly temporaryFolders?: readonly string[];
  /**
   * Folders outside the project whose files may be read, such as the one with kept tool output. What lies deeper may
   * not: there undo keeps the contents of any file.
   */
  readonly readableFolders?: readonly string[];
  /** Further folders that the person made part of the project; real paths. */
  readonly addedFolders?: readonly string[];
  /** What undo would bring back. Absent: nothing. */
  readonly undo?: UndoCoverage;
  /** Rules can be kept for longer than a session. */
  readonly keepsRules?: boolean;
  readonly disk: DiskView;
  /** The variables of commands that run unasked, which hold no key: PATH, HOME, the language, and what keeps git still. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called with what a comparison with a rule costs at worst. It throws once that is too much for one decision. */
  readonly spend?: (steps: number) => void;
}

export interface UndoCoverage {
  /** The first thing at or below this absolute path that undo would not bring back, as it is shown; null: all is covered. */
  readonly firstUncovered: (path: string) => string | null;
}

export function rulesInForce({
  rules,
  trusted,
}: Pick<PermissionContext, "rules" | "trusted">): readonly PermissionRule[] {
  return trusted ? rules : rules.filter((rule) => rule.source !== "project" || rule.verdict !== "allow");
}
