// A record of the journal as the entry it holds. Never throws: a kind we don't know is "unknown" (a newer
// program's, skipped), and a body that doesn't fit its kind is "unreadable".
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { JournalEntry, Rewrite, Sequence, SequenceRange } from "../domain/journal-entry.ts";
import type { Message, Request } from "../domain/message.ts";
import type { ReturnStatus, ToolReturnPart } from "../domain/part.ts";
import type { JournalRecord } from "./line.ts";
import { decodeMessages } from "./stored-message.ts";

/** The result that a settled record holds. */
export type ReadSettled = (seq: Sequence) => ToolReturnPart | undefined;

export type Decoded = JournalEntry | "unknown" | "unreadable";

/** What the model reads in place of a result whose record is gone. */
export const LOST_RESULT = "[The result of this call was lost: its record in the session file is damaged.]";

export function decodeEntry({ kind, body }: JournalRecord, readSettled: ReadSettled): Decoded {
  switch (kind) {
    case "header":
      return {
        kind,
        version: number(body["version"]) ?? 1,
        sessionId: text(body["session"]),
        projectId: text(body["project"]),
        workingDirectory: text(body["directory"]),
        createdAt: text(body["created"]),
        model: text(body["model"]),
        ...(typeof body["imported"] === "string" ? { imported: body["imported"] } : {}),
        ...(typeof body["forked"] === "string" ? { forkedFrom: body["forked"] } : {}),
        ...(isJsonObject(body["extra"]) ? { extra: body["extra"] } : {}),
      };
    case "opened":
      return { kind, at: text(body["at"]) };
    case "title":
    case "thought":
      return { kind, text: text(body["text"]) };
    case "model":
      return { kind, name: text(body["name"]) };
    case "prompt": {
      const part = decodeMessage(body["message"], readSettled)?.parts[0];
      if (part?.kind !== "user-prompt") return "unreadable";
      return {
        kind,
        index: number(body["index"]) ?? 0,
        requestId: text(body["request"]),
        content: part.content,
        at: text(body["at"]),
      };
    }
    case "message": {
      const message = decodeMessage(body["message"], readSettled);
      return message === undefined ? "unreadable" : { kind, index: number(body["index"]) ?? 0, message };
    }
    case "replacement": {
      const message = decodeMessage(body["message"], readSettled);
      return message === undefined ? "unreadable" : { kind, message };
    }
    case "partial":
      return { kind, offset: number(body["offset"]) ?? 0, text: text(body["text"]) };
    case "started":
      return { kind, toolCallId: text(body["call"]), toolName: text(body["tool"]) };
    case "settled": {
      const result = decodeMessage(body["message"], readSettled)?.parts[0];
      if (result?.kind !== "tool-return") return "unreadable";
      return { kind, result, status: status(body["status"]), durationMs: number(body["duration"]) ?? null };
    }
    case "usage":
      return {
        kind,
        call: {
          promptTokens: number(body["prompt"]) ?? 0,
          completionTokens: number(body["completion"]) ?? 0,
          cachedTokens: number(body["cached"]) ?? 0,
          cost: number(body["cost"]) ?? 0,
        },
        ...(body["tool"] === true ? { byTool: true } : {}),
      };
    case "repair":
      // What was repaired is for people who read the file; the history is all that loading needs.
      return { kind, ...decodeRewrite(body), repairs: [] };
    case "compaction":
      return {
        kind,
        ...decodeRewrite(body),
        tokensBefore: number(body["before"]) ?? 0,
        tokensAfter: number(body["after"]) ?? 0,
        summary: typeof body["summary"] === "string" ? body["summary"] : null,
      };
    case "interrupted":
      return {
        kind,
        ...decodeRewrite(body),
        why: list(body["why"]).map(text),
        unsent: body["unsent"] === true,
      };
    case "end":
      return {
        kind,
        index: number(body["index"]) ?? 0,
        outcome: text(body["outcome"]),
        at: text(body["at"]),
        ...(typeof body["problem"] === "string" ? { problem: body["problem"] } : {}),
        work: { wallMs: number(body["ms"]) ?? 0, toolCalls: number(body["calls"]) ?? 0 },
      };
    default:
      return "unknown";
  }
}

function decodeMessage(raw: JsonValue | undefined, readSettled: ReadSettled): Message | undefined {
  if (!isJsonObject(raw)) return undefined;
  const parts = list(raw["parts"]);
  const hasReferences = raw["kind"] === "request" && parts.some(isReference);
  const written = hasReferences ? { ...raw, parts: parts.filter((part) => !isReference(part)) } : raw;
  const { messages } = decodeMessages([written]);
  const [message] = messages;
  if (message === undefined || messages.length > 1) return undefined;
  return hasReferences && message.kind === "request" ? withResults(message, parts, readSettled) : message;
}

/** Puts the results that a request refers to in their places. */
function withResults(request: Request, raw: readonly JsonValue[], readSettled: ReadSettled): Request {
  const written = request.parts.values();
  const parts = raw.flatMap((part) => {
    if (isReference(part)) return [result(part, readSettled)];
    const next = written.next();
    return next.done === true ? [] : [next.value];
  });
  return { ...request, parts };
}

function isReference(part: JsonValue): part is JsonObject {
  return isJsonObject(part) && typeof part["settled"] === "number";
}

function result(reference: JsonObject, readSettled: ReadSettled): ToolReturnPart {
  return (
    readSettled(number(reference["settled"]) ?? 0) ?? {
      kind: "tool-return",
      toolCallId: text(reference["call"]),
      toolName: text(reference["tool"]),
      content: LOST_RESULT,
      status: "failed",
    }
  );
}

function decodeRewrite(body: JsonObject): Rewrite {
  return {
    history: list(body["history"]).flatMap(range),
    count: number(body["count"]) ?? 0,
    replacements: number(body["replacements"]) ?? 0,
  };
}

function range(value: JsonValue): SequenceRange[] {
  const [from, to] = list(value);
  return typeof from === "number" && typeof to === "number" ? [[from, to]] : [];
}

function status(value: JsonValue | undefined): ReturnStatus {
  return value === "failed" || value === "cancelled" ? value : "completed";
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
