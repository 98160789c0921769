// Everything the screen shows, and how entries are added to it.
import type { ShownMessage } from "../../domain/summary.ts";
import { NO_USAGE, type UsageTotals } from "../../domain/usage.ts";
import type { CallDescriptions, CommandHint, QueuedPrompt, Status, Tone } from "../../front/contract.ts";
import { DEFAULT_LABELS, type KeyLabels } from "../input/app-keys.ts";
import { NO_TEXT, type OpenText } from "./answer-blocks.ts";
import type { EntryBody, TranscriptEntry } from "./entry.ts";
import type { Picker } from "./picker.ts";
import type { Question } from "./question.ts";
import type { RunningRequest } from "./running-request.ts";
import { appendEntries, changeLive, EMPTY_TRANSCRIPT, type Transcript } from "./transcript.ts";

/** Until a session is open, its id is empty. */
export interface ViewState extends Status {
  readonly transcript: Transcript;
  /** The block of the answer that is being written. */
  readonly openText: OpenText;
  /** The beginning of what may be a control sequence. */
  readonly heldText: string;
  readonly request: RunningRequest | null;
  /** The first one is shown. */
  readonly questions: readonly Question[];
  readonly picker: Picker | null;
  readonly queue: readonly QueuedPrompt[];
  /** How many outputs of the person's own commands will go with the next prompt. */
  readonly waitingOutputs: number;
  /** What can follow a slash. */
  readonly commands: readonly CommandHint[];
  /** Messages of a long session that were not replayed; only the pager draws them. */
  readonly earlier: readonly ShownMessage[];
  /** So many of the first entries are of a conversation that was left, or stand in `earlier`: the pager skips them. */
  readonly entriesLeft: number;
  readonly descriptions: CallDescriptions;
  readonly usage: UsageTotals;
  readonly contextTokens: number;
  readonly editedFiles: readonly string[];
  readonly lastAction: string;
  /** The app's keys as the person has bound them. */
  readonly keys: KeyLabels;
  /** A remark in place of the status bar that the next key removes: "Press Ctrl-C again to leave". */
  readonly hint: string;
  /** The last frame shows only the conversation, without editor and bars. */
  readonly leaving: boolean;
}

export const INITIAL_VIEW: ViewState = {
  transcript: EMPTY_TRANSCRIPT,
  openText: NO_TEXT,
  heldText: "",
  request: null,
  questions: [],
  picker: null,
  queue: [],
  waitingOutputs: 0,
  commands: [],
  earlier: [],
  entriesLeft: 0,
  descriptions: {},
  sessionId: "",
  title: "",
  model: { name: "" },
  standIn: null,
  mode: "ask",
  autoOn: false,
  sandbox: false,
  planning: false,
  usage: NO_USAGE,
  contextTokens: 0,
  folder: "",
  branch: null,
  editedFiles: [],
  lastAction: "",
  keys: DEFAULT_LABELS,
  hint: "",
  leaving: false,
};

export function withEntries(state: ViewState, bodies: readonly EntryBody[]): ViewState {
  return { ...state, transcript: appendEntries(state.transcript, bodies) };
}

/** There is something to stop. */
export function isBusy({ request, transcript }: ViewState): boolean {
  return request !== null || transcript.live.some((entry) => entry.kind === "shell" && entry.open);
}

/** Control sequences in the text are stripped. */
export function withNotice(state: ViewState, tone: Tone, text: string): ViewState {
  return withEntries(state, [{ kind: "notice", tone, text }]);
}

/** Only entries that are not finished can change. */
export function changeEntries(
  state: ViewState,
  change: (entry: TranscriptEntry) => TranscriptEntry,
): ViewState {
  return { ...state, transcript: changeLive(state.transcript, change) };
}
