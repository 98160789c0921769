// Everything the screen shows.
import type { Message } from "../../domain/message.ts";
import type { PermissionMode } from "../../domain/permission.ts";
import { NO_USAGE, type UsageTotals } from "../../domain/usage.ts";
import type { CallDescriptions, CommandHint, ModelInfo, QueuedPrompt } from "../../front/contract.ts";
import { NO_TEXT, type OpenText } from "./answer-blocks.ts";
import type { Picker } from "./picker.ts";
import type { Question } from "./question.ts";
import type { RunningRequest } from "./running-request.ts";
import { EMPTY_TRANSCRIPT, type Transcript } from "./transcript.ts";

export interface ViewState {
  readonly transcript: Transcript;
  /** The block of the answer that is being written. */
  readonly openText: OpenText;
  /** The beginning of what may be a control sequence. */
  readonly heldText: string;
  readonly request: RunningRequest | null;
  /** Questions to the person, the first one is shown. */
  readonly questions: readonly Question[];
  readonly picker: Picker | null;
  readonly queue: readonly QueuedPrompt[];
  /** How many outputs of the person's own commands go with the next prompt. */
  readonly waitingOutputs: number;
  /** What can follow a slash. */
  readonly commands: readonly CommandHint[];
  /** Messages of a long session that were not replayed: the pager draws them when they come into sight. */
  readonly earlier: readonly Message[];
  readonly descriptions: CallDescriptions;
  readonly session: SessionFacts;
  readonly model: ModelInfo;
  readonly mode: PermissionMode;
  readonly planning: boolean;
  readonly usage: UsageTotals;
  readonly contextTokens: number;
  /** The project's, with ~ for the person's own. */
  readonly folder: string;
  readonly branch: string | null;
  readonly editedFiles: readonly string[];
  readonly lastAction: string;
  /** A remark beside the editor that the next key removes: "Press Ctrl-C again to leave". */
  readonly hint: string;
  /** What is left on the terminal is the conversation, without editor and bars. */
  readonly leaving: boolean;
}

export interface SessionFacts {
  readonly id: string;
  readonly title: string;
  readonly opening: boolean;
}

export function initialView(): ViewState {
  return {
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
    descriptions: {},
    session: { id: "", title: "", opening: true },
    model: { name: "" },
    mode: "ask",
    planning: false,
    usage: NO_USAGE,
    contextTokens: 0,
    folder: "",
    branch: null,
    editedFiles: [],
    lastAction: "",
    hint: "",
    leaving: false,
  };
}
