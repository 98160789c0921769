// What the desk is given: everything outside the conversation itself, as small functions.
import type { ModelChoice } from "../app/model-choices.ts";
import type { Person, SessionChoice } from "../app/settings.ts";
import type { ContentItem } from "../domain/content.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { ModelName, RequestId, SessionId } from "../domain/ids.ts";
import type { FrontAgent } from "./agent.ts";
import type { CustomPrompt } from "./custom-prompts.ts";
import type { RunShell } from "./shell-runs.ts";

export interface FrontPorts {
  /** The folder of the project, with ~ for the home directory. */
  readonly folder: string;
  readonly openAgent: (choice: SessionChoice, person: Person, opening: AgentOpening) => Promise<FrontAgent>;
  /** Sessions of this project, newest first. */
  readonly listSessions: () => Promise<readonly PastSession[]>;
  /** The last messages of a session, shortened. */
  readonly previewSession: (id: SessionId) => Promise<string>;
  /** Recently used models come first. */
  readonly listModels: () => Promise<readonly ModelChoice[]>;
  readonly customCommands: () => Promise<readonly CustomPrompt[]>;
  /** Paths relative to the root of the project, absolute in added folders, without what .gitignore excludes. */
  readonly fileIndex: (addedFolders: readonly string[]) => Promise<readonly string[]>;
  /** A file or an image for the model; null: there is no such file. */
  readonly readAttachment: (path: string) => Promise<ContentItem | null>;
  readonly runShell: RunShell;
  readonly gitBranch: () => Promise<string | null>;
  /** Prompts of earlier sessions, newest first. */
  readonly promptHistory: () => Promise<readonly string[]>;
  readonly rememberPrompt: (text: string) => Promise<void>;
  /** Checks of the machine and the set-up; each row is a state, a name and a sentence. */
  readonly doctor: () => Promise<readonly (readonly string[])[]>;
  /** Writes a new file into the working directory and returns its path: another one if the name is taken. */
  readonly exportFile: (name: string, text: string) => Promise<string>;
  readonly debug: DebugSwitch;
}

interface AgentOpening {
  /** Tells the person something at once: disk trouble, a missing sandbox, a fork. */
  readonly notify: (text: string) => void;
  readonly model?: ModelName;
}

/** --debug and /debug: while it is on, every request is logged. */
export interface DebugSwitch {
  /** Log lines from now on belong to this request. */
  readonly begin: (requestId: RequestId) => void;
  readonly event: (event: AgentEvent) => void;
  /** Returns what to tell the person. */
  readonly set: (on: boolean) => string;
}

interface PastSession {
  readonly id: SessionId;
  readonly title: string;
  readonly lastModified: string;
  readonly model: ModelName;
}
