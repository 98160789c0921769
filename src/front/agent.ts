// An open agent as the desk works with it: run, switch, rename, compact, close.
import { compactNow } from "../app/compact.ts";
import { openAgent } from "../app/compose.ts";
import { type RequestOptions, runRequest } from "../app/run-request.ts";
import type { AgentSettings } from "../app/settings.ts";
import { defined } from "../base/defined.ts";
import { type Content, contentText } from "../domain/content.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import type { ModelName, SessionId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { PermissionMode } from "../domain/permission.ts";
import { type CallDescription, describeCall } from "../domain/tool.ts";
import type { UsageTotals } from "../domain/usage.ts";
import { setTitle } from "../session/reduce.ts";
import type { ModelInfo } from "./contract.ts";

export interface FrontAgent {
  readonly session: {
    readonly id: SessionId;
    readonly resumed: boolean;
    /** What recovery found and did, and standing warnings. */
    readonly notices: readonly string[];
    /** A prompt that was never answered. */
    readonly unsentPrompt?: string;
  };
  readonly model: () => ModelInfo;
  readonly usage: () => UsageTotals;
  readonly messages: () => readonly Message[];
  readonly title: () => string;
  readonly describeCall: (call: ToolCallPart) => CallDescription;
  readonly run: (prompt: Content, options: RunOptions) => AsyncGenerator<AgentEvent, Outcome>;
  readonly switchModel: (name: ModelName) => Promise<void>;
  readonly setThinking: (level: ThinkingLevel) => Promise<void>;
  readonly permissionMode: () => PermissionMode;
  readonly setPermissionMode: (mode: PermissionMode) => void;
  /** The rules in force, as text, one per line. */
  readonly permissionRules: () => readonly string[];
  /** Summarises the older part of the conversation now. */
  readonly compact: (signal: AbortSignal) => AsyncGenerator<AgentEvent, void>;
  readonly rename: (title: string) => Promise<void>;
  /** Everything is on disk when it resolves. */
  readonly close: () => Promise<void>;
}

export type RunOptions = Required<
  Pick<RequestOptions, "controller" | "requestId" | "takeSteering" | "takeRemarks">
>;

export type ThinkingLevel = NonNullable<NonNullable<AgentSettings["models"]>["thinking"]>;

export async function openFrontAgent(settings: AgentSettings): Promise<FrontAgent> {
  const agent = await openAgent(settings);
  const { manager, permission } = agent;
  const { session } = manager;
  let model = await agent.useModel(session.currentModel);
  const unsent = agent.session.unsentPrompt;
  return {
    session: {
      id: session.sessionId,
      resumed: agent.session.resumed,
      notices: agent.session.notices,
      ...defined({ unsentPrompt: unsent && contentText(unsent) }),
    },
    model: () => model,
    usage: () => session.usage.sessionTotal,
    messages: () => session.conversation.messages,
    title: () => session.title,
    describeCall: (call) =>
      describeCall(
        manager.ports.tools.find(({ name }) => name === call.toolName),
        call,
      ),
    run: (prompt, options) => runRequest(prompt, model, manager, options),
    switchModel: async (name) => {
      model = await agent.useModel(name);
    },
    setThinking: async (level) => {
      model = await agent.useModel(session.currentModel, level);
    },
    permissionMode: permission.mode,
    setPermissionMode: permission.setMode,
    permissionRules: permission.rules,
    compact: (signal) => compactNow(model, manager, signal),
    rename: async (title) => {
      setTitle(session, title);
      await agent.session.writer?.title(title);
    },
    close: agent.close,
  };
}
