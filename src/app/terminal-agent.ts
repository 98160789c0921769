// An open agent as a terminal app uses it: run, switch, rename, compact, close.
import type { JsonObject } from "../base/json.ts";
import type { Content } from "../domain/content.ts";
import { contentText } from "../domain/content.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { Model } from "../domain/model.ts";
import type { PermissionMode } from "../domain/permission.ts";
import { type CallDescription, describeCall } from "../domain/tool.ts";
import type { UsageTotals } from "../domain/usage.ts";
import type { Thinking } from "../models/settings.ts";
import { compactNow } from "./compact.ts";
import { type Agent, openAgent } from "./compose.ts";
import { runRequest } from "./run-request.ts";
import type { AgentSettings } from "./settings.ts";

export interface TerminalAgent {
  readonly session: {
    readonly id: string;
    readonly resumed: boolean;
    readonly notices: readonly string[];
    readonly unsentPrompt?: string;
  };
  readonly model: () => Model;
  readonly usage: () => UsageTotals;
  readonly messages: () => readonly Message[];
  readonly title: () => string;
  readonly describeCall: (toolName: string, args: JsonObject) => CallDescription;
  readonly run: (
    prompt: Content,
    options: { readonly controller: AbortController; readonly takeSteering: () => readonly Content[] },
  ) => AsyncGenerator<AgentEvent, Outcome>;
  readonly switchModel: (name: ModelName) => Promise<void>;
  readonly setThinking: (level: Thinking) => Promise<void>;
  readonly permissionMode: () => PermissionMode;
  readonly setPermissionMode: (mode: PermissionMode) => void;
  readonly permissionRules: () => readonly string[];
  readonly compact: (signal: AbortSignal) => AsyncGenerator<AgentEvent, void>;
  readonly rename: (title: string) => Promise<void>;
  /** What is still to be told, once the screen is gone. */
  readonly close: () => Promise<readonly string[]>;
}

export async function openTerminalAgent(settings: Omit<AgentSettings, "notify">): Promise<TerminalAgent> {
  const notices: string[] = [];
  const agent = await openAgent({ ...settings, notify: (text) => void notices.push(text) });
  const { manager, conversation, gate } = agent;
  const { session } = manager;
  let model = await agent.useModel(session.currentModel);
  const unsent = conversation.unsentPrompt;
  return {
    session: {
      id: session.sessionId,
      resumed: conversation.resumed,
      notices: conversation.notices,
      ...(unsent === undefined ? {} : { unsentPrompt: contentText(unsent) }),
    },
    model: () => model,
    usage: () => session.usage.sessionTotal,
    messages: () => session.conversation.messages,
    title: () => session.title,
    describeCall: (toolName, args) =>
      describeCall(
        manager.agent.tools.find(({ name }) => name === toolName),
        { toolName, args },
      ),
    run: (prompt, options) => withNotices(notices, runRequest(prompt, model, manager, options)),
    switchModel: async (name) => {
      model = await agent.useModel(name);
    },
    setThinking: async (level) => {
      model = await agent.useModel(session.currentModel, level);
    },
    permissionMode: gate.mode,
    setPermissionMode: gate.setMode,
    permissionRules: gate.rules,
    compact: (signal) => compactNow(model, manager, signal),
    rename: (title) => rename(agent, title),
    close: async () => {
      await agent.close();
      return notices.splice(0);
    },
  };
}

/** What came up meanwhile (disk trouble, a missing sandbox) is told as soon as anything is. */
async function* withNotices<Result>(
  notices: string[],
  events: AsyncGenerator<AgentEvent, Result>,
): AsyncGenerator<AgentEvent, Result> {
  try {
    while (true) {
      const next = await events.next();
      for (const text of notices.splice(0)) yield { type: "notice", text };
      if (next.done) return next.value;
      yield next.value;
    }
  } finally {
    // A consumer that leaves early ends the request, too.
    await events.return(undefined as Result);
  }
}

async function rename({ manager, conversation }: Agent, title: string): Promise<void> {
  manager.session.title = title;
  await conversation.writer?.title(title);
}
