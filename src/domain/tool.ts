// A tool as the loop sees it: a name, a schema, and a function that can be cancelled.
import type { JsonObject } from "../base/json.ts";
import type { Content } from "./content.ts";
import type { ToolCallId } from "./ids.ts";
import type { UsageTotals } from "./usage.ts";

/** Decides when a tool runs within a batch: research, then reads, both in parallel; writes one at a time. */
export type ToolKind = "research" | "read" | "write";

/** What the model is told about a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

export interface Tool extends ToolSpec {
  /** Unknown tools count as write unless they say otherwise. */
  readonly kind?: ToolKind;
  /** How long one attempt may take. */
  readonly deadlineMs?: number;
  /** It waits for a person: no deadline, and the time doesn't count against the request's. */
  readonly asksPerson?: boolean;
  readonly validate: (args: JsonObject) => Validation;
  readonly execute: (args: JsonObject, context: ToolContext) => Promise<ToolOutput>;
}

/** args: with the schema's defaults filled in. remark: what the model should know besides the result. */
export type Validation =
  | { readonly ok: true; readonly args: JsonObject; readonly remark?: string }
  | { readonly ok: false; readonly problem: string };

/** A plain string is a success. `failed` is read by the model like any return. */
export type ToolOutput = string | { readonly content: Content; readonly failed?: boolean };

export interface ToolContext {
  readonly toolCallId: ToolCallId;
  readonly signal: AbortSignal;
  /** Live output for the person; the model doesn't see it. */
  readonly progress: (text: string) => void;
  /** What the tool itself spent on models: a subagent's calls. */
  readonly spend: (call: UsageTotals) => void;
}

export function toolKind(tool: Tool | undefined): ToolKind {
  return tool?.kind ?? "write";
}
