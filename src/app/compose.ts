// The only place that names concrete things: puts models, tools, permission, prompt and session together.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { collectWaste } from "../base/collect-waste.ts";
import { defined } from "../base/defined.ts";
import { sha256 } from "../base/digest.ts";
import { settleProcesses } from "../base/process-endings.ts";
import type { ChangeTracker } from "../checkpoint/tracking.ts";
import type { ModelName } from "../domain/ids.ts";
import { newBudget, type Spent } from "../domain/limits.ts";
import type { Model } from "../domain/model.ts";
import { offeredTo } from "../domain/tool.ts";
import type { Thinking } from "../models/settings.ts";
import type { Reviewer } from "../permission/review.ts";
import { recoveredRemarks } from "../permission/sandbox-recovery.ts";
import { fileInstructions, type PromptEnvironment, systemPrompt } from "../prompt/system-prompt.ts";
import { projectRoot } from "../session/project.ts";
import { setModel } from "../session/reduce.ts";
import { rescueSession } from "../session/rescue.ts";
import type { SessionState } from "../session/state.ts";
import type { SessionWriter } from "../session/writer.ts";
import { createTools } from "../tools/catalog.ts";
import type { Workspace } from "../tools/ports.ts";
import { createRipgrepPath } from "../tools/ripgrep.ts";
import { memoryStateManager, type SessionRecord, type StateManager } from "./agent.ts";
import { type AgentPermission, createAgentPermission } from "./agent-permission.ts";
import { type AgentSession, openAgentSession } from "./agent-session.ts";
import { changeTracking, undoCoverage } from "./change-tracking.ts";
import { lazyDiagnostics } from "./diagnostics.ts";
import { keptOutput } from "./kept-output.ts";
import { keyMask } from "./keys.ts";
import { maskedTool } from "./mask-content.ts";
import { chooseName, chooseOthers, modelSource } from "./model-source.ts";
import { restoresFolder } from "./pending-restores.ts";
import { projectInstructions } from "./project-instructions.ts";
import type { AgentSettings } from "./settings.ts";
import { createResearch } from "./subagent.ts";
import { deleteSurplusSessions } from "./surplus-sessions.ts";
import type { UndoPlace } from "./undo-place.ts";

export interface Agent {
  readonly manager: StateManager;
  readonly session: AgentSession;
  readonly permission: AgentPermission;
  /** null: what it changes can't be taken back. */
  readonly changes: ChangeTracker | null;
  readonly undoPlace: UndoPlace;
  /** The session's model from now on. */
  readonly useModel: (name: ModelName, thinking?: Thinking) => Promise<Model>;
  /** Saves, ends what still runs, and frees the session. */
  readonly close: () => Promise<void>;
}

export async function openAgent(settings: AgentSettings): Promise<Agent> {
  const { cwd, env, loop = {}, person, log } = settings;
  const mask = keyMask();
  mask.learn(env, settings.models?.providers);
  for (const remark of await recoveredRemarks(env)) settings.notify(remark);
  const session = await openAgentSession(settings, mask);
  const { state, writer } = session;
  setModel(state, await chooseName(settings, state.currentModel));
  const others = await chooseOthers(settings);
  const endDeleting = deleteSurplusSessions(settings, state.sessionId);

  const models = modelSource(settings, { chosen: state.currentModel, cacheKey: state.sessionId, mask });
  const workspace = createWorkspace(cwd, env["HOME"]);
  const kept = keptOutput(writer);
  const ripgrepPath = createRipgrepPath();
  let reviewer: Reviewer | null = null;
  const permission = createAgentPermission(settings, {
    workspace,
    ripgrepPath,
    readableFolders: [kept.place],
    review: async (...asked) => {
      reviewer ??= (await import("./reviewer.ts")).createReviewer(state, () => manager.ports);
      return reviewer(...asked);
    },
    coverage: () => undoCoverage(changes),
    mask,
  });
  const project = { root: workspace.root, addedFolders: permission.folders.list };
  const changes = changeTracking(settings, { writer, project, mode: permission.mode });
  const diagnostics = lazyDiagnostics(settings, workspace);
  const files = projectInstructions(settings, workspace.root);
  const place = { root: workspace.root, cwd, addedFolders: permission.folders.list() };
  const environment = promptEnvironment(place, state);
  const { trusted } = settings;
  // From the session's id, which no repository knows: the prompt stays the same when the session is resumed.
  const trust = { trusted, markId: sha256("outside", state.sessionId).slice(0, MARK_LENGTH) };
  const tools = createTools({
    ...settings.tools,
    workspace,
    shell: permission.shell,
    ripgrepPath,
    research: createResearch({
      model: () => models(state.currentModel),
      agent: () => manager.ports,
      instructions: async () => fileInstructions(await files(), trust),
    }),
    presentPlan: person?.askAboutPlan ?? (async () => NOBODY_APPROVES),
    spillFolder: kept.folder,
    mask,
    ...defined({ diagnostics: diagnostics?.check }),
  });
  const audience = { role: "agent", hasPerson: person !== undefined } as const;
  const offered = offeredTo([...tools, ...(settings.tools?.own ?? [])], audience);
  const manager = memoryStateManager(
    {
      createModel: models,
      ...others,
      tools: offered.map((tool) => maskedTool(tool, mask)),
      permit: permission.permit,
      mask,
      systemPrompt: async () => systemPrompt(await files(), environment, trust),
      keepAside: kept.keep,
      loop,
      budget: newBudget(loop.limits, spentBefore(state)),
      ...defined({ askToGoOn: person?.askToGoOn, log, changes: changes ?? undefined }),
      ...(writer && { record: recordOf(writer) }),
    },
    state,
  );

  return {
    manager,
    session,
    permission,
    changes,
    undoPlace: { project, restores: restoresFolder(env), settings: settings.undo ?? {} },
    useModel: async (name, thinking) => {
      const model = await models(name, thinking);
      // A person who chooses it wants it to be tried now.
      manager.ports.restingUntil.delete(name);
      const isNew = name !== state.currentModel;
      setModel(state, name);
      if (isNew) await writer?.modelChange(name);
      return model;
    },
    close: async () => {
      // Before the snapshot of a long session needs as much memory again as the last request left behind.
      collectWaste(state.conversation.messages.length);
      await changes?.close();
      await writer?.close();
      if (writer?.status.type === "unsaved" && state.conversation.messages.length > 0)
        settings.notify(await rescueSession(state, writer.paths, mask));
      await diagnostics?.close();
      await settleProcesses();
      await permission.close();
      kept.remove();
      await endDeleting();
    },
  };
}

export function recordOf(writer: SessionWriter): SessionRecord {
  return {
    prompt: writer.prompt.bind(writer),
    event: writer.record.bind(writer),
    catchUp: writer.catchUp.bind(writer),
  };
}

const NOBODY_APPROVES = "There is nobody to approve a plan here: go on without, carefully.";

/** The same for all requests of a session. */
function promptEnvironment(
  place: Pick<PromptEnvironment, "root" | "cwd" | "addedFolders">,
  { createdAt }: SessionState,
): PromptEnvironment {
  const isGitRepository = existsSync(join(place.root, ".git"));
  return { ...place, platform: process.platform, isGitRepository, date: createdAt.slice(0, 10) };
}

const MARK_LENGTH = 12;

/** A resumed session goes on with what it has spent, so that a resume is no way around a limit. */
function spentBefore({ usage, work }: SessionState): Partial<Spent> {
  const { cost, promptTokens, completionTokens } = usage.sessionTotal;
  return { costDollars: cost, totalTokens: promptTokens + completionTokens, ...work };
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
