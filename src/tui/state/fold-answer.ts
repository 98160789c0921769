// The answer and the thoughts of a model as they stream in.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { type Block, feedText, finishText, NO_TEXT, shownBlock } from "./answer-blocks.ts";
import type { EntryBody, TranscriptEntry } from "./entry.ts";
import { holdBack } from "./held-sequence.ts";
import { appendEntries, changeEntries, withoutEntry } from "./transcript.ts";
import type { ViewState } from "./view-state.ts";

export function addText(state: ViewState, delta: string): ViewState {
  const { shown, held } = holdBack(state.heldText + delta);
  const { closed, open } = feedText(state.openText, stripTerminalControls(shown));
  return { ...showAnswer(state, closed.map(answer), open), heldText: held };
}

function answer(block: Block): EntryBody {
  return { kind: "answer", block, open: false };
}

/** Replaces the entry of the open block by what is closed now and what is open now. */
function showAnswer(state: ViewState, closed: readonly EntryBody[], open: ViewState["openText"]): ViewState {
  const before = state.transcript.live.find((entry) => entry.kind === "answer" && entry.open);
  const transcript = before === undefined ? state.transcript : withoutEntry(state.transcript, before.id);
  const block = shownBlock(open);
  const shown: EntryBody[] = block === null ? [] : [{ kind: "answer", block, open: true }];
  return { ...state, transcript: appendEntries(transcript, [...closed, ...shown]), openText: open };
}

export function closeAnswer(state: ViewState, now: number): ViewState {
  const closed = state.openText.text === "" ? [] : finishText(state.openText).map(answer);
  return { ...closeThought(showAnswer(state, closed, NO_TEXT), now), heldText: "" };
}

export function addThought(before: ViewState, delta: string, now: number): ViewState {
  const state = before.openText.text === "" ? before : closeAnswer(before, now);
  const { live } = state.transcript;
  if (live.some((entry) => entry.kind === "thought" && entry.open)) {
    const change = (entry: TranscriptEntry): TranscriptEntry =>
      entry.kind === "thought" && entry.open
        ? { ...entry, text: entry.text + stripTerminalControls(delta) }
        : entry;
    return { ...state, transcript: changeEntries(state.transcript, change) };
  }
  const thought = {
    kind: "thought",
    text: stripTerminalControls(delta),
    open: true,
    startedAt: now,
    durationMs: null,
  } as const;
  return { ...state, transcript: appendEntries(state.transcript, [thought]) };
}

export function closeThought(state: ViewState, now: number): ViewState {
  if (!state.transcript.live.some((entry) => entry.kind === "thought" && entry.open)) return state;
  const change = (entry: TranscriptEntry): TranscriptEntry =>
    entry.kind === "thought" && entry.open
      ? { ...entry, open: false, durationMs: now - (entry.startedAt ?? now) }
      : entry;
  return { ...state, transcript: changeEntries(state.transcript, change) };
}
