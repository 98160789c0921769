// What Anthropic's Messages API refuses, from its documentation and from the errors people report:
// the request as a whole. Messages are in messages.ts, blocks in blocks.ts. Server tools are not covered.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { isList, listOf, objectsOf, textOf, unknownKeys } from "../json-access.ts";
import { schemaFaults } from "../tool-schema.ts";
import type { JudgeContext, Problem } from "../wire.ts";
import { at } from "./at.ts";
import { checkMessages } from "./messages.ts";

const KNOWN = new Set(
  `model max_tokens messages system tools tool_choice temperature top_k top_p stop_sequences stream thinking
  output_config service_tier inference_geo cache_control metadata context_management container`.split(/\s+/),
);
const MAX_OUTPUT = 128_000;
const MAX_CACHE_MARKS = 4;
const MIN_THINKING_BUDGET = 1024;

export function* anthropicGrammar(body: JsonObject, context: JudgeContext): Generator<Problem> {
  for (const key of unknownKeys(body, KNOWN)) yield at(key, "Extra inputs are not permitted");
  if (typeof body["model"] !== "string") yield at("model", "Field required");
  yield* checkMaxTokens(body["max_tokens"]);
  yield* checkSystem(body["system"]);
  yield* checkTools(body);
  yield* checkThinking(body);
  yield* checkSampling(body, context.model);
  yield* checkMessages(body, context.model);
  yield* checkCacheMarks(body);
}

function* checkMaxTokens(value: JsonValue | undefined): Generator<Problem> {
  const path = "max_tokens";
  if (value === undefined) yield at(path, "Field required");
  else if (typeof value !== "number" || !Number.isInteger(value))
    yield at(path, "Input should be a valid integer");
  else if (value < 1) yield at(path, "Input should be greater than or equal to 1");
  else if (value > MAX_OUTPUT)
    yield at(path, `${value} > ${MAX_OUTPUT}, which is the maximum allowed number of output tokens`);
}

function* checkSystem(system: JsonValue | undefined): Generator<Problem> {
  if (system === undefined || typeof system === "string") return;
  if (!isList(system)) {
    yield at("system", "Input should be a valid list");
    return;
  }
  for (const [index, block] of system.entries()) {
    const path = `system.${index}`;
    if (!isJsonObject(block) || block["type"] !== "text") yield at(`${path}.type`, "Input should be 'text'");
    else if (typeof block["text"] !== "string") yield at(`${path}.text`, "Field required");
    else if (block["text"] === "") yield at("system", "text content blocks must be non-empty");
  }
}

function* checkTools(body: JsonObject): Generator<Problem> {
  const tools = listOf(body["tools"]);
  const names = objectsOf(body["tools"]).map((tool) => textOf(tool["name"]));
  for (const [index, tool] of tools.entries()) {
    if (!isJsonObject(tool)) yield at(`tools.${index}`, "Input should be a valid dictionary");
    else yield* checkTool(tool, `tools.${index}.custom`);
  }
  if (new Set(names).size < names.length) yield at("tools", "Tool names must be unique.");
  const choice = body["tool_choice"];
  if (choice === undefined) return;
  if (tools.length === 0) yield at("tool_choice", "may only be specified while providing tools.");
  if (!isJsonObject(choice) || !["auto", "any", "tool", "none"].includes(textOf(choice["type"]))) {
    yield at(
      "tool_choice",
      "Input tag does not match any of the expected tags: 'auto', 'any', 'tool', 'none'",
    );
  } else if (choice["type"] === "tool" && !names.includes(textOf(choice["name"]))) {
    yield at("tool_choice", `Tool '${textOf(choice["name"])}' not found in provided tools`);
  }
}

function* checkTool(tool: JsonObject, path: string): Generator<Problem> {
  const name = tool["name"];
  if (name === undefined) yield at(`${path}.name`, "Field required");
  else if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    yield at(`${path}.name`, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
  }
  const schema = tool["input_schema"];
  const schemaPath = `${path}.input_schema`;
  if (!isJsonObject(schema)) {
    yield at(schemaPath, schema === undefined ? "Field required" : "Input should be a valid dictionary");
    return;
  }
  if (schema["type"] === undefined) yield at(`${schemaPath}.type`, "Field required");
  else if (schema["type"] !== "object") yield at(`${schemaPath}.type`, "Input should be 'object'");
  if (["oneOf", "allOf", "anyOf"].some((key) => schema[key] !== undefined)) {
    yield at(schemaPath, "input_schema does not support oneOf, allOf, or anyOf at the top level");
  }
  const keys = isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  if (keys.some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))) {
    yield at(`${schemaPath}.properties`, "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'");
  }
  for (const { fault } of schemaFaults(schema)) {
    if (fault === "no-items" || fault === "no-properties") continue;
    yield at(schemaPath, "JSON schema is invalid. It must match JSON Schema draft 2020-12");
  }
}

function* checkThinking(body: JsonObject): Generator<Problem> {
  const thinking = body["thinking"];
  if (thinking === undefined) return;
  if (!isJsonObject(thinking) || !["enabled", "disabled", "adaptive"].includes(textOf(thinking["type"]))) {
    yield at(
      "thinking",
      "Input tag does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'",
    );
    return;
  }
  if (thinking["type"] === "disabled") return;
  const choice = body["tool_choice"];
  if (isJsonObject(choice) && (choice["type"] === "any" || choice["type"] === "tool")) {
    yield { path: "tool_choice", message: "Thinking may not be enabled when tool_choice forces tool use." };
  }
  if (body["temperature"] !== undefined && body["temperature"] !== 1) {
    yield { path: "temperature", message: "`temperature` may only be set to 1 when thinking is enabled." };
  }
  if (thinking["type"] !== "enabled") return;
  const budget = thinking["budget_tokens"];
  const path = "thinking.enabled.budget_tokens";
  const limit = body["max_tokens"];
  if (typeof budget !== "number") yield at(path, "Field required");
  else if (budget < MIN_THINKING_BUDGET) {
    yield at(path, `Input should be greater than or equal to ${MIN_THINKING_BUDGET}`);
  } else if (typeof limit === "number" && limit <= budget) {
    yield { path: "max_tokens", message: "`max_tokens` must be greater than `thinking.budget_tokens`." };
  }
}

function* checkSampling(body: JsonObject, model: string): Generator<Problem> {
  const { temperature } = body;
  if (typeof temperature === "number" && (temperature < 0 || temperature > 1)) {
    yield at("temperature", "range: 0..1");
  }
  if (temperature !== undefined && body["top_p"] !== undefined && /claude-\w+-(4-[1-9]|[5-9])/.test(model)) {
    yield { path: "top_p", message: "`temperature` and `top_p` cannot both be specified for this model." };
  }
}

/** At most four, long-lived before short-lived, in the order tools, system, messages. */
function* checkCacheMarks(body: JsonObject): Generator<Problem> {
  const marks = [...cacheMarks(body["tools"], "tools"), ...cacheMarks(body["system"], "system")];
  marks.push(...cacheMarks(body["messages"], "messages"));
  const automatic = body["cache_control"] === undefined ? 0 : 1;
  for (const { path, mark } of marks) {
    if (!isJsonObject(mark) || mark["type"] !== "ephemeral") {
      yield at(`${path}.type`, "Input should be 'ephemeral'");
    } else if (mark["ttl"] !== undefined && mark["ttl"] !== "5m" && mark["ttl"] !== "1h") {
      yield at(`${path}.ttl`, "Input should be '5m' or '1h'");
    }
  }
  if (marks.length + automatic > MAX_CACHE_MARKS) {
    const message = `A maximum of ${MAX_CACHE_MARKS} blocks with cache_control may be provided. Found ${marks.length + automatic}.`;
    yield { path: "cache_control", message };
  }
  const lives = marks.map(({ mark }) => (isJsonObject(mark) && mark["ttl"] === "1h" ? "1h" : "5m"));
  const late = lives.lastIndexOf("1h");
  if (late > -1 && lives.slice(0, late).includes("5m")) {
    const path = `${marks[late]?.path}.ttl`;
    yield at(path, "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block");
  }
}

function* cacheMarks(
  value: JsonValue | undefined,
  path: string,
): Generator<{ readonly path: string; readonly mark: JsonValue }> {
  if (isList(value)) {
    for (const [index, entry] of value.entries()) yield* cacheMarks(entry, `${path}.${index}`);
  } else if (isJsonObject(value)) {
    const mark = value["cache_control"];
    if (mark !== undefined && mark !== null) yield { path: `${path}.cache_control`, mark };
    if (value["content"] !== undefined) yield* cacheMarks(value["content"], `${path}.content`);
  }
}
