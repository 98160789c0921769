// How a person talks with the agent, whatever they sit at: commands go in, numbered events come out. All of it is
// plain data, so that the other end may be a screen, an editor, a browser or another process.
import type { SessionChoice } from "../app/settings.ts";
import type { ErrorCode } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { ModelName, ToolCallId } from "../domain/ids.ts";
import type { ReachedLimit } from "../domain/limits.ts";
import type { Message } from "../domain/message.ts";
import type { PermissionMode, PermissionQuestion, PersonAnswer } from "../domain/permission.ts";
import type { CallDescription } from "../domain/tool.ts";
import type { Price, UsageTotals } from "../domain/usage.ts";

/** What whoever shows the conversation is handed. */
export interface Front {
  readonly send: (command: FrontCommand) => void;
  /**
   * Every event from now on. Whoever comes late is first told how things stand, in events that carry the number of
   * the last one that happened. Returns a function that ends it.
   */
  readonly subscribe: (listener: FrontListener) => () => void;
  readonly lookups: Lookups;
  /** Stops what runs; resolves when everything is on disk. */
  readonly close: () => Promise<void>;
}

export type FrontListener = (event: FrontEvent) => void;

/** Answered to whoever asks and to nobody else. They change nothing. */
export interface Lookups {
  /** Paths of the project, from its root, .gitignore honoured. */
  readonly files: () => Promise<readonly string[]>;
  /** Prompts of earlier sessions, newest first. */
  readonly prompts: () => Promise<readonly string[]>;
  readonly messages: () => Promise<readonly Message[]>;
  /** Words about one value of an open choice. */
  readonly preview: (choice: number, value: string) => Promise<string>;
}

export type FrontCommand =
  /** The first one begins the conversation; what was sent before it waits. */
  | { readonly type: "open"; readonly session: SessionChoice; readonly model?: ModelName }
  /** A prompt, a /command or a !line. later: after the request that runs, not with its next tool results. */
  | { readonly type: "say"; readonly text: string; readonly later?: boolean }
  /** For the history of prompts alone: the front has dealt with it itself. */
  | { readonly type: "remember"; readonly text: string }
  | { readonly type: "stop" }
  /** The last prompt that waits is returned. */
  | { readonly type: "take-back" }
  | {
      readonly type: "answer";
      readonly question: number;
      readonly answer: Answer;
      /** What the person says besides, where the answer has a place for words. */
      readonly words?: string;
    }
  /** null: none of them. */
  | { readonly type: "choose"; readonly choice: number; readonly value: string | null }
  | { readonly type: "set-mode"; readonly mode: PermissionMode }
  /** Commands that this front runs itself: they are listed and suggested, and never run here. */
  | { readonly type: "offer"; readonly commands: readonly CommandHint[] };

/** Numbered from 1 without a gap; `at` is in milliseconds since 1970. */
export type FrontEvent = FrontEventBody & { readonly number: number; readonly at: number };

export type FrontEventBody =
  | ({ readonly type: "session-opened" } & SessionOpening)
  /** The first session can't be opened: there is nothing to talk with. */
  | { readonly type: "open-failed"; readonly code: ErrorCode; readonly message: string }
  | { readonly type: "status-changed"; readonly status: Status }
  | { readonly type: "commands-changed"; readonly commands: readonly CommandHint[] }
  | { readonly type: "prompt-sent"; readonly text: string; readonly attachments: readonly string[] }
  /** The agent does something that no prompt asked for, such as summing up. */
  | { readonly type: "work-started"; readonly activity: string }
  | { readonly type: "work-ended"; readonly tookMs: number }
  | { readonly type: "stopping" }
  /** As the agent told it; of a failure its code and message, since an error object is no data. */
  | { readonly type: "agent"; readonly event: AgentEvent }
  | { readonly type: "queue-changed"; readonly queue: readonly QueuedPrompt[] }
  /** Text that goes back to where it was written. */
  | { readonly type: "returned"; readonly text: string }
  | { readonly type: "question-asked"; readonly question: AskedQuestion }
  /** null: it needs no answer any more. */
  | {
      readonly type: "question-settled";
      readonly question: number;
      readonly answer: Answer | null;
      readonly words?: string;
    }
  | { readonly type: "choice-asked"; readonly choice: AskedChoice }
  | { readonly type: "choice-settled"; readonly choice: number; readonly value: string | null }
  | { readonly type: "panel"; readonly panel: Panel }
  | { readonly type: "note"; readonly tone: Tone; readonly text: string }
  /** A person's own command; one runs at a time. shared: its output goes to the model with the next prompt. */
  | { readonly type: "shell-started"; readonly command: string; readonly shared: boolean }
  | { readonly type: "shell-output"; readonly text: string }
  /** exitCode null: it was stopped. output: the end of it, where it is long. */
  | { readonly type: "shell-ended"; readonly output: string; readonly exitCode: number | null }
  /** How many outputs will go with the next prompt. */
  | { readonly type: "outputs-waiting"; readonly count: number };

export interface SessionOpening {
  readonly status: Status;
  readonly resumed: boolean;
  /** A copy of the conversation that was open before: what is shown of it stays. */
  readonly isCopy: boolean;
  /** What recovery found and did, and standing warnings. */
  readonly notices: readonly string[];
  readonly messages: readonly Message[];
  /** How each call in them is shown: only its tool knows. */
  readonly descriptions: CallDescriptions;
  readonly usage: UsageTotals;
}

export type CallDescriptions = Readonly<Record<ToolCallId, CallDescription>>;

export interface Status {
  readonly sessionId: string;
  readonly title: string;
  readonly model: ModelInfo;
  readonly mode: PermissionMode;
  readonly planning: boolean;
  /** The project's, with ~ for the person's own. */
  readonly folder: string;
  readonly branch: string | null;
}

export interface ModelInfo {
  readonly name: ModelName;
  readonly contextWindow?: number;
  readonly price?: Price;
}

export interface CommandHint {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** Values that can follow. */
  readonly argument?: readonly string[];
}

export interface QueuedPrompt {
  readonly kind: "steer" | "follow-up";
  readonly text: string;
}

export type Topic =
  | { readonly kind: "permission"; readonly question: PermissionQuestion }
  | { readonly kind: "plan"; readonly plan: string }
  | { readonly kind: "go-on"; readonly reached: ReachedLimit };

export type AskedQuestion = Topic & { readonly id: number };

/** words: the answer is completed by a line the person writes. */
export type Answer =
  | { readonly type: "permission"; readonly answer: PersonAnswer; readonly words?: true }
  | { readonly type: "plan"; readonly approved: boolean; readonly words?: true }
  | { readonly type: "go-on"; readonly goOn: boolean };

export interface AskedChoice {
  readonly id: number;
  readonly title: string;
  readonly items: readonly ChoiceItem[];
  /** The value to begin with. */
  readonly selected?: string;
  /** Words that stand below the list. */
  readonly about?: string;
  /** There is more to say about each: see Lookups. */
  readonly hasPreviews: boolean;
}

export interface ChoiceItem {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** A table that only informs. */
export interface Panel {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

export type Tone = "quiet" | "info" | "warning" | "error";
