// How a person talks with the agent, whatever program they use: commands go in, numbered events come out. All of it
// is plain data, so the other end may be a screen, an editor, a browser or another process.
import type { SessionChoice } from "../app/settings.ts";
import type { FileDiff, LineCounts } from "../app/undo.ts";
import type { ErrorCode } from "../domain/error.ts";
import type { AgentEvent, StandIn } from "../domain/event.ts";
import type { ModelName, ToolCallId } from "../domain/ids.ts";
import type { ReachedLimit } from "../domain/limits.ts";
import type { Message } from "../domain/message.ts";
import type { PermissionMode, PermissionQuestion, PersonAnswer } from "../domain/permission.ts";
import type { Review } from "../domain/review.ts";
import type { ShownMessage } from "../domain/summary.ts";
import type { CallDescription } from "../domain/tool.ts";
import type { Price, UsageTotals } from "../domain/usage.ts";

/** What a program that shows the conversation is given. */
export interface Front {
  readonly send: (command: FrontCommand) => void;
  /**
   * Delivers every event from now on. A late subscriber first gets the current state, as events that carry the number
   * of the last event. Returns a function that unsubscribes.
   */
  readonly subscribe: (listener: FrontListener) => () => void;
  readonly lookups: Lookups;
  /** Stops what is running; resolves when everything is on disk. */
  readonly close: () => Promise<void>;
}

export type FrontListener = (event: FrontEvent) => void;

/** Answered to the caller alone. They change nothing. */
export interface Lookups {
  /** Paths relative to the root of the project, absolute in added folders, without what .gitignore excludes. */
  readonly files: () => Promise<readonly string[]>;
  /** Prompts of earlier sessions, newest first. */
  readonly prompts: () => Promise<readonly string[]>;
  readonly messages: () => Promise<readonly Message[]>;
  /** Describes one value of an open choice. */
  readonly preview: (choice: number, value: string) => Promise<Preview>;
  /** What this session changed on disk, oldest turn first. */
  readonly changes: () => Promise<readonly TurnChanges[]>;
}

export type FrontCommand =
  /** The first one begins the conversation; commands sent before it wait. */
  | { readonly type: "open"; readonly session: SessionChoice; readonly model?: ModelName }
  /** A prompt, a /command or a !line. */
  | ({ readonly type: "say"; readonly text: string } & SayOptions)
  /** Only adds the text to the prompt history: the screen has already handled it. */
  | { readonly type: "remember"; readonly text: string }
  | { readonly type: "stop" }
  /** Returns the last prompt in the queue. */
  | { readonly type: "take-back" }
  | {
      readonly type: "answer";
      readonly question: number;
      readonly answer: Answer;
      /** What the person adds, where the answer takes words. */
      readonly words?: string;
    }
  /** null: nothing was chosen. */
  | { readonly type: "choose"; readonly choice: number; readonly value: string | null }
  /** Asks to which prompt the person wants to go back. */
  | { readonly type: "rewind" }
  | { readonly type: "set-mode"; readonly mode: PermissionMode }
  /** Commands that this screen runs itself: they are listed and suggested, but never run here. */
  | { readonly type: "offer"; readonly commands: readonly CommandHint[] };

export interface SayOptions {
  /** Send it after the running request, not with its next tool results. */
  readonly later?: boolean;
  /** The text is the unanswered prompt that was returned when the session was opened, changed or not. */
  readonly replacesUnanswered?: boolean;
  /** It stood on the command line, where a shell may have put in other people's words: it runs and loosens nothing. */
  readonly given?: boolean;
}

/** Numbered from 1 without a gap; `at` is in milliseconds since 1970. */
export type FrontEvent = FrontEventBody & { readonly number: number; readonly at: number };

export type FrontEventBody =
  | ({ readonly type: "session-opened" } & SessionOpening)
  /** The first session can't be opened, so there is no conversation. */
  | { readonly type: "open-failed"; readonly code: ErrorCode; readonly message: string }
  | { readonly type: "status-changed"; readonly status: Status }
  | { readonly type: "commands-changed"; readonly commands: readonly CommandHint[] }
  | { readonly type: "prompt-sent"; readonly text: string; readonly attachments: readonly string[] }
  /** The agent works without a prompt: it compacts the conversation, for example. */
  | { readonly type: "work-started"; readonly activity: string; readonly canStop: boolean }
  | { readonly type: "work-ended"; readonly tookMs: number }
  | { readonly type: "stopping" }
  /** The event of the agent. A failure has its code and message, but no error object, which is not data. */
  | { readonly type: "agent"; readonly event: AgentEvent }
  | { readonly type: "queue-changed"; readonly queue: readonly QueuedPrompt[] }
  /**
   * Text that goes back into the editor. unanswered: it stays in the conversation until it is sent again. takenBack: it
   * was part of the conversation.
   */
  | {
      readonly type: "returned";
      readonly text: string;
      readonly unanswered?: boolean;
      readonly takenBack?: boolean;
    }
  /** The person went back, or on with a conversation that was left: this is the conversation now. */
  | ({ readonly type: "conversation-changed" } & ConversationNow)
  | { readonly type: "question-asked"; readonly question: AskedQuestion }
  /** answer null: the question no longer needs one. */
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
  /** exitCode null: it was stopped. output: only the end of a long one. */
  | { readonly type: "shell-ended"; readonly output: string; readonly exitCode: number | null }
  /** How many outputs will go with the next prompt. */
  | { readonly type: "outputs-waiting"; readonly count: number };

export interface SessionOpening extends Omit<ConversationNow, "isOnScreen"> {
  readonly status: Status;
  readonly resumed: boolean;
  /** It is a copy of the conversation that was open before, so what is on the screen stays. */
  readonly isCopy: boolean;
  /** What recovery found and did, and standing warnings. */
  readonly notices: readonly string[];
  readonly usage: UsageTotals;
}

export interface ConversationNow {
  /** As the person saw them; contextTokens is the size of what the model gets. */
  readonly messages: readonly ShownMessage[];
  readonly contextTokens: number;
  /** How each call in the messages is shown, which only its tool knows. */
  readonly descriptions: CallDescriptions;
  /** Whoever follows the conversation has seen all of it. */
  readonly isOnScreen: boolean;
}

/** With what a model answered in the person's place. */
export type CallDescriptions = Readonly<
  Record<ToolCallId, CallDescription & { readonly reviews?: readonly Review[] }>
>;

export interface Status {
  readonly sessionId: string;
  readonly title: string;
  readonly model: ModelInfo;
  /** The model that answers in its place, while it can't. */
  readonly standIn: StandIn | null;
  readonly mode: PermissionMode;
  /** The person has switched on the mode auto, so it is among the modes to choose from. */
  readonly autoOn: boolean;
  /** Commands run in the sandbox as far as they can. False before the first one. */
  readonly sandbox: boolean;
  readonly planning: boolean;
  /** The folder of the project, with ~ for the home directory. */
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
  /** Values that can follow the name. */
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

/** words: the person completes the answer with a line of text. */
export type Answer =
  | { readonly type: "permission"; readonly answer: PersonAnswer; readonly words?: true }
  | { readonly type: "plan"; readonly answer: PlanAnswer; readonly words?: true }
  | { readonly type: "go-on"; readonly answer: "yes" | "sum-up" | "stop" };

/** Only the first two of these end plan mode. */
export type PlanAnswer = "approve" | "leave" | "change" | "stop";

export interface AskedChoice {
  readonly id: number;
  readonly title: string;
  readonly items: readonly ChoiceItem[];
  /** The value that is selected at first. */
  readonly selected?: string;
  /** What stands below the list, whatever is selected. */
  readonly about?: Preview;
  /** Lookups.preview describes each value. */
  readonly hasPreviews: boolean;
}

export interface ChoiceItem {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** diff: in the unified format. */
export interface Preview {
  readonly text: string;
  readonly diff?: string;
}

/** What one prompt led to. */
export interface TurnChanges {
  /** From 1 on. */
  readonly number: number;
  readonly prompt: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** null: not known. */
  readonly lines: LineCounts | null;
  /** Its files have been taken back. */
  readonly isUndone: boolean;
  readonly files: readonly ChangedFile[];
  /** What somebody else changed meanwhile, which is never taken back. */
  readonly others: readonly ChangedFile[];
}

export interface ChangedFile {
  readonly path: string;
  readonly what: "new" | "changed" | "deleted";
  readonly diff: FileDiff;
}

/** A table to read; nothing in it can be chosen. */
export interface Panel {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

export type Tone = "quiet" | "info" | "warning" | "error";
