// The one fold that changes what the screen shows.
import type { AgentEvent } from "../../domain/event.ts";
import type { Message } from "../../domain/message.ts";
import type { PermissionMode } from "../../domain/permission.ts";
import type { UsageTotals } from "../../domain/usage.ts";
import type { ModelInfo } from "../ports.ts";
import { NO_TEXT } from "./answer-blocks.ts";
import type { Entry, EntryBody, Tone } from "./entry.ts";
import { foldEvent } from "./fold-event.ts";
import { startRequest } from "./running-request.ts";
import { appendEntries, changeEntries } from "./transcript.ts";
import type { ViewState } from "./view-state.ts";

export type Action =
  | { readonly type: "event"; readonly event: AgentEvent; readonly now: number }
  | {
      readonly type: "prompt-sent";
      readonly text: string;
      readonly attachments: readonly string[];
      readonly now: number;
    }
  | { readonly type: "session-opened"; readonly opened: OpenedView }
  | { readonly type: "entries-added"; readonly entries: readonly EntryBody[] }
  | { readonly type: "entries-changed"; readonly change: (entry: Entry) => Entry }
  | { readonly type: "note"; readonly tone: Tone; readonly text: string }
  | { readonly type: "stop-asked" }
  | { readonly type: "changed"; readonly changes: Partial<ViewState> };

/** What is known of a session once it is open. */
export interface OpenedView {
  readonly id: string;
  readonly title: string;
  readonly model: ModelInfo;
  readonly mode: PermissionMode;
  readonly usage: UsageTotals;
  readonly contextTokens: number;
  /** Absent: they stay as they were. */
  readonly earlier?: readonly Message[];
  readonly entries: readonly EntryBody[];
}

export function fold(state: ViewState, action: Action): ViewState {
  switch (action.type) {
    case "event":
      return foldEvent(state, action.event, action.now);
    case "prompt-sent": {
      const { text, attachments, now } = action;
      const prompt = { kind: "prompt", text, attachments, at: now, steered: false } as const;
      return {
        ...withEntries(state, [prompt]),
        request: startRequest(now),
        openText: NO_TEXT,
        heldText: "",
        shellOutputs: [],
      };
    }
    case "session-opened":
      return openSession(state, action.opened);
    case "entries-added":
      return withEntries(state, action.entries);
    case "entries-changed":
      return { ...state, transcript: changeEntries(state.transcript, action.change) };
    case "note":
      return withEntries(state, [{ kind: "notice", tone: action.tone, text: action.text }]);
    case "stop-asked":
      return state.request === null ? state : { ...state, request: { ...state.request, stopping: true } };
    case "changed":
      return { ...state, ...action.changes };
  }
}

function withEntries(state: ViewState, bodies: readonly EntryBody[]): ViewState {
  return { ...state, transcript: appendEntries(state.transcript, bodies) };
}

function openSession(state: ViewState, opened: OpenedView): ViewState {
  const { id, title, model, mode, usage, contextTokens, earlier = state.earlier, entries } = opened;
  return {
    ...withEntries(state, entries),
    session: { id, title, opening: false },
    openText: NO_TEXT,
    heldText: "",
    model,
    mode,
    usage,
    contextTokens,
    earlier,
    editedFiles: [],
    lastAction: "",
    shellOutputs: [],
  };
}
