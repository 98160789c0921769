// May this call run? The question and its answers.

import type { ToolCallPart } from "./part.ts";
import type { Tool } from "./tool.ts";

export type Permit = (call: ToolCallPart, tool: Tool, signal: AbortSignal) => Promise<PermissionAnswer>;

export type PermissionAnswer =
  | { readonly type: "allow" }
  /** The model reads the reason. `unasked`: it needed a person and none was there. */
  | { readonly type: "deny"; readonly reason: string; readonly unasked?: boolean }
  /** The person ends the request. */
  | { readonly type: "stop" };
