// Everything outside of the screen that a terminal app asks for, on one project.
import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { createMask } from "../base/secrets.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import type { Environment } from "../base/xdg.ts";
import { contentText } from "../domain/content.ts";
import type { ModelName, SessionId } from "../domain/ids.ts";
import { type Message, visibleText } from "../domain/message.ts";
import { type ListedModel, listModels } from "../models/list-models.ts";
import { sessionFolder } from "../session/paths.ts";
import { projectIdOf, projectRoot } from "../session/project.ts";
import { listSessions } from "../session/store.ts";
import type { Workspace } from "../tools/ports.ts";
import { createRipgrepPath } from "../tools/ripgrep.ts";
import { resolveInWorkspace } from "../tools/workspace-path.ts";
import { readAttachment } from "./attachment.ts";
import { fileIndex } from "./file-index.ts";
import { gitBranch } from "./git-branch.ts";
import { secretValues } from "./keys.ts";
import { promptHistory } from "./prompt-history.ts";
import { locateSession, lookAtSession } from "./sessions.ts";
import type { AgentSettings, Person, SessionChoice } from "./settings.ts";
import { runShellCommand } from "./shell-command.ts";
import { openTerminalAgent, type TerminalAgent } from "./terminal-agent.ts";

/** Newest sessions shown in a picker; older ones are found with `tunacode sessions`. */
const SESSIONS_SHOWN = 200;
const SESSIONS_WITH_RECENT_MODELS = 20;
const PREVIEWED_MESSAGES = 6;
const PREVIEW_CHARACTERS = 400;

export type ProjectSettings = Omit<AgentSettings, "session" | "person" | "notify">;

export function createTerminalPorts(settings: ProjectSettings) {
  const { cwd, env } = settings;
  const root = projectRoot(cwd);
  const mask = createMask(secretValues(env, settings.providers));
  const prompts = promptHistory(env, projectIdOf(cwd), mask);
  const ripgrepPath = createRipgrepPath();
  const place: Workspace = { root, cwd: () => root, setCwd: () => {} };
  return {
    folder: shortened(root, env),
    openAgent: (session: SessionChoice, person: Person): Promise<TerminalAgent> =>
      openTerminalAgent({ ...settings, session, person }),
    listSessions: async () => {
      const found = await listSessions(sessionFolder(env), {
        projectId: projectIdOf(cwd),
        limit: SESSIONS_SHOWN,
      });
      return found.map(({ paths, title, modifiedMs, model }) => ({
        id: paths.sessionId,
        title,
        lastModified: new Date(modifiedMs).toISOString(),
        model,
      }));
    },
    previewSession: async (id: SessionId) => {
      const { state } = await lookAtSession(await locateSession(env, cwd, id));
      return state.conversation.messages.slice(-PREVIEWED_MESSAGES).map(preview).filter(Boolean).join("\n\n");
    },
    listModels: async () => {
      const { providers } = settings;
      const found = await listModels({ env, ...(providers === undefined ? {} : { providers }) });
      const recent = await recentModels(env);
      const rank = ({ name }: ListedModel) => (recent.has(name) ? [...recent].indexOf(name) : recent.size);
      const ranked = found.toSorted((one, other) => rank(one) - rank(other));
      return ranked.map(({ name, contextWindow, price, usable, keyNames }) => ({
        name,
        ...(recent.has(name) ? { recent: true } : {}),
        ...(contextWindow === undefined ? {} : { contextWindow }),
        ...(price === undefined ? {} : { price }),
        ...(usable ? {} : { problem: keyNames.length === 0 ? "not running" : `set ${keyNames[0]}` }),
      }));
    },
    fileIndex: () => fileIndex(root, ripgrepPath),
    readAttachment: (path: string) => readAttachment(resolveInWorkspace(place, path), path),
    runShell: (command: string, run: Parameters<typeof runShellCommand>[2]) =>
      runShellCommand(command, cwd, run),
    gitBranch: () => gitBranch(root),
    promptHistory: prompts.read,
    rememberPrompt: prompts.add,
    exportFile: async (name: string, text: string) => {
      const path = resolve(cwd, name);
      await writeFile(path, text, { flag: "wx" });
      return path;
    },
  };
}

function shortened(path: string, env: Environment): string {
  const home = env["HOME"] || homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Of the newest sessions, whatever their project. */
async function recentModels(env: Environment): Promise<ReadonlySet<ModelName>> {
  const newest = await listSessions(sessionFolder(env), { limit: SESSIONS_WITH_RECENT_MODELS });
  return new Set(newest.map(({ model }) => model));
}

function preview(message: Message): string {
  const text = message.kind === "response" ? visibleText(message) : promptText(message);
  const who = message.kind === "response" ? "" : "> ";
  return text.trim() === "" ? "" : `${who}${stripTerminalControls(text).slice(0, PREVIEW_CHARACTERS)}`;
}

function promptText(message: Extract<Message, { kind: "request" }>): string {
  return message.parts.map((part) => (part.kind === "user-prompt" ? contentText(part.content) : "")).join("");
}
