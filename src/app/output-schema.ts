// An answer that has to be JSON of a given shape: what the model is told, and what is wrong with what it answered.
import { type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";
import { schemaProblems } from "../base/json-schema.ts";

export interface JsonAnswer {
  /** The JSON as the model wrote it, without a code fence around it. */
  readonly text: string;
  readonly value: JsonValue;
}

const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/i;

export function schemaInstructions(schema: JsonObject): string {
  return `# The last answer
When the task is done, answer with JSON alone: no other words, no code fence. It has to fit this JSON Schema:
${JSON.stringify(schema)}`;
}

/** Null if it is no JSON. */
export function jsonAnswer(text: string): JsonAnswer | null {
  const json = unfenced(text);
  const parsed = parseJson(json);
  return parsed.ok && !isTooDeep(parsed.value) ? { text: json, value: parsed.value } : null;
}

/** A sentence for the model and the person; null if the answer fits. */
export function answerProblem(text: string, schema: JsonObject): string | null {
  const answer = jsonAnswer(text);
  const problems = answer === null ? [notJson(text)] : schemaProblems(answer.value, schema);
  if (problems.length === 0) return null;
  return `The last answer has to be JSON alone that fits the schema. What is wrong: ${problems.join("; ")}.`;
}

function notJson(text: string): string {
  const parsed = parseJson(unfenced(text));
  return parsed.ok ? "it is nested too deeply" : `it is not JSON (${parsed.problem})`;
}

function unfenced(text: string): string {
  const trimmed = text.trim();
  return FENCED.exec(trimmed)?.[1]?.trim() ?? trimmed;
}
