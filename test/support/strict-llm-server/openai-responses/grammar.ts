// What OpenAI's Responses API refuses, from its documentation and from the errors people report.
// Built-in tools and previous_response_id are not covered: every response id is unknown.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { isList, listOf, unknownKeys } from "../json-access.ts";
import { badValue, missing, unknown, wrongType } from "../openai/parameter.ts";
import { checkFunction, checkToolList } from "../openai/tools.ts";
import type { JudgeContext, Problem } from "../wire.ts";
import { checkItem } from "./item.ts";
import { checkSequence } from "./sequence.ts";

const KNOWN = new Set(
  `model input instructions stream stream_options tools tool_choice parallel_tool_calls max_tool_calls temperature
  top_p top_logprobs max_output_tokens store include reasoning text truncation metadata user service_tier
  prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier previous_response_id conversation
  background context_management prompt`.split(/\s+/),
);
const INCLUDES = [
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
  "reasoning.encrypted_content",
  "message.output_text.logprobs",
];
const MIN_OUTPUT = 16;

export function* openaiResponsesGrammar(body: JsonObject, context: JudgeContext): Generator<Problem> {
  for (const key of unknownKeys(body, KNOWN)) yield unknown(key);
  if (typeof body["model"] !== "string" || body["model"] === "") yield missing("model");
  yield* checkSettings(body);
  yield* checkToolList(body);
  for (const [index, tool] of listOf(body["tools"]).entries()) yield* checkTool(tool, `tools[${index}]`);
  yield* checkInput(body["input"], context);
}

function* checkInput(input: JsonValue | undefined, context: JudgeContext): Generator<Problem> {
  if (input === undefined || (isList(input) && input.length === 0)) {
    yield {
      path: "input",
      message:
        "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided.",
      code: "missing_required_parameter",
    };
  } else if (isList(input)) {
    for (const [index, item] of input.entries()) yield* checkItem(item, `input[${index}]`, context.issued);
    yield* checkSequence(input, context.issued);
  } else if (typeof input !== "string") {
    yield wrongType("input", "one of a string or array of input items", input);
  }
}

function* checkSettings(body: JsonObject): Generator<Problem> {
  const limit = body["max_output_tokens"];
  if (typeof limit === "number" && limit < MIN_OUTPUT) {
    yield {
      path: "max_output_tokens",
      message: `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${MIN_OUTPUT}, but got ${limit} instead.`,
      code: "integer_below_min_value",
    };
  }
  for (const [index, value] of listOf(body["include"]).entries()) {
    if (typeof value !== "string" || !INCLUDES.includes(value)) {
      yield badValue(`include[${index}]`, value, INCLUDES);
    }
  }
  const { instructions } = body;
  if (instructions !== undefined && instructions !== null && typeof instructions !== "string") {
    yield wrongType("instructions", "a string", instructions);
  }
  const previous = body["previous_response_id"];
  if (typeof previous === "string") {
    yield {
      path: "previous_response_id",
      message: `Previous response with id '${previous}' not found.`,
      code: "previous_response_not_found",
    };
  }
}

function* checkTool(tool: JsonValue, path: string): Generator<Problem> {
  if (!isJsonObject(tool)) yield wrongType(path, "an object", tool);
  else if (tool["type"] === undefined) yield missing(`${path}.type`);
  else if (tool["type"] === "function") yield* checkFunction(tool, path);
  else yield badValue(`${path}.type`, tool["type"], ["function"]);
}
