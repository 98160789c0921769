// The rules between input items: calls and their outputs, reasoning and what it led to.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import type { IssuedItems } from "../issued-items.ts";
import { textOf } from "../json-access.ts";
import type { Problem } from "../wire.ts";
import { itemType } from "./item.ts";

interface Item {
  readonly type: string;
  readonly id: string;
  readonly callId: string;
  readonly role: string;
}

export function* checkSequence(input: readonly JsonValue[], issued: IssuedItems): Generator<Problem> {
  const items = input.filter(isJsonObject).map((item) => readItem(item, issued));
  yield* checkUniqueIds(items);
  yield* checkCalls(items);
  yield* checkReasoning(items, issued);
}

/** A reference stands for the item it names. */
function readItem(item: JsonObject, issued: IssuedItems): Item {
  const id = textOf(item["id"]);
  const stored = itemType(item) === "item_reference" ? issued.stored.get(id) : undefined;
  return {
    type: stored?.type ?? itemType(item),
    id,
    callId: stored?.callId ?? textOf(item["call_id"]),
    role: stored === undefined ? textOf(item["role"]) : "assistant",
  };
}

function* checkUniqueIds(items: readonly Item[]): Generator<Problem> {
  const seen = new Set<string>();
  for (const { id } of items) {
    if (id === "") continue;
    if (seen.has(id)) {
      const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
      yield { path: "input", message };
    }
    seen.add(id);
  }
}

/** Paired by call_id at any position, as long as the call comes first. Each call has one output. */
function* checkCalls(items: readonly Item[]): Generator<Problem> {
  const open = new Set<string>();
  const closed = new Set<string>();
  for (const { type, callId } of items) {
    if (type === "function_call") {
      if (open.has(callId) || closed.has(callId)) {
        yield { path: "input", message: `Duplicate function call with call_id ${callId}.` };
      }
      open.add(callId);
    } else if (type === "function_call_output") {
      if (closed.has(callId)) {
        yield { path: "input", message: `Duplicate function call output with call_id ${callId}.` };
      } else if (!open.delete(callId)) {
        yield {
          path: "input",
          message: `No tool call found for function call output with call_id ${callId}.`,
        };
      }
      closed.add(callId);
    }
  }
  for (const callId of open) {
    yield { path: "input", message: `No tool output found for function call ${callId}.` };
  }
}

function* checkReasoning(items: readonly Item[], issued: IssuedItems): Generator<Problem> {
  const present = new Set(items.filter(({ type }) => type === "reasoning").map(({ id }) => id));
  for (const [index, item] of items.entries()) {
    if (item.type === "reasoning") {
      const next = items.slice(index + 1).find(({ type }) => type !== "reasoning");
      const follows =
        next?.type === "function_call" || (next?.type === "message" && next.role === "assistant");
      if (!follows) {
        yield {
          path: "input",
          message: `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
        };
      }
      continue;
    }
    const reasoning = issued.reasoningOf.get(item.id);
    if (reasoning !== undefined && !present.has(reasoning)) {
      yield {
        path: "input",
        message: `Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${reasoning}'.`,
      };
    }
  }
}
