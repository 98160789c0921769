// OpenAI Responses: where grammar and replies are found.
import { openaiBase } from "../openai/speaker-base.ts";
import { namedEvent } from "../sse.ts";
import type { Speaker } from "../wire.ts";
import { openaiResponsesGrammar } from "./grammar.ts";
import { openaiResponsesStream, openaiResponsesWhole } from "./reply.ts";

export const openaiResponsesSpeaker: Speaker = {
  ...openaiBase,
  grammar: openaiResponsesGrammar,
  overflow: () => ({
    path: "input",
    code: "context_length_exceeded",
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
  }),
  stream: openaiResponsesStream,
  whole: openaiResponsesWhole,
  /** The vendor ends a failed response with its own event, not with the generic error. */
  streamFailure: ({ afterEvents, status, message, code }) =>
    namedEvent({
      type: "response.failed",
      sequence_number: afterEvents,
      response: {
        id: "resp_failed",
        object: "response",
        status: "failed",
        error: { code: code ?? (status === 429 ? "rate_limit_exceeded" : "server_error"), message },
      },
    }),
};
