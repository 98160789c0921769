// The only place that names concrete things: puts models, tools, permission, prompt and session together.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { collectWaste } from "../base/collect-waste.ts";
import { defined } from "../base/defined.ts";
import { settleProcesses } from "../base/process-endings.ts";
import { createMask, type Mask } from "../base/secrets.ts";
import { configHome } from "../base/xdg.ts";
import type { ModelName } from "../domain/ids.ts";
import { newBudget, type Spent } from "../domain/limits.ts";
import type { Model } from "../domain/model.ts";
import { offeredTo, type Tool } from "../domain/tool.ts";
import type { Thinking } from "../models/settings.ts";
import { contextFiles } from "../prompt/context-files.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import { projectRoot } from "../session/project.ts";
import { setModel } from "../session/reduce.ts";
import { rescueSession } from "../session/rescue.ts";
import { createTools } from "../tools/catalog.ts";
import type { Research, Workspace } from "../tools/ports.ts";
import { createRipgrepPath } from "../tools/ripgrep.ts";
import { type AgentPorts, memoryStateManager, type StateManager } from "./agent.ts";
import { type AgentPermission, createAgentPermission } from "./agent-permission.ts";
import { type AgentSession, openAgentSession } from "./agent-session.ts";
import { type LazyDiagnostics, lazyDiagnostics } from "./diagnostics.ts";
import { type KeptOutput, keptOutput } from "./kept-output.ts";
import { secretValues } from "./keys.ts";
import { maskContent, maskedTool } from "./mask-content.ts";
import { chooseName, modelSource } from "./model-source.ts";
import type { AgentSettings } from "./settings.ts";
import { createResearch } from "./subagent.ts";

export interface Agent {
  readonly manager: StateManager;
  readonly session: AgentSession;
  readonly workspace: Workspace;
  readonly permission: AgentPermission;
  /** The session's model from now on. */
  readonly useModel: (name: ModelName, thinking?: Thinking) => Promise<Model>;
  /** Saves, ends what still runs, and frees the session. */
  readonly close: () => Promise<void>;
}

export async function openAgent(settings: AgentSettings): Promise<Agent> {
  const mask = createMask(secretValues(settings.env, settings.providers), {
    patterns: settings.maskPatterns ?? false,
  });
  const session = await openAgentSession(settings, mask);
  const { state, writer } = session;
  setModel(state, await chooseName(settings, state.currentModel));

  const models = modelSource(settings, state.sessionId, mask);
  const workspace = createWorkspace(settings.cwd, settings.env["HOME"]);
  const kept = keptOutput(writer);
  const ripgrepPath = createRipgrepPath();
  const permission = createAgentPermission(settings, {
    workspace,
    ripgrepPath,
    readableFolders: [kept.place],
  });
  const research = createResearch({ model: () => models(state.currentModel), agent: () => manager.ports });
  const diagnostics = lazyDiagnostics(settings, workspace);
  const tools = toolsFor(settings, { workspace, permission, kept, mask, ripgrepPath, research, diagnostics });
  const manager = memoryStateManager(
    agentPorts(settings, session, { models, tools, workspace, permission, kept, mask }),
    state,
  );

  return {
    manager,
    session,
    workspace,
    permission,
    useModel: async (name, thinking) => {
      const model = await models(name, thinking);
      if (name === state.currentModel) return model;
      setModel(state, name);
      await writer?.modelChange(name);
      return model;
    },
    close: async () => {
      // Of the last request; the snapshot of a long session would pile its own onto that.
      collectWaste(state.conversation.messages.length);
      await writer?.close();
      if (writer?.status.type === "unsaved" && state.conversation.messages.length > 0)
        settings.notify(await rescueSession(state, writer.paths, mask));
      await diagnostics?.close();
      await settleProcesses();
      await permission.close();
      kept.remove();
    },
  };
}

interface ToolMakings {
  readonly workspace: Workspace;
  readonly permission: AgentPermission;
  readonly kept: KeptOutput;
  readonly mask: Mask;
  readonly ripgrepPath: () => Promise<string>;
  readonly research: Research;
  readonly diagnostics: LazyDiagnostics | null;
}

function toolsFor(
  { person, maxCommandOutput, tools: others = [] }: AgentSettings,
  makings: ToolMakings,
): Tool[] {
  const { workspace, permission, kept, mask, ripgrepPath, research, diagnostics } = makings;
  const tools = createTools({
    workspace,
    shell: permission.shell,
    ripgrepPath,
    research,
    presentPlan:
      person?.askAboutPlan ??
      (async () => "There is nobody to approve a plan here: go on without, carefully."),
    spillFolder: kept.folder,
    mask,
    ...(diagnostics === null ? {} : { diagnostics: diagnostics.check }),
    ...defined({ maxCommandOutput }),
  });
  const audience = { role: "agent", hasPerson: person !== undefined } as const;
  return offeredTo([...tools, ...others], audience).map((tool) => maskedTool(tool, mask));
}

interface AgentMakings {
  readonly models: (name: ModelName) => Promise<Model>;
  readonly tools: readonly Tool[];
  readonly workspace: Workspace;
  readonly permission: AgentPermission;
  readonly kept: KeptOutput;
  readonly mask: Mask;
}

function agentPorts(settings: AgentSettings, session: AgentSession, makings: AgentMakings) {
  const { models, tools, workspace, permission, kept, mask } = makings;
  const { writer } = session;
  const { limits, maxIterations, maxOutputTokens, requestTimeoutSeconds = 0, person, log } = settings;
  const ports: Partial<AgentPorts> & Pick<AgentPorts, "createModel"> = {
    createModel: models,
    tools,
    permit: permission.permit,
    maskPrompt: (content) => maskContent(content, mask),
    systemPrompt: systemPromptOf(settings, session, workspace.root),
    keepAside: (toolCallId, text) => kept.keep(toolCallId, text),
    budget: newBudget(limits, spentBefore(session)),
    requestTimeoutSeconds,
    ...defined({ maxIterations, maxOutputTokens }),
    ...(person === undefined ? {} : { askToGoOn: person.askToGoOn }),
    ...defined({ log }),
  };
  if (writer === null) return ports;
  return { ...ports, record: { prompt: writer.prompt.bind(writer), event: writer.record.bind(writer) } };
}

function systemPromptOf(
  settings: AgentSettings,
  { state }: AgentSession,
  root: string,
): () => Promise<string> {
  const { cwd, env, guideFile } = settings;
  const guide = guideFile === undefined ? {} : { guideFile };
  const isGitRepository = existsSync(join(root, ".git"));
  const environment = {
    root,
    cwd,
    platform: process.platform,
    isGitRepository,
    date: state.createdAt.slice(0, 10),
  };
  const places = { configFolder: join(configHome(env), "tunacode"), root, cwd, ...guide };
  return async () => systemPrompt(await contextFiles(places), environment);
}

/** A resume is no way around a limit. Calls are those the conversation still holds; time is not remembered. */
function spentBefore({ state }: AgentSession): Partial<Spent> {
  const { cost, promptTokens, completionTokens } = state.usage.sessionTotal;
  return { costDollars: cost, totalTokens: promptTokens + completionTokens, ...state.work };
}

function createWorkspace(start: string, home: string | undefined): Workspace {
  const root = projectRoot(start);
  let current = start;
  return {
    root,
    ...(home ? { home } : {}),
    cwd: () => current,
    setCwd: (directory) => {
      current = directory;
    },
  };
}
