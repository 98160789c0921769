// What Google's Gemini API refuses, from its documentation and from the errors people report.
// Bodies are judged in their camelCase form, the one every client sends.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { isList, listOf, textOf, unknownKeys } from "../json-access.ts";
import type { JudgeContext, Problem } from "../wire.ts";
import { checkPart } from "./part.ts";
import { field, request, unknownName } from "./place.ts";
import { checkDeclarations } from "./tools.ts";
import { checkTurns } from "./turns.ts";

const KNOWN = new Set(
  "contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent serviceTier labels".split(
    " ",
  ),
);
const CONFIG_KEYS = new Set(
  `maxOutputTokens temperature topK topP frequencyPenalty presencePenalty stopSequences seed candidateCount
  responseMimeType responseSchema responseJsonSchema responseModalities responseLogprobs logprobs thinkingConfig
  mediaResolution imageConfig speechConfig enableEnhancedCivicAnswers`.split(/\s+/),
);

export function* googleGrammar(body: JsonObject, context: JudgeContext): Generator<Problem> {
  for (const key of unknownKeys(body, KNOWN)) yield unknownName(key, "");
  yield* checkSystem(body["systemInstruction"]);
  yield* checkConfig(body["generationConfig"]);
  yield* checkDeclarations(body["tools"]);
  const { contents } = body;
  if (!isList(contents) || contents.length === 0) {
    yield request("contents", "contents is not specified");
    return;
  }
  for (const [index, content] of contents.entries()) yield* checkContent(content, `contents[${index}]`);
  yield* checkTurns(contents.filter(isJsonObject), context.model);
}

function* checkContent(content: JsonValue, path: string): Generator<Problem> {
  if (!isJsonObject(content)) {
    yield field(path, "type.googleapis.com/google.ai.generativelanguage.v1beta.Content", content);
    return;
  }
  for (const key of unknownKeys(content, new Set(["role", "parts"]))) yield unknownName(key, path);
  const { role } = content;
  if (role !== undefined && !["user", "model", "function"].includes(textOf(role))) {
    yield { path: `${path}.role`, message: "Please use a valid role: user, model." };
  }
  const parts = listOf(content["parts"]);
  if (parts.length === 0) yield request(`${path}.parts`, "contents.parts must not be empty.");
  for (const [index, part] of parts.entries()) yield* checkPart(part, `${path}.parts[${index}]`);
}

function* checkSystem(system: JsonValue | undefined): Generator<Problem> {
  if (system === undefined) return;
  const parts = isJsonObject(system) ? listOf(system["parts"]) : [];
  if (parts.length === 0) yield request("system_instruction.parts", "contents.parts must not be empty.");
  for (const [index, part] of parts.entries()) {
    yield* checkPart(part, `system_instruction.parts[${index}]`);
  }
}

function* checkConfig(config: JsonValue | undefined): Generator<Problem> {
  if (!isJsonObject(config)) return;
  for (const key of unknownKeys(config, CONFIG_KEYS)) yield unknownName(key, "generation_config");
  const thinking = config["thinkingConfig"];
  if (
    isJsonObject(thinking) &&
    thinking["thinkingBudget"] !== undefined &&
    thinking["thinkingLevel"] !== undefined
  ) {
    yield {
      path: "generation_config.thinking_config",
      message: "You can only set only one of thinking budget and thinking level.",
    };
  }
}
