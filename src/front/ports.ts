// What the desk is handed: everything outside of the conversation itself, as small functions.
import type { ModelChoice } from "../app/model-choices.ts";
import type { Person, SessionChoice } from "../app/settings.ts";
import type { ContentItem } from "../domain/content.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { ModelName, RequestId, SessionId } from "../domain/ids.ts";
import type { FrontAgent } from "./agent.ts";
import type { CustomPrompt } from "./custom-prompts.ts";
import type { RunShell } from "./shell-runs.ts";

export interface FrontPorts {
  /** The project's, with ~ for the person's own. */
  readonly folder: string;
  readonly openAgent: (choice: SessionChoice, person: Person, opening: AgentOpening) => Promise<FrontAgent>;
  /** Sessions of this project, newest first. */
  readonly listSessions: () => Promise<readonly PastSession[]>;
  /** A few words of a session. */
  readonly previewSession: (id: SessionId) => Promise<string>;
  /** Recently used ones first. */
  readonly listModels: () => Promise<readonly ModelChoice[]>;
  readonly customCommands: () => Promise<readonly CustomPrompt[]>;
  /** Paths of the project, from its root, .gitignore honoured. */
  readonly fileIndex: () => Promise<readonly string[]>;
  /** A file or an image for the model; null: there is no such file. */
  readonly readAttachment: (path: string) => Promise<ContentItem | null>;
  readonly runShell: RunShell;
  readonly gitBranch: () => Promise<string | null>;
  /** Prompts of earlier sessions, newest first. */
  readonly promptHistory: () => Promise<readonly string[]>;
  readonly rememberPrompt: (text: string) => Promise<void>;
  /** What was checked on the machine and in the set-up: a state, a name and a sentence each. */
  readonly doctor: () => Promise<readonly (readonly string[])[]>;
  /** Writes a file into the working directory and returns its path. */
  readonly exportFile: (name: string, text: string) => Promise<string>;
  readonly debug: DebugSwitch;
}

export interface AgentOpening {
  /** Things a person should know now: disk trouble, a missing sandbox, a fork. */
  readonly notify: (text: string) => void;
  readonly model?: ModelName;
}

/** --debug and /debug: a log of every request from when it is switched on. */
export interface DebugSwitch {
  /** What is written from now on belongs to this request. */
  readonly begin: (requestId: RequestId) => void;
  readonly event: (event: AgentEvent) => void;
  /** What there is to say about it. */
  readonly set: (on: boolean) => string;
}

export interface PastSession {
  readonly id: SessionId;
  readonly title: string;
  readonly lastModified: string;
  readonly model: ModelName;
}
