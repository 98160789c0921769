// The four wire formats.
import { anthropicSpeaker } from "./anthropic/speaker.ts";
import { googleSpeaker } from "./google/speaker.ts";
import { openaiChatSpeaker } from "./openai-chat/speaker.ts";
import { openaiResponsesSpeaker } from "./openai-responses/speaker.ts";
import type { Speaker, Wire } from "./wire.ts";

export const SPEAKERS: Readonly<Record<Wire, Speaker>> = {
  "openai-chat": openaiChatSpeaker,
  "openai-responses": openaiResponsesSpeaker,
  anthropic: anthropicSpeaker,
  google: googleSpeaker,
};
