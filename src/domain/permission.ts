// May this call run? The question, what decides it, and its answers.

import type { JsonObject } from "../base/json.ts";
import type { Grant } from "./grant.ts";
import type { ToolCallPart } from "./part.ts";
import type { CallLabel, CallPreview, Tool } from "./tool.ts";

export type Permit = (call: ToolCallPart, tool: Tool, signal: AbortSignal) => Promise<PermissionAnswer>;

export type PermissionAnswer =
  /** Without a grant, which only a library user's permit leaves out, the call runs outside the sandbox. */
  | { readonly type: "allow"; readonly grant?: Grant }
  /** Somebody changed the arguments, so they are checked and decided on again. */
  | { readonly type: "changed"; readonly args: JsonObject }
  /** The model reads the reason. Without `by`, it was a rule. `unasked`: nobody was there to approve it. */
  | {
      readonly type: "deny";
      readonly reason: string;
      readonly by?: "rule" | "person";
      readonly unasked?: boolean;
    }
  /** The call can't work, so nobody was asked about it. The model reads the reason. */
  | { readonly type: "pointless"; readonly reason: string }
  /** The person ends the request. */
  | { readonly type: "stop" };

export const PERMISSION_MODES = ["ask", "auto-edit", "read-only", "yolo"] as const;

export type PermissionMode = (typeof PERMISSION_MODES)[number];

export type Verdict = "allow" | "ask" | "deny";

/** Where a rule comes from. `session`: a person said "always" in this session. */
export type RuleSource = "person" | "project" | "command line" | "session";

export interface Decision {
  readonly decision: Verdict;
  /** One sentence for a person, and for the model if the call is denied. */
  readonly reason: string;
  /** The rule that decided, as it was written. */
  readonly rule?: string;
  /** The simple commands found in a shell command. */
  readonly commands?: readonly string[];
  /** A shell command that runs inside the sandbox. */
  readonly sandboxed?: boolean;
  /** A shell command that only reads, as it was understood. This script runs in its place. */
  readonly rebuilt?: string;
}

export interface PermissionQuestion {
  readonly toolName: string;
  readonly args: JsonObject;
  /** "May this command run?" */
  readonly title: string;
  readonly label: CallLabel;
  /** What it would change. */
  readonly preview: CallPreview | null;
  readonly decision: Decision;
  /** The rules "always" would add: the narrowest that spare the next question. Empty: "always" isn't offered. */
  readonly proposal: readonly string[];
}

export type PersonAnswer =
  | { readonly type: "once" }
  | { readonly type: "always" }
  /** They edited the arguments, which are then checked and decided on anew. */
  | { readonly type: "changed"; readonly args: JsonObject }
  | { readonly type: "deny"; readonly words?: string }
  | { readonly type: "stop" };
