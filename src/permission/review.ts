// Auto-review: which questions a model may answer in the person's place, and what it is told of a call. That is what
// would be done and where, never what a file holds or a tool has returned.
import { defined } from "../base/defined.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { AskedCommand, Decision, TellReview } from "../domain/permission.ts";
import type { Review } from "../domain/review.ts";
import type { CallPreview } from "../domain/tool.ts";
import { type AskedCall, runsShell } from "./act.ts";
import type { PermissionContext } from "./context.ts";

/** Whatever goes wrong, the answer is "ask". Throws after an abort. */
export type Reviewer = (
  call: ReviewedCall,
  signal: AbortSignal,
  tell: TellReview,
) => Promise<Review["verdict"]>;

export interface ReviewedCall {
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  /** The command, or what is done to which file. */
  readonly shown: string;
  /** All that the model is told of it. */
  readonly facts: CallFacts;
}

interface CallFacts {
  readonly tool: string;
  readonly command?: AskedCommand & { readonly simpleCommands: readonly string[] };
  readonly paths?: readonly { readonly access: "read" | "write"; readonly path: string }[];
  readonly hosts?: readonly string[];
  /** How many lines a change adds and removes. */
  readonly lines?: { readonly added: number; readonly removed: number };
  readonly askedBecause: string;
  /** What the person refused earlier, and what they said. */
  readonly refusedEarlier?: readonly RefusedCall[];
}

export interface RefusedCall {
  readonly call: string;
  readonly words: string;
}

export interface Decided {
  readonly call: AskedCall;
  readonly decision: Decision;
  readonly context: PermissionContext;
}

/** A command that would leave a sandbox is the person's to allow. */
export function mayBeReviewed({ call, decision, context }: Decided): boolean {
  if (context.mode !== "auto" || decision.decision !== "ask" || decision.reviewable !== true) return false;
  return !runsShell(call) || !context.sandbox || decision.sandboxed === true;
}

interface Shown {
  /** What is done to what, for a call that runs no command. */
  readonly label: string;
  readonly command: AskedCommand | undefined;
  readonly preview: CallPreview | null;
  readonly refusals: readonly RefusedCall[];
}

export function reviewedCall(
  { toolCallId, toolName }: ToolCallPart,
  { call: { demands = [] }, decision: { reason, commands = [] } }: Decided,
  { label, command, preview, refusals }: Shown,
): ReviewedCall {
  const paths = demands.flatMap((demand) =>
    demand.type === "path" ? [{ access: demand.access, path: demand.path }] : [],
  );
  const hosts = demands.flatMap((demand) => (demand.type === "fetch" ? [demand.host] : []));
  const facts = {
    tool: toolName,
    ...defined({
      command: command && { ...command, simpleCommands: commands },
      paths: paths.length > 0 ? paths : undefined,
      hosts: hosts.length > 0 ? hosts : undefined,
      lines: preview?.type === "diff" ? changedLines(preview.diff) : undefined,
      refusedEarlier: refusals.length > 0 ? refusals : undefined,
    }),
    askedBecause: reason,
  };
  return { toolCallId, toolName, shown: command?.script ?? label, facts };
}

function changedLines(diff: string): { readonly added: number; readonly removed: number } {
  const count = (mark: string) => diff.split("\n").filter((line) => line.startsWith(mark)).length;
  return { added: count("+") - count("+++"), removed: count("-") - count("---") };
}
