// The one fold that changes what the screen shows.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { lastOf } from "../../front/bounded-output.ts";
import type { FrontEvent, SessionOpening, Status } from "../../front/contract.ts";
import { NO_TEXT } from "./answer-blocks.ts";
import type { EntryBody, ShellEntry } from "./entry.ts";
import { foldEvent } from "./fold-event.ts";
import { startRequest } from "./running-request.ts";
import { openedEntries } from "./session-opening.ts";
import { appendEntries, changeEntries } from "./transcript.ts";
import type { ViewState } from "./view-state.ts";

export type Action =
  | { readonly type: "front"; readonly event: FrontEvent }
  | { readonly type: "entry-added"; readonly entry: EntryBody }
  | { readonly type: "changed"; readonly changes: Partial<ViewState> };

export function fold(state: ViewState, action: Action): ViewState {
  switch (action.type) {
    case "front":
      return foldFront(state, action.event);
    case "entry-added":
      return withEntries(state, [action.entry]);
    case "changed":
      return { ...state, ...action.changes };
  }
}

function foldFront(state: ViewState, event: FrontEvent): ViewState {
  const { at } = event;
  switch (event.type) {
    case "agent":
      return foldEvent(state, event.event, at);
    case "session-opened":
      return openSession(state, event);
    case "status-changed":
      return withStatus(state, event.status);
    case "commands-changed":
      return { ...state, commands: event.commands };
    case "prompt-sent": {
      const { text, attachments } = event;
      const prompt = { kind: "prompt", text, attachments, at, steered: false } as const;
      const request = startRequest(at);
      return { ...withEntries(state, [prompt]), request, openText: NO_TEXT, heldText: "" };
    }
    case "work-started":
      return { ...state, request: { ...startRequest(at), activity: event.activity } };
    case "work-ended":
      return { ...state, request: null };
    case "stopping":
      return state.request === null ? state : { ...state, request: { ...state.request, stopping: true } };
    case "queue-changed":
      return { ...state, queue: event.queue };
    case "outputs-waiting":
      return { ...state, waitingOutputs: event.count };
    case "question-asked":
      return { ...state, questions: [...state.questions, { ...event.question, selected: 0 }] };
    case "question-settled":
      return { ...state, questions: state.questions.filter(({ id }) => id !== event.question) };
    case "note":
      return withEntries(state, [
        { kind: "notice", tone: event.tone, text: stripTerminalControls(event.text) },
      ]);
    case "panel":
      return withEntries(state, [{ kind: "panel", panel: event.panel }]);
    case "shell-started": {
      const { command, shared } = event;
      const entry = {
        kind: "shell",
        command,
        shared,
        output: "",
        open: true,
        startedAt: at,
        exitCode: null,
      } as const;
      return withEntries(state, [entry]);
    }
    case "shell-output":
      return changeShell(state, ({ output }) => ({ output: lastOf(output + event.text) }));
    case "shell-ended":
      return changeShell(state, () => ({ output: event.output, exitCode: event.exitCode, open: false }));
    // Text goes into the editor and lists are pickers: neither is drawn from here.
    case "returned":
    case "choice-asked":
    case "choice-settled":
    case "open-failed":
      return state;
  }
}

function withEntries(state: ViewState, bodies: readonly EntryBody[]): ViewState {
  return { ...state, transcript: appendEntries(state.transcript, bodies) };
}

/** Of those, one runs at a time. */
function changeShell(state: ViewState, change: (entry: ShellEntry) => Partial<ShellEntry>): ViewState {
  const transcript = changeEntries(state.transcript, (entry) =>
    entry.kind === "shell" && entry.open ? { ...entry, ...change(entry) } : entry,
  );
  return { ...state, transcript };
}

function withStatus(state: ViewState, status: Status): ViewState {
  const { sessionId, title, model, mode, planning, folder, branch } = status;
  return {
    ...state,
    session: { id: sessionId, title, opening: false },
    model,
    mode,
    planning,
    folder: stripTerminalControls(folder).replace(/\s+/g, " "),
    branch,
  };
}

function openSession(state: ViewState, opening: SessionOpening): ViewState {
  const { entries, earlier, contextTokens } = openedEntries(opening);
  return {
    ...withEntries(withStatus(state, opening.status), entries),
    openText: NO_TEXT,
    heldText: "",
    usage: opening.usage,
    contextTokens,
    earlier: opening.isCopy ? state.earlier : earlier,
    descriptions: opening.descriptions,
    editedFiles: [],
    lastAction: "",
  };
}
