// Which entries of the journal an event becomes, and whether they must be safe before the next step. Events that
// are only for the screen become none; messages, rewrites and streamed text are the recorder's business.
import type { AgentEvent } from "../domain/event.ts";
import type { SessionEntry } from "../domain/session-entry.ts";

export interface EventEntries {
  readonly entries: readonly SessionEntry[];
  readonly sync: boolean;
}

type RequestEnd = Extract<AgentEvent, { type: "request-end" }>;

const NOTHING: EventEntries = { entries: [], sync: false };

/** `index`: the length of the history before the event. */
export function entriesOf(event: AgentEvent, index: number, at: string): EventEntries {
  switch (event.type) {
    case "thought":
      // Shares the sync of its response.
      return { entries: [{ kind: "thought", text: event.text }], sync: false };
    case "tool-start": {
      const { toolCallId, toolName, hasEffects } = event;
      return hasEffects ? { entries: [{ kind: "started", toolCallId, toolName }], sync: true } : NOTHING;
    }
    case "tool-end": {
      // Shares the sync of the message that takes up all the results, or of the next call that has effects.
      const { result, status, durationMs } = event;
      return { entries: [{ kind: "settled", result, status, durationMs }], sync: false };
    }
    case "usage": {
      const byTool = event.byTool === true ? { byTool: true } : {};
      return { entries: [{ kind: "usage", call: event.call, ...byTool }], sync: false };
    }
    case "request-end":
      // All that was said and done is safe; that it is over can be seen without this.
      return { entries: [endEntry(event, index, at)], sync: false };
    default:
      return NOTHING;
  }
}

function endEntry({ outcome, work }: RequestEnd, index: number, at: string): SessionEntry {
  const problem = outcome.type === "failed" ? { problem: `${outcome.code}: ${outcome.message}` } : {};
  return {
    kind: "end",
    index,
    outcome: outcome.type,
    at,
    ...problem,
    ...(work === undefined ? {} : { work }),
  };
}
