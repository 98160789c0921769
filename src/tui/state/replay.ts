// Turns a conversation from disk into entries of the transcript.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { INTERRUPTED, type Request } from "../../domain/message.ts";
import { type AnswerPart, isAnswer, type ResponsePart } from "../../domain/part.ts";
import { describeReview } from "../../domain/review.ts";
import type { ShownMessage } from "../../domain/summary.ts";
import { describeCall } from "../../domain/tool.ts";
import type { CallDescriptions } from "../../front/contract.ts";
import { blocksOf } from "./answer-blocks.ts";
import { type EntryBody, pendingTool, promptEntry, settledTool, summedUp, type ToolEntry } from "./entry.ts";

export function replay(messages: readonly ShownMessage[], descriptions: CallDescriptions): EntryBody[] {
  const answers = new Map<string, AnswerPart>();
  for (const message of messages)
    if (message.kind === "request")
      for (const part of message.parts) if (isAnswer(part)) answers.set(part.toolCallId, part);
  return messages.flatMap((message): EntryBody[] => {
    if (message.kind === "request") return replayRequest(message);
    if (message.kind === "summed-up") return [summedUp(message)];
    return message.parts.flatMap((part) => replayPart(part, answers, descriptions));
  });
}

/** The files that the edits in these messages changed. */
export function editedIn(messages: readonly ShownMessage[]): readonly string[] {
  const parts = messages.flatMap((message) => (message.kind === "request" ? message.parts : []));
  const paths = parts.flatMap((part) =>
    part.kind === "tool-return" && part.details?.type === "edit" ? [part.details.path] : [],
  );
  return [...new Set(paths)];
}

function replayRequest({ parts, timestamp }: Request): EntryBody[] {
  // A prompt beside tool returns was sent while the request ran.
  const steered = parts.some(isAnswer);
  return parts.flatMap((part) =>
    part.kind === "user-prompt"
      ? [promptEntry(part.content, milliseconds(part.timestamp ?? timestamp), steered)]
      : [],
  );
}

function replayPart(
  part: ResponsePart,
  answers: ReadonlyMap<string, AnswerPart>,
  descriptions: CallDescriptions,
): EntryBody[] {
  switch (part.kind) {
    case "text":
      return replayText(part.content);
    case "thinking": {
      const text = stripTerminalControls(part.content).trim();
      return text === "" ? [] : [{ kind: "thought", text, open: false, startedAt: null, durationMs: null }];
    }
    case "tool-call": {
      const description = descriptions[part.toolCallId];
      const pending = pendingTool(part, description ?? describeCall(undefined, part));
      const reviews = description?.reviews?.map((review): EntryBody => {
        return { kind: "notice", tone: "quiet", text: stripTerminalControls(describeReview(review)) };
      });
      return [settled(pending, answers.get(part.toolCallId)), ...(reviews ?? [])];
    }
    case "unknown":
      return [];
  }
}

function replayText(content: string): EntryBody[] {
  const isInterrupted = content.startsWith(INTERRUPTED);
  const text = stripTerminalControls(isInterrupted ? content.slice(INTERRUPTED.length).trimStart() : content);
  const blocks = blocksOf(text).map((block): EntryBody => ({ kind: "answer", block, open: false }));
  return isInterrupted ? [...blocks, { kind: "notice", tone: "warning", text: "Stopped here." }] : blocks;
}

function settled(tool: ToolEntry, answer: AnswerPart | undefined): ToolEntry {
  if (answer === undefined) return { ...tool, status: "cancelled", result: "" };
  if (answer.kind === "tool-return") return settledTool(tool, answer);
  const { content } = answer;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return { ...tool, status: "failed", result: stripTerminalControls(text) };
}

function milliseconds(timestamp: string | undefined): number | null {
  const parsed = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(parsed) ? null : parsed;
}
