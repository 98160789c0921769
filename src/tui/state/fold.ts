// The one fold that changes what the screen shows.
import { plural } from "../../base/numbers.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { ConversationNow, FrontEvent, SessionOpening, Status } from "../../front/contract.ts";
import { lastOf } from "../../front/shell-runs.ts";
import { NO_TEXT } from "./answer-blocks.ts";
import type { EntryBody, ShellEntry } from "./entry.ts";
import { foldEvent } from "./fold-event.ts";
import { NEW_QUESTION } from "./question.ts";
import { editedIn, replay } from "./replay.ts";
import { startRequest } from "./running-request.ts";
import { changeEntries, type ViewState, withEntries, withNotice } from "./view-state.ts";

/** People rarely scroll back further; the pager shows all of it. */
const REPLAYED_MESSAGES = 300;

export function fold(state: ViewState, event: FrontEvent): ViewState {
  const { at } = event;
  switch (event.type) {
    case "agent":
      return foldEvent(state, event.event, at);
    case "session-opened":
      return openSession(state, event);
    case "conversation-changed":
      return changeConversation(state, event);
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
      return {
        ...state,
        request: { ...startRequest(at), activity: event.activity, canStop: event.canStop },
      };
    case "work-ended":
      return { ...state, request: null };
    case "stopping":
      return state.request === null ? state : { ...state, request: { ...state.request, stopping: true } };
    case "queue-changed":
      return { ...state, queue: event.queue };
    case "outputs-waiting":
      return { ...state, waitingOutputs: event.count };
    case "question-asked":
      return { ...state, questions: [...state.questions, { ...event.question, ...NEW_QUESTION }] };
    case "question-settled":
      return { ...state, questions: state.questions.filter(({ id }) => id !== event.question) };
    case "note":
      return withNotice(state, event.tone, event.text);
    case "panel":
      return withEntries(state, [{ kind: "panel", panel: event.panel }]);
    case "shell-started": {
      const { command, shared } = event;
      return withEntries(state, [
        { kind: "shell", command, shared, output: "", open: true, startedAt: at, exitCode: null },
      ]);
    }
    case "shell-output":
      return changeShell(state, ({ output }) => ({ output: lastOf(output + event.text) }));
    case "shell-ended":
      return changeShell(state, () => ({ output: event.output, exitCode: event.exitCode, open: false }));
    // Returned text goes into the editor, and a choice opens a picker: neither is drawn from here.
    case "returned":
    case "choice-asked":
    case "choice-settled":
    case "open-failed":
      return state;
  }
}

/** One shell command runs at a time. */
function changeShell(state: ViewState, change: (entry: ShellEntry) => Partial<ShellEntry>): ViewState {
  return changeEntries(state, (entry) =>
    entry.kind === "shell" && entry.open ? { ...entry, ...change(entry) } : entry,
  );
}

function withStatus(state: ViewState, status: Status): ViewState {
  const folder = stripTerminalControls(status.folder).replace(/\s+/g, " ");
  return { ...state, ...status, folder };
}

function openSession(state: ViewState, opening: SessionOpening): ViewState {
  const { status, messages, contextTokens, descriptions, usage, notices, isCopy, resumed } = opening;
  const earlier = messages.slice(0, -REPLAYED_MESSAGES);
  const told = notices.map((text): EntryBody => ({ kind: "notice", tone: "warning", text }));
  const title = status.title === "" ? "" : ` "${status.title}"`;
  const replayed = isCopy || !resumed ? [] : replayedEntries(`Resumed${title}`, opening, state);
  return {
    ...withEntries(withStatus(state, status), [...replayed, ...told]),
    openText: NO_TEXT,
    heldText: "",
    usage,
    contextTokens,
    earlier: isCopy ? state.earlier : earlier,
    entriesLeft: isCopy ? state.entriesLeft : entryCount(state),
    descriptions,
    editedFiles: [],
    lastAction: "",
  };
}

/** The finished lines on the terminal stay as they are; the pager shows the conversation as it is now. */
function changeConversation(state: ViewState, now: ConversationNow): ViewState {
  const { messages, contextTokens, descriptions, isOnScreen } = now;
  const replayed = isOnScreen ? [] : replayedEntries("Another conversation", now, state);
  return {
    ...withEntries(state, replayed),
    contextTokens,
    descriptions,
    earlier: isOnScreen ? messages : messages.slice(0, -REPLAYED_MESSAGES),
    entriesLeft: entryCount(state),
    editedFiles: editedIn(messages),
  };
}

function entryCount({ transcript: { dropped, done } }: ViewState): number {
  return dropped + done.length;
}

function replayedEntries(
  what: string,
  { messages, descriptions }: Pick<ConversationNow, "messages" | "descriptions">,
  { keys }: ViewState,
): EntryBody[] {
  const [pager] = keys.unfold;
  const earlier = Math.max(0, messages.length - REPLAYED_MESSAGES);
  const more =
    earlier === 0
      ? ""
      : ` ${plural(earlier, "earlier message")}${pager === undefined ? "" : `: ${pager} shows all`}.`;
  const count = messages.filter(({ kind }) => kind !== "summed-up").length;
  const text = `${what}, ${plural(count, "message")}.${more}`;
  return [
    { kind: "notice", tone: "quiet", text },
    ...replay(messages.slice(-REPLAYED_MESSAGES), descriptions),
  ];
}
