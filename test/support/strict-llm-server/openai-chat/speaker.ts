// OpenAI Chat Completions: where grammar and replies are found.
import { errorBody, openaiBase } from "../openai/speaker-base.ts";
import { dataEvent } from "../sse.ts";
import type { Speaker } from "../wire.ts";
import { openaiChatGrammar } from "./grammar.ts";
import { openaiChatStream, openaiChatWhole } from "./reply.ts";

export const openaiChatSpeaker: Speaker = {
  ...openaiBase,
  grammar: openaiChatGrammar,
  overflow: (tokens, window) => ({
    path: "messages",
    code: "context_length_exceeded",
    message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
  }),
  stream: openaiChatStream,
  whole: openaiChatWhole,
  streamFailure: ({ status, message, code }) =>
    dataEvent(errorBody({ path: "", message, ...(code === undefined ? {} : { code }) }, status)),
};
