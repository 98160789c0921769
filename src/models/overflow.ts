// Recognises "the prompt is too long" as each vendor says it: by the fields of its error, or, if a vendor has none, by
// its documented words.
import type { ErrorFields } from "./error-fields.ts";

export function isContextOverflow({ status, code, type, message }: ErrorFields): boolean {
  if (status === 413) return true;
  if (code !== undefined && OVERFLOW_CODES.has(code)) return true;
  if (type !== undefined && OVERFLOW_CODES.has(type)) return true;
  // Any other status is about something else, whatever the words.
  return (status === undefined || status === 400 || status === 422) && OVERFLOW_WORDS.test(message);
}

const OVERFLOW_CODES: ReadonlySet<string> = new Set([
  // OpenAI (both wires), Groq, and most who copy them
  "context_length_exceeded",
  // llama.cpp
  "exceed_context_size_error",
  // Anthropic: more bytes than it accepts at all
  "request_too_large",
  // Mistral
  "3051",
  "model_context_window_exceeded",
]);

const OVERFLOW_WORDS = new RegExp(
  [
    // Anthropic: "prompt is too long: 215000 tokens > 200000 maximum"
    "prompt is too long",
    // Anthropic: "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000"
    "exceed context limit",
    // Google: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
    "input token count .*exceeds the maximum number of tokens",
    // DeepSeek, vLLM, OpenRouter: "maximum context length is 65536 tokens. However, you requested ..."
    "maximum context length",
    // xAI: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
    "maximum prompt length",
    // Mistral: "too large for model with 32768 maximum context length" is covered above.
    // LM Studio: "Trying to keep the first 9000 tokens when context the overflows."
    "tokens when context the overflows",
    // Ollama: "input length exceeds the context length"
    "exceeds the context length",
  ].join("|"),
  "i",
);
