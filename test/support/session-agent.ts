// The desk's view of a session that is held by a state manager. What the composition adds to it (permission
// rules, titles, logs) comes in as functions.

import type { StateManager } from "../../src/app/agent.ts";
import { describeCall } from "../../src/domain/tool.ts";
import type { FrontAgent } from "../../src/front/agent.ts";
import { ShownConversation } from "../../src/session/shown-conversation.ts";
import { CATALOG } from "../../src/tools/catalog.ts";
import { fakeUndo, type UndoScript } from "./fake-undo.ts";

export interface SessionAgentParts
  extends Pick<
    FrontAgent,
    | "switchModel"
    | "setThinking"
    | "permissionMode"
    | "setPermissionMode"
    | "compact"
    | "rename"
    | "close"
    | "session"
    | "model"
  > {
  readonly manager: StateManager;
  readonly undo?: UndoScript;
}

/** By default it has nothing to take back but the conversation. */
export function sessionAgent({ manager, session, model, undo = {}, ...rest }: SessionAgentParts): FrontAgent {
  const fake = fakeUndo(manager.session, undo);
  return {
    ...rest,
    session,
    model,
    rules: { list: () => [], add: () => {}, remove: () => false },
    folders: { list: () => [], add: (path) => path },
    isAutoOn: () => false,
    usesSandbox: () => false,
    permissionReviews: () => manager.session.reviews,
    standIn: () => manager.session.runtime.standIn,
    usage: () => manager.session.usage.sessionTotal,
    messages: () => manager.session.conversation.messages,
    shown: () => new ShownConversation().list(manager.session.conversation.messages),
    describeCall: (call) =>
      describeCall(
        CATALOG.find(({ name }) => name === call.toolName),
        call,
      ),
    title: () => manager.session.title,
    undo: async () => fake,
    run: async function* (prompt, options) {
      // The loop and all it needs are loaded with the first request, after the first paint.
      const { runRequest } = await import("../../src/app/run-request.ts");
      return yield* runRequest(prompt, model().name, manager, options);
    },
  };
}
