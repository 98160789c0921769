// An entry as the journal writes it. Keys are single words; messages are in the file format of wire.ts.
import { defined } from "../base/defined.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { never } from "../base/never.ts";
import type { JournalEntry, Rewrite, Sequence } from "../domain/journal-entry.ts";
import type { Message } from "../domain/message.ts";
import type { Part } from "../domain/part.ts";
import { encodeMessages } from "./stored-message.ts";

/** The record that already holds this return, if any: a message then refers to it instead of repeating it. */
export type FindSettled = (part: Part) => Sequence | undefined;

export function encodeEntry(entry: JournalEntry, findSettled: FindSettled): JsonObject {
  const { kind } = entry;
  switch (kind) {
    case "header":
      return {
        kind,
        version: entry.version,
        session: entry.sessionId,
        project: entry.projectId,
        directory: entry.workingDirectory,
        created: entry.createdAt,
        model: entry.model,
        ...defined({ imported: entry.imported, forked: entry.forkedFrom, extra: entry.extra }),
      };
    case "opened":
    case "title":
    case "model":
    case "partial":
    case "thought":
      return { ...entry };
    case "prompt": {
      const part = { kind: "user-prompt", content: entry.content } as const;
      const message = encodeMessage({ kind: "request", parts: [part] }, findSettled);
      return { kind, index: entry.index, request: entry.requestId, at: entry.at, message };
    }
    case "message":
      return { kind, index: entry.index, message: encodeMessage(entry.message, findSettled) };
    case "replacement":
      return { kind, message: encodeMessage(entry.message, findSettled) };
    case "started":
      return { kind, call: entry.toolCallId, tool: entry.toolName };
    case "settled": {
      const message = encodeMessage({ kind: "request", parts: [entry.result] }, () => undefined);
      return { kind, status: entry.status, duration: entry.durationMs, message };
    }
    case "usage": {
      const { promptTokens: prompt, completionTokens: completion, cachedTokens: cached, cost } = entry.call;
      return { kind, prompt, completion, cached, cost, ...(entry.byTool === true ? { tool: true } : {}) };
    }
    case "repair":
      return { kind, ...encodeRewrite(entry), repairs: entry.repairs.map((repair) => ({ ...repair })) };
    case "compaction":
      return {
        kind,
        ...encodeRewrite(entry),
        before: entry.tokensBefore,
        after: entry.tokensAfter,
        summary: entry.summary,
      };
    case "interrupted":
      return { kind, ...encodeRewrite(entry), why: entry.why, unsent: entry.unsent };
    case "end":
      return {
        kind,
        index: entry.index,
        outcome: entry.outcome,
        at: entry.at,
        ...defined({ problem: entry.problem }),
        ...(entry.work === undefined ? {} : { ms: entry.work.wallMs, calls: entry.work.toolCalls }),
      };
    default:
      return never(entry);
  }
}

function encodeRewrite({ history, count, replacements }: Rewrite): JsonObject {
  return { history, count, replacements };
}

function encodeMessage(message: Message, findSettled: FindSettled): JsonValue {
  const [encoded = null] = encodeMessages([message]);
  if (message.kind !== "request" || !isJsonObject(encoded)) return encoded;
  const parts = encoded["parts"];
  if (!Array.isArray(parts)) return encoded;
  return { ...encoded, parts: parts.map((part, at) => reference(message.parts[at], findSettled) ?? part) };
}

/** With the call's id and tool, so that a lost result can still be answered for. */
function reference(part: Part | undefined, findSettled: FindSettled): JsonObject | undefined {
  if (part?.kind !== "tool-return") return undefined;
  const settled = findSettled(part);
  return settled === undefined ? undefined : { settled, call: part.toolCallId, tool: part.toolName };
}
