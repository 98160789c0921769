// The messages of a conversation: requests and responses in turn. `parts` is the single source of truth; there is no
// second list of calls.
import { isBlank } from "../base/blank.ts";
import { isBlankContent } from "./content.ts";
import type { Extra, RequestPart, ResponsePart, ToolCallPart } from "./part.ts";
import type { Usage } from "./usage.ts";

export type Message = Request | Response;

/** What goes to the model: a person's prompt, tool returns, or both. */
export interface Request extends Extra {
  readonly kind: "request";
  readonly parts: readonly RequestPart[];
  readonly timestamp?: string;
  readonly runId?: string;
}

/** What the model answered. */
export interface Response extends Extra {
  readonly kind: "response";
  readonly parts: readonly ResponsePart[];
  readonly modelName?: string;
  readonly providerName?: string;
  readonly usage?: Usage;
  readonly finishReason?: FinishReason;
  readonly timestamp?: string;
  readonly runId?: string;
}

export type FinishReason = "stop" | "length" | "tool-call" | "content-filter" | "error" | "other";

/** Begins the response that closes an aborted turn. */
export const INTERRUPTED = "[INTERRUPTED]";

export function callsOf(response: Response): ToolCallPart[] {
  return response.parts.filter((part) => part.kind === "tool-call");
}

/** The text a person sees. */
export function visibleText(response: Response): string {
  return response.parts
    .filter((part) => part.kind === "text")
    .map((part) => part.content)
    .join("");
}

/** True without any visible text or call. Thinking alone is empty. */
export function isEmptyResponse(response: Response): boolean {
  return !response.parts.some(
    (part) => part.kind === "tool-call" || (part.kind === "text" && !isBlank(part.content)),
  );
}

export function hasUserPrompt(message: Message): boolean {
  return (
    message.kind === "request" &&
    message.parts.some((part) => part.kind === "user-prompt" && !isBlankContent(part.content))
  );
}

/** The last visible text of a conversation, without knowing any vendor's types. */
export function latestAnswer(messages: readonly Message[]): string | null {
  const last = messages.findLast((message) => message.kind === "response" && !isBlank(visibleText(message)));
  return last?.kind === "response" ? visibleText(last) : null;
}
