// The rules between contents: who speaks when, calls and their responses, thought signatures.
import { isJsonObject, type JsonObject } from "../../../../src/base/json.ts";
import { objectsOf, textOf } from "../json-access.ts";
import type { Problem } from "../wire.ts";

interface Content {
  readonly path: string;
  readonly role: string;
  readonly parts: readonly JsonObject[];
  readonly calls: readonly JsonObject[];
  readonly responses: readonly JsonObject[];
}

export function* checkTurns(contents: readonly JsonObject[], model: string): Generator<Problem> {
  const turns = contents.map(readContent);
  yield* checkEnds(turns);
  for (const [index, turn] of turns.entries()) {
    if (turn.calls.length > 0) yield* checkCallTurn(turn, turns[index - 1], turns[index + 1]);
    if (turn.responses.length > 0) yield* checkResponseTurn(turn, turns[index - 1]);
  }
  // Only Gemini 3 and later insist, and only in the running turn.
  if (/gemini-([3-9]|\d\d)/.test(model)) yield* checkSignatures(turns);
}

function readContent(content: JsonObject, index: number): Content {
  const parts = objectsOf(content["parts"]);
  const pick = (key: string) => parts.map((part) => part[key]).filter(isJsonObject);
  return {
    path: `contents[${index}]`,
    role: textOf(content["role"]) || "user",
    parts,
    calls: pick("functionCall"),
    responses: pick("functionResponse"),
  };
}

function* checkEnds(turns: readonly Content[]): Generator<Problem> {
  const first = turns[0];
  const last = turns.at(-1);
  if (turns.length === 1 && last?.role === "model") {
    yield {
      path: last.path,
      message: "Please ensure that single turn requests end with a user role or the role field is empty.",
    };
  } else if (first?.role === "model") {
    yield {
      path: first.path,
      message: "Please ensure that multiturn requests start with a user role and alternate.",
    };
  } else if (last?.role === "model") {
    yield {
      path: last.path,
      message: "Please ensure that multiturn requests end with a user role or a function response.",
    };
  }
}

function* checkCallTurn(
  turn: Content,
  previous: Content | undefined,
  next: Content | undefined,
): Generator<Problem> {
  if (turn.role !== "model" || previous === undefined || previous.role === "model") {
    yield {
      path: turn.path,
      message:
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
    };
  }
  if (next?.responses.length !== turn.calls.length) {
    yield {
      path: next?.path ?? turn.path,
      message:
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    };
  }
}

/** Responses name the function they answer, and its id where the call has one. */
function* checkResponseTurn(turn: Content, previous: Content | undefined): Generator<Problem> {
  if (turn.role === "model" || previous === undefined || previous.calls.length === 0) {
    yield {
      path: turn.path,
      message: "Please ensure that function response turn comes immediately after a function call turn.",
    };
    return;
  }
  const names = (list: readonly JsonObject[]) =>
    list
      .map((entry) => textOf(entry["name"]))
      .sort()
      .join();
  if (previous.calls.length === turn.responses.length && names(previous.calls) !== names(turn.responses)) {
    yield {
      path: turn.path,
      message: "Please ensure that function response names match the names of the function calls.",
    };
  }
  const calls = previous.calls.map((call) => call["id"]).filter((id) => id !== undefined);
  const answered = turn.responses.map((response) => response["id"]).filter((id) => id !== undefined);
  const isStray = calls.length > 0 && answered.some((id) => !calls.includes(id));
  if (isStray || new Set(answered).size < answered.length || new Set(calls).size < calls.length) {
    yield {
      path: turn.path,
      message: "Please ensure that function response ids match the ids of the function calls.",
    };
  }
}

/** Since the last prompt, the first call of each step has to carry its signature. */
function* checkSignatures(turns: readonly Content[]): Generator<Problem> {
  const begin = turns.findLastIndex(
    ({ role, parts, responses }) => role !== "model" && parts.length > responses.length,
  );
  for (const [index, turn] of turns.entries()) {
    const first = turn.parts.find((part) => isJsonObject(part["functionCall"]));
    if (index <= begin || turn.role !== "model" || first === undefined) continue;
    if (first["thoughtSignature"] !== undefined) continue;
    const name = textOf(turn.calls[0]?.["name"]);
    yield {
      path: turn.path,
      message:
        "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, " +
        `and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\`, position ${index + 1}.`,
    };
  }
}
