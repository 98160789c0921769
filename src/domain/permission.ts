// May this call run? The question, what decides it, and its answers.

import type { JsonObject } from "../base/json.ts";
import type { ToolCallPart } from "./part.ts";
import type { Tool } from "./tool.ts";

export type Permit = (call: ToolCallPart, tool: Tool, signal: AbortSignal) => Promise<PermissionAnswer>;

export type PermissionAnswer =
  | { readonly type: "allow" }
  /** The model reads the reason. `unasked`: it needed a person and none was there. */
  | { readonly type: "deny"; readonly reason: string; readonly unasked?: boolean }
  /** The person ends the request. */
  | { readonly type: "stop" };

/** How the model is told of a no. A conversation on disk has no other sign of one. */
export const REFUSED_BY_RULE = "Not permitted.";
export const REFUSED_BY_PERSON = "The person said no";

export function tellsRefusal(text: string): boolean {
  return text.startsWith(REFUSED_BY_RULE) || text.startsWith(REFUSED_BY_PERSON);
}

export type PermissionMode = "ask" | "auto-edit" | "read-only" | "yolo";

export const PERMISSION_MODES: readonly PermissionMode[] = ["ask", "auto-edit", "read-only", "yolo"];

export type Verdict = "allow" | "ask" | "deny";

/** Where a rule comes from. `session`: a person said "always" in this session. */
export type RuleSource = "person" | "project" | "command line" | "session";

export interface Decision {
  readonly decision: Verdict;
  /** One sentence for a person, and for the model when it is a no. */
  readonly reason: string;
  /** The rule that decided, as it was written. */
  readonly rule?: string;
  /** The simple commands found in a shell command. */
  readonly commands?: readonly string[];
  /** A shell command that runs inside the sandbox. */
  readonly sandboxed?: boolean;
}

export interface PermissionQuestion {
  readonly toolName: string;
  readonly args: JsonObject;
  readonly decision: Decision;
  /** The rules "always" would add: the narrowest that spare the next question. Empty: "always" isn't offered. */
  readonly proposal: readonly string[];
}

export type PersonAnswer =
  | { readonly type: "once" }
  | { readonly type: "always" }
  | { readonly type: "deny"; readonly words?: string }
  | { readonly type: "stop" };
