// What a tool is given besides its arguments, for calls without the life of a call around them.
import { UNJUDGED } from "../../src/domain/grant.ts";
import type { ToolContext } from "../../src/domain/tool.ts";

export function toolContext(given: Partial<ToolContext> = {}): ToolContext {
  return {
    toolCallId: "call_1",
    signal: new AbortController().signal,
    grant: UNJUDGED,
    progress: () => {},
    spend: () => {},
    reviewed: () => {},
    pausedWhile: (work) => work(),
    ...given,
  };
}
