// May this call run? The question, what decides it, and its answers.

import type { JsonObject } from "../base/json.ts";
import type { AgentEvent } from "./event.ts";
import type { Grant } from "./grant.ts";
import type { ToolCallPart } from "./part.ts";
import type { CallLabel, CallPreview, Tool } from "./tool.ts";

export type Permit = (
  call: ToolCallPart,
  tool: Tool,
  signal: AbortSignal,
  tell?: TellReview,
) => Promise<PermissionAnswer>;

/** What happens while a call is decided on: a model reviews it, and what that costs. */
export type TellReview = (event: Extract<AgentEvent, { type: "review-start" | "review" | "usage" }>) => void;

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

export const PERMISSION_MODES = ["ask", "auto-edit", "auto", "read-only", "yolo"] as const;

export type PermissionMode = (typeof PERMISSION_MODES)[number];

export type Verdict = "allow" | "ask" | "deny";

/** Where a rule comes from. `session`: the person added it in this session. `remembered`: in this project, for good. */
export type RuleSource = "person" | "project" | "command line" | "session" | "remembered";

/** In words for a person. */
export const RULE_SOURCES: Readonly<Record<RuleSource, string>> = {
  person: "your configuration",
  project: "the project's configuration",
  "command line": "command line",
  session: "this session",
  remembered: "kept for this project",
};

/** A rule as a person reads it. */
export interface RuleInForce {
  readonly verdict: Verdict;
  readonly source: RuleSource;
  /** As written. */
  readonly text: string;
}

/** "bash(rm) (command line)" */
export function ruleWithSource({ text, source }: RuleInForce): string {
  return `${text} (${RULE_SOURCES[source]})`;
}

export interface Decision {
  readonly decision: Verdict;
  /** One sentence for a person, and for the model if the call is denied. */
  readonly reason: string;
  /** The rule that decided, as it was written. */
  readonly rule?: string;
  /** The simple commands found in a shell command. */
  readonly commands?: readonly string[];
  /** A shell command that runs inside the sandbox, at once or after a yes. */
  readonly sandboxed?: boolean;
  /** A shell command that only reads, as it was understood. This script runs in its place. */
  readonly rebuilt?: string;
  /** In the mode auto, a model may answer this question in the person's place. */
  readonly reviewable?: true;
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
  /** What would run, byte for byte, if it is a shell command. */
  readonly command?: AskedCommand;
  /** What a plain yes means, if that isn't plain: follows "Yes, ". */
  readonly yes?: string;
  /** What the person can allow beyond this one call. */
  readonly offers: readonly Offer[];
  /** A new mode may settle it: whoever asks decides again when it is answered with the same arguments. */
  readonly followsMode?: true;
}

export interface AskedCommand {
  readonly script: string;
  /** The variables that the model sets for it. */
  readonly env: Readonly<Record<string, string>>;
  /** The real path of the folder in which it starts. */
  readonly folder: string;
  readonly sandboxed: boolean;
}

/** A yes that allows more than this one call: it adds rules. */
export interface Offer {
  /** Follows "Yes, ": "and don't ask again in this session: bash(npm test)". */
  readonly label: string;
  readonly rules: readonly string[];
  /** always: in this project, until the person takes it back. */
  readonly lasts: "once" | "session" | "always";
}

export type PersonAnswer =
  | { readonly type: "once" }
  /** The number of the offer in the question, from 0. */
  | { readonly type: "offer"; readonly offer: number }
  /** They edited the arguments, which are then checked and decided on anew. */
  | { readonly type: "changed"; readonly args: JsonObject }
  | { readonly type: "deny"; readonly words?: string }
  | { readonly type: "stop" };
