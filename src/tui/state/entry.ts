// What the transcript is made of. An entry is immutable: a change puts a new entry in its place.
import type { JsonObject } from "../../base/json.ts";
import { outsideSource } from "../../base/outside-text.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { type Content, type ContentItem, contentText, typedText } from "../../domain/content.ts";
import type { ToolCallId } from "../../domain/ids.ts";
import type { ReturnStatus, ToolReturnPart } from "../../domain/part.ts";
import type { SummedUp } from "../../domain/summary.ts";
import type { CallDescription, CallLabel, ResultStyle } from "../../domain/tool.ts";
import { changeTexts, type ToolDetails } from "../../domain/tool-details.ts";
import type { UsageTotals } from "../../domain/usage.ts";
import type { Panel, Tone } from "../../front/contract.ts";
import type { Block } from "./answer-blocks.ts";

/** gap: a blank line comes before it. */
export type TranscriptEntry = EntryBody & { readonly gap: boolean };

export type EntryBody =
  | PromptEntry
  | { readonly kind: "answer"; readonly block: Block; readonly open: boolean }
  | ThoughtEntry
  | ToolEntry
  | ShellEntry
  | { readonly kind: "notice"; readonly tone: Tone; readonly text: string }
  | { readonly kind: "panel"; readonly panel: Panel }
  | SummedUp
  | TurnEndEntry;

export interface PromptEntry {
  readonly kind: "prompt";
  readonly text: string;
  readonly attachments: readonly string[];
  /** In milliseconds; null: an old file doesn't have it. */
  readonly at: number | null;
  /** It was sent while a request ran. */
  readonly steered: boolean;
}

export interface ThoughtEntry {
  readonly kind: "thought";
  readonly text: string;
  readonly open: boolean;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
}

export interface ToolEntry {
  readonly kind: "tool";
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly args: JsonObject;
  readonly label: CallLabel;
  readonly resultStyle: ResultStyle;
  readonly status: "pending" | "running" | "refused" | ReturnStatus;
  /** Only the newest live output. */
  readonly progress: string;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly result: string | null;
  readonly details: ToolDetails | null;
}

/** A command the person ran. shared: its output goes to the model with the next prompt. */
export interface ShellEntry {
  readonly kind: "shell";
  readonly command: string;
  readonly output: string;
  readonly shared: boolean;
  readonly open: boolean;
  readonly startedAt: number;
  readonly exitCode: number | null;
}

export interface TurnEndEntry {
  readonly kind: "turn-end";
  readonly usage: UsageTotals;
  readonly durationMs: number;
  /** How long the model was writing, for the tokens per second. */
  readonly generatingMs: number;
  /** How many files its calls changed. */
  readonly changedFiles: number;
}

export function isFinished(entry: TranscriptEntry): boolean {
  switch (entry.kind) {
    case "answer":
    case "thought":
    case "shell":
      return !entry.open;
    case "tool":
      return entry.status !== "pending" && entry.status !== "running";
    case "prompt":
    case "notice":
    case "panel":
    case "summed-up":
    case "turn-end":
      return true;
  }
}

/** previous: the entry before them. */
export function withGaps(bodies: readonly EntryBody[], previous?: EntryBody): TranscriptEntry[] {
  return bodies.map((body, index) => ({ ...body, gap: hasGap(bodies[index - 1] ?? previous, body) }));
}

/** Whether a blank line belongs between two entries. */
function hasGap(previous: EntryBody | undefined, body: EntryBody): boolean {
  if (previous === undefined) return false;
  if (body.kind === "answer") return previous.kind !== "answer" || body.block.gap;
  if (body.kind === "turn-end") return false;
  if (body.kind === "tool" || body.kind === "notice") return previous.kind !== body.kind;
  return true;
}

/** How many characters an entry keeps in memory. */
export function entryCharacters(entry: TranscriptEntry): number {
  switch (entry.kind) {
    case "answer":
      return entry.block.text.length;
    case "prompt":
    case "thought":
    case "notice":
      return entry.text.length;
    case "tool":
      return (entry.result?.length ?? 0) + entry.progress.length + detailCharacters(entry.details);
    case "shell":
      return entry.output.length;
    case "summed-up":
      return entry.summary.length;
    case "panel":
    case "turn-end":
      return 0;
  }
}

function detailCharacters(details: ToolDetails | null): number {
  if (details?.type === "edit") return details.diff.length;
  return details?.type === "command" ? details.output.length : 0;
}

/** A prompt is shown as the words of the person and the names of what they attached. */
export function promptEntry(content: Content, at: number | null, steered: boolean): PromptEntry {
  const items: readonly ContentItem[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  const words = items.find((item) => item.type === "text");
  return {
    kind: "prompt",
    text: stripTerminalControls(typedText(content)),
    attachments: items.filter((item) => item !== words).map(attachmentName),
    at,
    steered,
  };
}

function attachmentName(item: ContentItem): string {
  switch (item.type) {
    case "image":
      return `image (${item.mediaType})`;
    case "text":
      return stripTerminalControls(outsideSource(item.text) ?? item.text.split("\n", 1)[0] ?? "");
    case "json":
      return "data";
  }
}

export function pendingTool(
  { toolCallId, toolName, args }: Pick<ToolEntry, "toolCallId" | "toolName" | "args">,
  { label, resultStyle }: CallDescription,
): ToolEntry {
  return {
    kind: "tool",
    toolCallId,
    toolName,
    args,
    label,
    resultStyle,
    status: "pending",
    progress: "",
    startedAt: null,
    durationMs: null,
    result: null,
    details: null,
  };
}

/** The call with its result, without control sequences. */
export function settledTool(tool: ToolEntry, answer: ToolReturnPart): ToolEntry {
  const { status = "completed", details } = answer;
  return {
    ...tool,
    status: details?.type === "refusal" ? "refused" : status,
    result: stripTerminalControls(contentText(answer.content)),
    details: details === undefined ? null : printable(details),
  };
}

/** A diff is left as it is, because it is drawn with nothing hidden. */
function printable(details: ToolDetails): ToolDetails {
  return details.type === "edit" ? details : changeTexts(details, stripTerminalControls);
}

export function summedUp(mark: SummedUp): SummedUp {
  return { ...mark, summary: stripTerminalControls(mark.summary) };
}
