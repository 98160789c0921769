// Where a vendor's own structured output is used. It has to leave the model free to call tools, and must not refuse or
// narrow the schema; elsewhere the model only reads the schema. A refusal nobody foresaw has a remedy in the loop.
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { ModelRequest } from "../domain/model.ts";
import type { ResolvedProvider } from "./resolve-provider.ts";

type ResponseFormat = NonNullable<LanguageModelV4CallOptions["responseFormat"]>;

export function responseFormatOf(
  provider: ResolvedProvider,
  model: string,
  { outputSchema: schema, tools, toolChoice }: ModelRequest,
): ResponseFormat | undefined {
  if (schema === undefined) return undefined;
  const mayCall = tools.length > 0 && toolChoice !== "none";
  if (!takesSchema(provider, model, schema, mayCall)) return undefined;
  return { type: "json", name: "answer", schema: schema as JsonSchema };
}

type JsonSchema = NonNullable<Extract<ResponseFormat, { type: "json" }>["schema"]>;

function takesSchema(
  { name, wire, atVendor }: ResolvedProvider,
  model: string,
  schema: JsonObject,
  mayCall: boolean,
): boolean {
  switch (wire) {
    case "openai-responses":
      return true;
    case "openai-chat":
      if (name === "deepseek") return false; // It takes "some JSON", but no schema.
      // OpenRouter drops what a model can't do. The others either refuse a schema beside tools, or hold the model to
      // it at once, so that it can't call any.
      return !mayCall || name === "openrouter" || (name === "openai" && atVendor);
    case "anthropic":
      return CLAUDE_WITH_SCHEMAS.test(model) && !hasOpenObject(schema);
    case "google":
      // Older models refuse a schema beside declared tools.
      return GEMINI_WITH_SCHEMAS.test(model);
  }
}

const CLAUDE_WITH_SCHEMAS = /claude-(?:opus-4-1|[a-z]+-4-[5-9]|[a-z]+-[5-9])(?!\d)/;
const GEMINI_WITH_SCHEMAS = /gemini-(?:[3-9]|\d\d)(?!\d)/;

/** Anthropic closes every object, so one that may hold any keys would always come empty. */
function hasOpenObject(schema: JsonValue): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if (isJsonObject(schema)) {
    const { type, properties, additionalProperties: others, patternProperties } = schema;
    if (others === true || isJsonObject(others) || patternProperties !== undefined) return true;
    if (type === "object" && properties === undefined) return true;
  }
  return Object.values(schema).some(hasOpenObject);
}
