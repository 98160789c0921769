// What the terminal app is handed: everything outside of the screen, as small functions.
import type { JsonObject } from "../base/json.ts";
import type { Content, ContentItem } from "../domain/content.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import type { ModelName, SessionId } from "../domain/ids.ts";
import type { ReachedLimit } from "../domain/limits.ts";
import type { Message } from "../domain/message.ts";
import type { PermissionMode, PermissionQuestion, PersonAnswer } from "../domain/permission.ts";
import type { CallDescription } from "../domain/tool.ts";
import type { Price, UsageTotals } from "../domain/usage.ts";

export interface TerminalPorts {
  /** The project's, with ~ for the person's own. */
  readonly folder: string;
  /** Opens a session, with the person at the terminal as the one to ask. */
  readonly openAgent: (choice: SessionChoice, person: Person) => Promise<TerminalAgent>;
  /** Sessions of this project, newest first. */
  readonly listSessions: () => Promise<readonly SessionSummary[]>;
  /** A few words of a session, for the picker's preview. */
  readonly previewSession: (id: SessionId) => Promise<string>;
  /** Recently used ones first. */
  readonly listModels: () => Promise<readonly ModelChoice[]>;
  readonly customCommands: () => Promise<readonly CustomCommand[]>;
  /** Paths of the project, from its root, .gitignore honoured. */
  readonly fileIndex: () => Promise<readonly string[]>;
  /** A file or an image for the model; null: there is no such file. */
  readonly readAttachment: (path: string) => Promise<ContentItem | null>;
  readonly runShell: (command: string, run: ShellRun) => Promise<ShellResult>;
  readonly gitBranch: () => Promise<string | null>;
  /** Into the person's configuration. */
  readonly saveSetting: (name: SettingName, value: string) => Promise<void>;
  /** Prompts of earlier sessions, newest first. */
  readonly promptHistory: () => Promise<readonly string[]>;
  readonly rememberPrompt: (text: string) => Promise<void>;
  /** The machine and the set-up, in words. */
  readonly doctor: () => Promise<string>;
  /** Writes a file into the working directory and returns its path. */
  readonly exportFile: (name: string, text: string) => Promise<string>;
}

export type SessionChoice =
  | { readonly type: "new"; readonly model?: ModelName }
  | { readonly type: "continue" }
  | { readonly type: "resume"; readonly id: SessionId }
  /** A new session that begins with the messages of another. */
  | { readonly type: "fork"; readonly id: SessionId };

/** Questions to the person. An aborted one counts as stopped. */
export interface Person {
  readonly ask: (question: PermissionQuestion, signal?: AbortSignal) => Promise<PersonAnswer>;
  readonly askToGoOn: (reached: ReachedLimit, signal: AbortSignal) => Promise<boolean>;
  /** The answer is what the model reads. */
  readonly presentPlan: (plan: string, signal: AbortSignal) => Promise<string>;
}

export interface TerminalAgent {
  readonly session: OpenSession;
  readonly model: () => ModelInfo;
  readonly usage: () => UsageTotals;
  readonly messages: () => readonly Message[];
  readonly title: () => string;
  /** How a call from disk is shown. */
  readonly describeCall: (toolName: string, args: JsonObject) => CallDescription;
  readonly run: (prompt: Content, options: RunOptions) => AsyncGenerator<AgentEvent, Outcome>;
  readonly switchModel: (name: ModelName) => Promise<void>;
  readonly setThinking: (level: ThinkingLevel) => Promise<void>;
  readonly permissionMode: () => PermissionMode;
  readonly setPermissionMode: (mode: PermissionMode) => void;
  /** The rules that hold, in words, one a line. */
  readonly permissionRules: () => readonly string[];
  /** Summarises the older part now. */
  readonly compact: (signal: AbortSignal) => AsyncGenerator<AgentEvent, void>;
  readonly rename: (title: string) => Promise<void>;
  readonly setDebug: (on: boolean) => Promise<string>;
  /** Everything is on disk when it resolves. */
  readonly close: () => Promise<void>;
}

export interface OpenSession {
  readonly id: SessionId;
  readonly resumed: boolean;
  /** What recovery found and did, and standing warnings. */
  readonly notices: readonly string[];
  /** A prompt that was never answered: it goes back into the editor. */
  readonly unsentPrompt?: string;
}

export interface RunOptions {
  readonly controller: AbortController;
  readonly takeSteering: () => readonly Content[];
}

export interface ModelInfo {
  readonly name: ModelName;
  readonly contextWindow?: number;
  readonly price?: Price;
}

export interface ModelChoice extends ModelInfo {
  readonly recent?: boolean;
  /** Why it can't be used here, if so. */
  readonly problem?: string;
}

export interface SessionSummary {
  readonly id: SessionId;
  readonly title: string;
  readonly lastModified: string;
  readonly model: ModelName;
}

export interface CustomCommand {
  readonly name: string;
  readonly description: string;
  /** The prompt it stands for. */
  readonly expand: (args: string) => string;
}

export interface ShellRun {
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

export interface ShellResult {
  readonly output: string;
  /** null: it was stopped. */
  readonly exitCode: number | null;
}

export type SettingName = "theme" | "default_model" | "notifications";
export type ThinkingLevel = "off" | "low" | "medium" | "high";
export const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", "low", "medium", "high"];
