// What remains of a request when it is over: its nodes, its messages and its state.
import type { Outcome } from "../domain/event.ts";
import type { RequestId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { Node } from "./node.ts";
import type { RequestContext } from "./request-context.ts";
import type { ResponseState } from "./response-state.ts";

export interface AgentRun extends AsyncDisposable, AsyncIterable<Node> {
  readonly requestId: RequestId;
  readonly responseState: ResponseState;
  readonly outcome: Outcome;
  /** The authority on the history. */
  readonly allMessages: () => readonly Message[];
}

export function agentRun(context: RequestContext, outcome: Outcome): AgentRun {
  return {
    requestId: context.requestId,
    responseState: context.state,
    outcome,
    allMessages: () => context.messagesAtEnd,
    async *[Symbol.asyncIterator]() {
      yield* context.nodes;
    },
    // Nothing has to be released once the loop has ended; disposing exists so that `await using` works.
    async [Symbol.asyncDispose]() {},
  };
}
