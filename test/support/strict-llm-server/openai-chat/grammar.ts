// What OpenAI's Chat Completions refuses, from its documentation and from the errors people report.
// Names of OpenAI's own models bring OpenAI's own strictness; any other is a server that speaks the format.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { isList, listOf, textOf, unknownKeys } from "../json-access.ts";
import { badValue, emptyArray, missing, unknown, wrongType } from "../openai/parameter.ts";
import { checkFunction, checkToolList } from "../openai/tools.ts";
import type { JudgeContext, Problem } from "../wire.ts";
import { checkMessage } from "./message.ts";
import { checkPairing, checkReasoningReturned } from "./pairing.ts";

const KNOWN = new Set(
  `model messages stream stream_options tools tool_choice parallel_tool_calls temperature top_p n stop max_tokens
  max_completion_tokens presence_penalty frequency_penalty logit_bias logprobs top_logprobs user seed
  response_format store metadata prediction reasoning_effort service_tier modalities audio verbosity
  prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier web_search_options`.split(
    /\s+/,
  ),
);

export function* openaiChatGrammar(body: JsonObject, context: JudgeContext): Generator<Problem> {
  const isOwn = /^(gpt-|o\d|chatgpt-)/.test(context.model);
  if (typeof body["model"] !== "string" || body["model"] === "") {
    yield { path: "", message: "you must provide a model parameter" };
  }
  if (isOwn) {
    for (const key of unknownKeys(body, KNOWN)) yield unknown(key);
    yield* checkReasoningModel(body, context.model);
  }
  yield* checkToolList(body);
  for (const [index, tool] of listOf(body["tools"]).entries()) yield* checkTool(tool, `tools[${index}]`);
  yield* checkToolChoice(body);
  if (body["stream_options"] !== undefined && body["stream"] !== true) {
    yield {
      path: "stream_options",
      message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    };
  }
  const { messages } = body;
  if (messages === undefined) yield missing("messages");
  else if (!isList(messages)) yield wrongType("messages", "an array of objects", messages);
  else if (messages.length === 0) yield emptyArray("messages");
  else {
    for (const [index, message] of messages.entries()) {
      yield* checkMessage(message, `messages[${index}]`, isOwn);
    }
    yield* checkPairing(messages);
    if (context.model.startsWith("deepseek")) yield* checkReasoningReturned(messages, context.issued);
  }
}

function* checkReasoningModel(body: JsonObject, model: string): Generator<Problem> {
  if (!/^(o\d|gpt-5)/.test(model)) return;
  if (body["max_tokens"] !== undefined) {
    yield {
      path: "max_tokens",
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      code: "unsupported_parameter",
    };
  }
  const { temperature } = body;
  if (temperature !== undefined && temperature !== 1) {
    yield {
      path: "temperature",
      message: `Unsupported value: 'temperature' does not support ${String(temperature)} with this model. Only the default (1) value is supported.`,
      code: "unsupported_value",
    };
  }
}

function* checkTool(tool: JsonValue, path: string): Generator<Problem> {
  if (!isJsonObject(tool)) yield wrongType(path, "an object", tool);
  else if (tool["type"] === undefined) yield missing(`${path}.type`);
  else if (tool["type"] !== "function") yield badValue(`${path}.type`, tool["type"], ["function", "custom"]);
  else if (!isJsonObject(tool["function"])) yield missing(`${path}.function`);
  else yield* checkFunction(tool["function"], `${path}.function`);
}

function* checkToolChoice(body: JsonObject): Generator<Problem> {
  const choice = body["tool_choice"];
  if (choice === undefined) return;
  if (typeof choice === "string") {
    const modes = ["none", "auto", "required"];
    if (!modes.includes(choice)) yield badValue("tool_choice", choice, modes);
    return;
  }
  const wanted = isJsonObject(choice) && isJsonObject(choice["function"]) ? choice["function"]["name"] : "";
  const names = listOf(body["tools"]).map((tool) => {
    return isJsonObject(tool) && isJsonObject(tool["function"]) ? textOf(tool["function"]["name"]) : "";
  });
  if (typeof wanted !== "string" || !names.includes(wanted)) {
    yield {
      path: "tool_choice",
      message: `Tool choice '${String(wanted)}' not found in 'tools' parameter.`,
    };
  }
}
