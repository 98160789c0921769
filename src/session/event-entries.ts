// Which entries of the journal an event becomes, and how soon they have to be safe. Events that are only for the screen
// become none; the recorder itself takes care of streamed text.
import { defined } from "../base/defined.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { RequestId } from "../domain/ids.ts";
import type { EntryOf, JournalEntry, Rewrite } from "../domain/journal-entry.ts";
import type { Message } from "../domain/message.ts";
import { isAnswer } from "../domain/part.ts";
import { NO_USAGE } from "../domain/usage.ts";
import type { SessionState } from "./state.ts";

interface EventEntries {
  readonly entries: readonly JournalEntry[];
  /** `hold`: written together with whatever is written next. `sync`: safe before the next step. */
  readonly how: "hold" | "write" | "sync";
}

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

interface EntryPlace {
  /** The length of the history. */
  readonly index: number;
  readonly at: string;
  readonly requestId: RequestId;
}

/** Messages are not among the entries: the conversation holds them. */
export function entriesOf(event: AgentEvent, { index, at, requestId }: EntryPlace): EventEntries | null {
  switch (event.type) {
    case "message-end":
      // A prompt alone is already safe, in its own record.
      return { entries: [], how: endsStep(event.message) ? "sync" : "write" };
    case "thought":
      return { entries: [{ kind: "thought", text: event.text }], how: "hold" };
    case "tool-start": {
      const { toolCallId, toolName, hasEffects } = event;
      return hasEffects ? { entries: [{ kind: "started", toolCallId, toolName }], how: "sync" } : null;
    }
    case "tool-end": {
      // Shares the sync of the message that takes up all the results, or of the next call that has effects.
      const { result, status, durationMs } = event;
      return { entries: [{ kind: "settled", result, status, durationMs }], how: "write" };
    }
    case "usage": {
      const { call, byTool } = event;
      return { entries: [{ kind: "usage", call, ...defined({ byTool }) }], how: byTool ? "write" : "hold" };
    }
    case "simpler-form":
      // Without it, the next request would only have to find out again.
      return { entries: [{ kind: "form", form: event.form }], how: "hold" };
    case "review":
      // If the call may run now and has effects, its start is synced, and this with it.
      return { entries: [{ kind: "review", review: event.review }], how: "write" };
    case "files-changed": {
      // The call itself is safe; this has to be before the next one changes anything, whose start is synced.
      return { entries: filesEntries(requestId, event), how: "write" };
    }
    case "request-end":
      // All that was said and done is already safe, and a reader sees that the request is over without this entry.
      return { entries: [endEntry(event, index, at)], how: "write" };
    default:
      return null;
  }
}

const CHANGES_IN_ENTRY = 1_000;

function filesEntries(
  requestId: RequestId,
  { by, changes, root }: EventOf<"files-changed">,
): readonly JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (let start = 0; start < changes.length; start += CHANGES_IN_ENTRY) {
    const some = changes.slice(start, start + CHANGES_IN_ENTRY);
    entries.push({ kind: "files", requestId, by, changes: some, ...defined({ root }) });
  }
  return entries;
}

export function rewriteOf(
  event: EventOf<"repair" | "compaction" | "restored">,
): (rewrite: Rewrite) => JournalEntry {
  if (event.type === "restored")
    return (rewrite) => ({ kind: "restore", ...rewrite, restore: event.restore });
  if (event.type === "repair") return (rewrite) => ({ kind: "repair", ...rewrite, repairs: event.repairs });
  const { tokensBefore, tokensAfter, summary } = event;
  return (rewrite) => ({ kind: "compaction", ...rewrite, tokensBefore, tokensAfter, summary });
}

/** What a journal begins with, before the messages. */
export function firstEntries(state: SessionState, header: EntryOf<"header">, at: string): JournalEntry[] {
  const { title, conversation, usage, reviews, currentModel: model } = state;
  return [
    { ...header, model },
    { kind: "opened", at },
    ...(title === "" ? [] : [{ kind: "title", text: title } as const]),
    ...conversation.thoughts.map((text) => ({ kind: "thought", text }) as const),
    ...(usage.sessionTotal === NO_USAGE ? [] : [{ kind: "usage", call: usage.sessionTotal } as const]),
    ...conversation.forms.map((form) => ({ kind: "form", form }) as const),
    ...reviews.map((review) => ({ kind: "review", review }) as const),
  ];
}

/** A message that ends a model call or a batch of tool calls: that work must never have to be done again. */
function endsStep({ kind, parts }: Message): boolean {
  return kind === "response" || parts.some(isAnswer);
}

function endEntry({ outcome, work }: EventOf<"request-end">, index: number, at: string): JournalEntry {
  const problem = outcome.type === "failed" ? `${outcome.code}: ${outcome.message}` : undefined;
  return { kind: "end", index, outcome: outcome.type, at, ...defined({ problem, work }) };
}
