// An open agent as the desk works with it: run, switch, rename, compact, close.
import type { AddedFolders } from "../app/agent-permission.ts";
import { compactNow } from "../app/compact.ts";
import { openAgent } from "../app/compose.ts";
import { type RequestOptions, runRequest } from "../app/run-request.ts";
import type { SessionRules } from "../app/session-rules.ts";
import type { AgentSettings } from "../app/settings.ts";
import { shownMessage } from "../app/shown-event.ts";
import type { Undo } from "../app/undo.ts";
import { defined } from "../base/defined.ts";
import type { Content } from "../domain/content.ts";
import type { AgentEvent, StandIn } from "../domain/event.ts";
import type { ModelName, SessionId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { PermissionMode } from "../domain/permission.ts";
import type { Review } from "../domain/review.ts";
import type { ShownMessage } from "../domain/summary.ts";
import { type CallDescription, describeCall } from "../domain/tool.ts";
import type { UsageTotals } from "../domain/usage.ts";
import { setTitle } from "../session/reduce.ts";
import { readShown } from "../session/shown-conversation.ts";
import { titleOf } from "../session/title.ts";
import type { ModelInfo } from "./contract.ts";

export interface FrontAgent {
  readonly session: {
    readonly id: SessionId;
    readonly resumed: boolean;
    /** What recovery found and did, and standing warnings. */
    readonly notices: readonly string[];
    /** The words of a prompt that was never answered. */
    readonly unsentPrompt?: string;
  };
  readonly model: () => ModelInfo;
  /** The model that answers in its place; null: it answers itself. */
  readonly standIn: () => StandIn | null;
  readonly usage: () => UsageTotals;
  /** Keys in the arguments of calls are hidden. */
  readonly messages: () => readonly Message[];
  /** The conversation as the person saw it, also what was summed up. */
  readonly shown: () => readonly ShownMessage[];
  readonly title: () => string;
  readonly describeCall: (call: ToolCallPart) => CallDescription;
  readonly run: (prompt: Content, options: RunOptions) => AsyncGenerator<AgentEvent, unknown>;
  readonly switchModel: (name: ModelName) => Promise<void>;
  readonly setThinking: (level: ThinkingLevel) => Promise<void>;
  readonly permissionMode: () => PermissionMode;
  readonly setPermissionMode: (mode: PermissionMode) => void;
  readonly rules: Pick<SessionRules, "list" | "add" | "remove">;
  readonly folders: AddedFolders;
  /** The person has switched on the mode auto. */
  readonly isAutoOn: () => boolean;
  /** Not known before the first command. */
  readonly usesSandbox: () => boolean;
  /** What a model answered in the person's place, oldest first. */
  readonly permissionReviews: () => readonly Review[];
  /** Summarises the older part of the conversation now. */
  readonly compact: (signal: AbortSignal) => AsyncGenerator<AgentEvent, void>;
  /** What a person can take back. */
  readonly undo: () => Promise<Undo>;
  readonly rename: (title: string) => Promise<void>;
  /** Everything is on disk when it resolves. */
  readonly close: () => Promise<void>;
}

export type RunOptions = Required<
  Pick<RequestOptions, "controller" | "requestId" | "takeSteering" | "takeRemarks">
> &
  Pick<RequestOptions, "replacesUnanswered">;

export type ThinkingLevel = NonNullable<NonNullable<AgentSettings["models"]>["thinking"]>;

export async function openFrontAgent(settings: AgentSettings): Promise<FrontAgent> {
  const agent = await openAgent(settings);
  const { manager, permission } = agent;
  const { session } = manager;
  let model = await agent.useModel(session.currentModel);
  const { conversation } = session;
  const unsentPrompt = agent.session.unsentPrompt?.trim() || undefined;
  const readAgain = () => readShown(agent.session.writer?.paths, conversation.messages);
  let shown = await readAgain();
  let undo: Undo | undefined;
  const masked = (message: Message): Message => shownMessage(message, manager.ports.mask);
  async function* noted(events: AsyncGenerator<AgentEvent, unknown>): AsyncGenerator<AgentEvent, void> {
    let before = conversation.messages;
    for await (const event of events) {
      shown.fold(event, before);
      before = conversation.messages;
      yield event;
    }
  }
  return {
    session: {
      id: session.sessionId,
      resumed: agent.session.resumed,
      notices: agent.session.notices,
      ...defined({ unsentPrompt }),
    },
    model: () => model,
    standIn: () => session.runtime.standIn,
    usage: () => session.usage.sessionTotal,
    messages: () => conversation.messages.map(masked),
    shown: () =>
      shown
        .list(conversation.messages)
        .map((message) => (message.kind === "summed-up" ? message : masked(message))),
    title: () => session.title,
    describeCall: (call) =>
      describeCall(
        manager.ports.tools.find(({ name }) => name === call.toolName),
        call,
      ),
    // By its name, so that a key or an address that was changed meanwhile is used.
    run: (prompt, options) => noted(runRequest(prompt, session.currentModel, manager, options)),
    switchModel: async (name) => {
      model = await agent.useModel(name);
    },
    setThinking: async (level) => {
      model = await agent.useModel(session.currentModel, level);
    },
    permissionMode: permission.mode,
    setPermissionMode: permission.setMode,
    rules: permission.rules,
    folders: permission.folders,
    isAutoOn: permission.isAutoOn,
    usesSandbox: permission.usesSandbox,
    permissionReviews: () => session.reviews,
    compact: async function* (signal) {
      model = await manager.ports.createModel(session.currentModel);
      yield* noted(compactNow(model, manager, signal));
    },
    undo: async () => {
      undo ??= withReading((await import("../app/open-undo.ts")).openUndo(agent), async () => {
        shown = await readAgain();
      });
      return undo;
    },
    rename: async (title) => {
      const bounded = titleOf(title);
      setTitle(session, bounded);
      await agent.session.writer?.title(bounded);
    },
    close: agent.close,
  };
}

/** What is shown has to be read again whenever the conversation has become another. */
function withReading(undo: Undo, read: () => Promise<void>): Undo {
  return {
    ...undo,
    goBack: async (request, overwrite) => {
      const back = await undo.goBack(request, overwrite);
      await read();
      return back;
    },
    switchTo: async (branch) => {
      await undo.switchTo(branch);
      await read();
    },
  };
}
