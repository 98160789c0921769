// The answer and the thoughts of a model as they stream in.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { type Block, feedText, finishText, NO_TEXT, type OpenText, shownBlock } from "./answer-blocks.ts";
import type { EntryBody, ThoughtEntry } from "./entry.ts";
import { holdBack } from "./held-sequence.ts";
import { changeEntries, type ViewState, withEntries } from "./view-state.ts";

export function addText(state: ViewState, delta: string): ViewState {
  const { shown, held } = holdBack(state.heldText + delta);
  const { closed, open } = feedText(state.openText, stripTerminalControls(shown));
  return { ...showAnswer(state, closed, open), heldText: held };
}

/** Replaces the entry of the open block by the blocks that are closed now and the one that is open now. */
function showAnswer(state: ViewState, closed: readonly Block[], openText: OpenText): ViewState {
  const live = state.transcript.live.filter((entry) => entry.kind !== "answer" || !entry.open);
  const open = shownBlock(openText);
  const entries: EntryBody[] = closed.map((block) => ({ kind: "answer", block, open: false }));
  if (open !== null) entries.push({ kind: "answer", block: open, open: true });
  return withEntries({ ...state, transcript: { ...state.transcript, live }, openText }, entries);
}

export function closeAnswer(state: ViewState, now: number): ViewState {
  const closed = state.openText.text === "" ? [] : finishText(state.openText);
  return { ...closeThought(showAnswer(state, closed, NO_TEXT), now), heldText: "" };
}

export function addThought(before: ViewState, delta: string, now: number): ViewState {
  // A thought about how to go on stands before the paragraph that broke off, which is still being written.
  const staysOpen = before.openText.text === "" || before.request?.goesOn === true;
  const state = staysOpen ? before : closeAnswer(before, now);
  const text = stripTerminalControls(delta);
  if (isThinking(state)) return changeThought(state, (thought) => ({ text: thought.text + text }));
  return withEntries(state, [{ kind: "thought", text, open: true, startedAt: now, durationMs: null }]);
}

export function closeThought(state: ViewState, now: number): ViewState {
  if (!isThinking(state)) return state;
  return changeThought(state, ({ startedAt }) => ({ open: false, durationMs: now - (startedAt ?? now) }));
}

function isThinking({ transcript }: ViewState): boolean {
  return transcript.live.some((entry) => entry.kind === "thought" && entry.open);
}

function changeThought(state: ViewState, change: (entry: ThoughtEntry) => Partial<ThoughtEntry>): ViewState {
  return changeEntries(state, (entry) =>
    entry.kind === "thought" && entry.open ? { ...entry, ...change(entry) } : entry,
  );
}
