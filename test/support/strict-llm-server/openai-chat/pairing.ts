// Every call is answered by tool messages right after it, and there are no other tool messages.
import { isJsonObject, type JsonValue } from "../../../../src/base/json.ts";
import type { IssuedItems } from "../issued-items.ts";
import { objectsOf, textOf } from "../json-access.ts";
import type { Problem } from "../wire.ts";

/** The calls of one assistant message while their answers are being read. */
interface Batch {
  readonly ids: readonly string[];
  readonly answered: Set<string>;
}

export function* checkPairing(messages: readonly JsonValue[]): Generator<Problem> {
  let batch: Batch | undefined;
  for (const [index, message] of messages.entries()) {
    if (!isJsonObject(message)) continue;
    if (message["role"] === "tool") {
      yield* checkAnswer(textOf(message["tool_call_id"]), index, batch);
      continue;
    }
    yield* checkAllAnswered(batch, index);
    const ids = objectsOf(message["tool_calls"]).map((call) => textOf(call["id"]));
    batch = ids.length === 0 ? undefined : { ids, answered: new Set() };
    const twice = ids.find((id, place) => ids.indexOf(id) !== place);
    if (twice !== undefined) {
      yield {
        path: `messages.[${index}].tool_calls`,
        message: `Invalid parameter: Duplicate value for 'tool_call_id' of '${twice}' in message[${index}].`,
      };
    }
  }
  yield* checkAllAnswered(batch, messages.length);
}

function* checkAnswer(id: string, index: number, batch: Batch | undefined): Generator<Problem> {
  if (batch === undefined || batch.answered.has(id)) {
    yield {
      path: `messages.[${index}].role`,
      message:
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    };
  } else if (!batch.ids.includes(id)) {
    yield {
      path: `messages.[${index}].tool_call_id`,
      message: `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
    };
  }
  batch?.answered.add(id);
}

function* checkAllAnswered(batch: Batch | undefined, index: number): Generator<Problem> {
  const open = batch?.ids.filter((id) => !batch.answered.has(id)) ?? [];
  if (open.length === 0) return;
  yield {
    path: `messages.[${index}].role`,
    message:
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${open.join(", ")}`,
  };
}

/** DeepSeek requires the reasoning of the current tool loop to be sent back with its calls. */
export function* checkReasoningReturned(
  messages: readonly JsonValue[],
  issued: IssuedItems,
): Generator<Problem> {
  const begin = messages.findLastIndex((message) => isJsonObject(message) && message["role"] === "user");
  for (const [index, message] of messages.entries()) {
    if (index < begin || !isJsonObject(message) || typeof message["reasoning_content"] === "string") continue;
    if (objectsOf(message["tool_calls"]).some((call) => issued.reasonedCalls.has(textOf(call["id"])))) {
      yield {
        path: `messages[${index}].reasoning_content`,
        message: `Missing \`reasoning_content\` field in the assistant message at message index ${index}.`,
        code: "invalid_request_error",
      };
    }
  }
}
