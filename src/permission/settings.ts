// What a person chose about permission: `settings.permission` of an agent.
import type { PermissionMode, RuleSource } from "../domain/permission.ts";

export interface PermissionSettings {
  readonly mode: PermissionMode;
  readonly rules: readonly WrittenRules[];
  /** auto: where it works. on: where it doesn't, commands are asked about in every mode. */
  readonly sandbox: "auto" | "on" | "off";
  /** Further folders that are part of the project; absolute. */
  readonly addedFolders?: readonly string[];
}

/** Rules as somebody wrote them. */
export interface WrittenRules {
  readonly source: RuleSource;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}
