// The desk's ports on a real project.
import { homedir } from "node:os";
import { join } from "node:path";
import { readAttachment } from "../app/attachment.ts";
import { fileIndex } from "../app/file-index.ts";
import { secretValues } from "../app/keys.ts";
import { modelChoices } from "../app/model-choices.ts";
import { locateSession, lookAtSession } from "../app/sessions.ts";
import type { AgentSettings, SessionChoice } from "../app/settings.ts";
import { defined } from "../base/defined.ts";
import { pathWithTilde } from "../base/real-path.ts";
import { createMask } from "../base/secrets.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import type { Environment } from "../base/xdg.ts";
import { typedText } from "../domain/content.ts";
import { type Message, visibleText } from "../domain/message.ts";
import { partsAfterSummary } from "../domain/summary.ts";
import { sessionFolder } from "../session/paths.ts";
import { madeFrom, projectIdOf, projectIdsOf, projectRoot } from "../session/project.ts";
import { listSessions } from "../session/store.ts";
import { customPrompts } from "./custom-prompts.ts";
import { exportFile } from "./export-file.ts";
import { gitBranch } from "./git-branch.ts";
import type { FrontPorts } from "./ports.ts";
import { promptHistory } from "./prompt-history.ts";
import { runShellCommand } from "./shell-runs.ts";

/** Only the newest are listed; `tunacode sessions` finds older ones. */
const SESSIONS_SHOWN = 200;
const PREVIEWED_MESSAGES = 6;
const PREVIEW_CHARACTERS = 400;

interface ProjectPortsGiven extends Pick<FrontPorts, "doctor" | "debug"> {
  readonly settings: Omit<AgentSettings, "person" | "notify">;
  /** Only the environment of the process, which says where the person's own commands are. */
  readonly env: Environment;
  /** They are told when the first session opens. */
  readonly warnings: readonly string[];
}

export function createProjectPorts({
  settings,
  env: ownEnv,
  warnings,
  ...given
}: ProjectPortsGiven): FrontPorts {
  const { cwd, env, trusted } = settings;
  const root = projectRoot(cwd);
  const place = { env: ownEnv, cwd, root, ...defined({ mainTree: madeFrom(ownEnv, root) }) };
  const projectId = projectIdOf(cwd);
  const prompts = promptHistory(env, projectId, createMask(secretValues(env, settings.models?.providers)));
  const untold = [...warnings];
  return {
    ...given,
    folder: pathWithTilde(root, env["HOME"] || homedir()),
    openAgent: async (choice, person, { notify, model: asked }) => {
      const session = unlessUnsaved(choice, settings.session);
      const models = { ...settings.models, ...defined({ asked }) };
      // The agent brings its tools and their schemas, which the first paint does not wait for.
      const { openFrontAgent } = await import("./agent.ts");
      const agent = await openFrontAgent({ ...settings, session, models, person, notify });
      const notices = [...untold.splice(0), ...agent.session.notices];
      return { ...agent, session: { ...agent.session, notices } };
    },
    listSessions: async () => {
      const found = await listSessions(sessionFolder(env), {
        projectIds: projectIdsOf(cwd),
        limit: SESSIONS_SHOWN,
      });
      return found.map(({ paths, title, modifiedMs, model }) => ({
        id: paths.sessionId,
        title,
        lastModified: new Date(modifiedMs).toISOString(),
        model,
      }));
    },
    previewSession: async (id) => {
      const { state } = await lookAtSession(await locateSession(env, cwd, id));
      return state.conversation.messages.slice(-PREVIEWED_MESSAGES).map(preview).filter(Boolean).join("\n\n");
    },
    listModels: async () => {
      // While the configuration can't be read, the last one stays in use.
      const latest = await settings.reload?.().catch(() => undefined);
      return modelChoices(latest ?? settings);
    },
    customCommands: () => customPrompts(place, trusted),
    fileIndex: async (added) => {
      const elsewhere = added.map(async (folder) =>
        (await fileIndex(folder)).map((path) => join(folder, path)),
      );
      return [await fileIndex(root), ...(await Promise.all(elsewhere))].flat();
    },
    readAttachment: (path) => readAttachment([root, cwd], path),
    runShell: (command, run) => runShellCommand(command, cwd, run),
    gitBranch: () => gitBranch(root),
    promptHistory: prompts.read,
    rememberPrompt: prompts.add,
    exportFile: (name, text) => exportFile(cwd, name, text),
  };
}

/** If the first session is not saved, a new conversation is not saved either. */
function unlessUnsaved(choice: SessionChoice, first: SessionChoice): SessionChoice {
  return first.type === "none" && choice.type === "new" ? first : choice;
}

function preview(message: Message): string {
  const text = message.kind === "response" ? visibleText(message) : promptText(message);
  const who = message.kind === "response" ? "" : "> ";
  return text.trim() === "" ? "" : `${who}${stripTerminalControls(text).slice(0, PREVIEW_CHARACTERS)}`;
}

function promptText(message: Extract<Message, { kind: "request" }>): string {
  const parts = partsAfterSummary(message);
  return parts.map((part) => (part.kind === "user-prompt" ? typedText(part.content) : "")).join("");
}
