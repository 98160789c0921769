// The terminal's view of a session that is held by a state manager. What the composition adds to it (permission
// rules, titles, logs) comes in as functions.

import type { StateManager } from "../../src/app/agent.ts";
import { describeCall } from "../../src/domain/tool.ts";
import { CATALOG } from "../../src/tools/catalog.ts";
import type { ModelInfo, OpenSession, TerminalAgent } from "../../src/tui/ports.ts";

export interface SessionAgentParts
  extends Pick<
    TerminalAgent,
    | "switchModel"
    | "setThinking"
    | "permissionMode"
    | "setPermissionMode"
    | "permissionRules"
    | "compact"
    | "rename"
    | "setDebug"
    | "close"
  > {
  readonly manager: StateManager;
  readonly session: OpenSession;
  readonly model: () => ModelInfo;
}

export function sessionAgent({ manager, session, model, ...rest }: SessionAgentParts): TerminalAgent {
  return {
    ...rest,
    session,
    model,
    usage: () => manager.session.usage.sessionTotal,
    messages: () => manager.session.conversation.messages,
    describeCall: (toolName, args) =>
      describeCall(
        CATALOG.find(({ name }) => name === toolName),
        { toolName, args },
      ),
    title: () => manager.session.title,
    run: async function* (prompt, options) {
      // The loop and all it needs are loaded with the first request, after the first paint.
      const { runRequest } = await import("../../src/app/run-request.ts");
      return yield* runRequest(prompt, model().name, manager, options);
    },
  };
}
