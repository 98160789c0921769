// A tool as everybody sees it. It says everything about itself here: what the model is told, what a call demands of
// permission, how a call and its result are shown. No other room decides anything by a tool's name.
import type { JsonObject } from "../base/json.ts";
import type { PausedWhile } from "../base/pausable-timer.ts";
import type { Content } from "./content.ts";
import type { Demand, Grant, RuleTopic } from "./grant.ts";
import type { ToolCallId } from "./ids.ts";
import type { Review } from "./review.ts";
import type { ToolDetails } from "./tool-details.ts";
import type { UsageTotals } from "./usage.ts";

/** Within a batch, neighbouring research and read calls run in parallel; a write call runs alone, in its place. */
export type ToolKind = "research" | "read" | "write";

/** What the model is told about a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

export interface Tool extends ToolSpec {
  /** write, if absent. */
  readonly kind?: ToolKind;
  /** How long one attempt may take. */
  readonly deadlineMs?: number;
  /** It waits for a person: no deadline, and the time doesn't count against the request's. */
  readonly asksPerson?: boolean;
  /** If absent, the tool is offered to the agent itself and to no subagent. */
  readonly isOffered?: (to: Audience) => boolean;
  /** What this call would do. If absent, nobody knows, so the person is asked about the tool by its name. */
  readonly demands?: (args: JsonObject) => readonly Demand[];
  /** What a permission rule TOOL(PATTERN) with this tool's name is about; absent: rules name it without a pattern. */
  readonly ruleTopic?: RuleTopic;
  /** Its rules about paths also apply to what shell commands read or write. */
  readonly rulesReachShell?: true;
  readonly label?: (args: JsonObject) => CallLabel;
  /** The question a person is asked about a call: "May this command run?" */
  readonly question?: string;
  /** What a call would change, for the person who is asked. A failure says why the call can't work at all. */
  readonly preview?: (args: JsonObject, signal: AbortSignal) => Promise<CallPreview | null>;
  /** How the text of a result is shown to a person; absent: its beginning. */
  readonly resultStyle?: ResultStyle;
  /** What other programs' protocols call it. */
  readonly names?: ProtocolNames;
  /** The arguments fit `parameters`, with the defaults filled in. */
  readonly execute: (args: JsonObject, context: ToolContext) => Promise<ToolOutput>;
}

/** For whom a list of tools is made. */
export interface Audience {
  /** The agent a person talks to, or a subagent that only looks around. */
  readonly role: "agent" | "research";
  /** Somebody can be asked. */
  readonly hasPerson: boolean;
}

/** A call in one line: what it does, to what. */
export interface CallLabel {
  readonly verb: string;
  readonly subject: string;
  /** The subject in full, where it may take several lines. */
  readonly whole?: string;
}

export type CallPreview =
  /** numbered: the line numbers in the file are known. */
  | { readonly type: "diff"; readonly diff: string; readonly numbered: boolean }
  /** It can't work: the model is told so, and nobody is asked. */
  | { readonly type: "failure"; readonly reason: string };

/** How a call is shown to a person. */
export interface CallDescription {
  readonly label: CallLabel;
  readonly resultStyle: ResultStyle;
}

/** head, tail: the beginning or the end of it; count: only how much; markdown: after the whole subject, as prose. */
export type ResultStyle = "head" | "tail" | "count" | "markdown";

export interface ProtocolNames {
  /** As hooks of other agents know it: Bash, Edit, Read. */
  readonly hooks: string;
  /** As editors group it. */
  readonly editors: "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "other";
}

/** A plain string is a success. `failed` is read by the model like any return. `details` are for programs. */
export type ToolOutput =
  | string
  | {
      readonly content: Content;
      readonly failed?: boolean;
      readonly details?: ToolDetails;
      /** The file with the whole of an output that was too long; the content names it. */
      readonly keptIn?: string;
    };

export interface ToolContext {
  readonly toolCallId: ToolCallId;
  readonly signal: AbortSignal;
  /** What was permitted; the call runs by it and decides nothing again. */
  readonly grant: Grant;
  /** Live output for the person; the model doesn't see it. */
  readonly progress: (text: string) => void;
  /** What the tool itself spent on models: a subagent's calls. */
  readonly spend: (call: UsageTotals) => void;
  /** A call of a subagent was reviewed. */
  readonly reviewed: (review: Review) => void;
  /** While a person is asked, neither the tool's deadline nor the request's runs on. */
  readonly pausedWhile: PausedWhile;
}

export function toolKind(tool: Tool | undefined): ToolKind {
  return tool?.kind ?? "write";
}

/** The tools that are offered to an audience. A tool without `isOffered` is for the agent alone. */
export function offeredTo(tools: readonly Tool[], audience: Audience): Tool[] {
  return tools.filter((tool) => tool.isOffered?.(audience) ?? audience.role === "agent");
}

/** An unknown tool, or one without a label, is shown by its name and its arguments as JSON. */
export function describeCall(
  tool: Pick<Tool, "label" | "resultStyle"> | undefined,
  { toolName, args }: { readonly toolName: string; readonly args: JsonObject },
): CallDescription {
  const isEmpty = Object.keys(args).length === 0;
  return {
    label: ownLabel(tool, args) ?? { verb: toolName, subject: isEmpty ? "" : JSON.stringify(args) },
    resultStyle: tool?.resultStyle ?? "head",
  };
}

const LONGEST_SUBJECT = 60;

/** For one line of text: the first line of the subject, cut if it is long. */
export function labelLine({ verb, subject }: CallLabel): string {
  const [line = ""] = subject.trim().split("\n", 1);
  const short = line.length > LONGEST_SUBJECT ? `${line.slice(0, LONGEST_SUBJECT)}…` : line;
  return short === "" ? verb : `${verb} ${short}`;
}

/** The arguments are not checked yet, and a label that throws must not fail the call. */
function ownLabel(tool: Pick<Tool, "label"> | undefined, args: JsonObject): CallLabel | undefined {
  try {
    return tool?.label?.(args);
  } catch {
    return undefined;
  }
}
