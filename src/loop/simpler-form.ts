// A conversation that is refused for its content is sent again in a simpler form.
import { WireGateError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import { prepareHistory } from "../history/prepare.ts";
import type { FailedCall } from "./remedy.ts";
import type { RequestContext } from "./request-context.ts";

/** The gate found a mistake of ours: what it said is recorded, and the history is repaired once. */
export async function* simplerForm(
  { error, tried }: FailedCall,
  context: RequestContext,
): AsyncGenerator<AgentEvent, boolean> {
  if (!(error instanceof WireGateError) || context.partialText !== "" || tried.has("repair")) return false;
  tried.add("repair");
  const { messages, repairs } = prepareHistory(context.conversation.messages, { newMessage: false });
  const at = messages.length - 1;
  const found = error.violations.map((why) => ({ kind: "wire-gate", at, kept: "all", why }) as const);
  yield { type: "repair", repairs: [...found, ...repairs], messages };
  return true;
}
