// The rules between messages: order, pairing of tool_use and tool_result, thinking inside a tool loop.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { isList, listOf, textOf } from "../json-access.ts";
import type { Problem } from "../wire.ts";
import { at } from "./at.ts";
import { checkBlock } from "./blocks.ts";

/** Adjacent messages of one role count as one: the API merges them. */
interface Turn {
  readonly role: string;
  readonly path: string;
  readonly blocks: readonly { readonly path: string; readonly block: JsonObject }[];
}

/** Models from 4.6 on can't be given the beginning of their answer. */
const NO_PREFILL = /claude-(opus|sonnet|haiku)-(4-[6-9]|[5-9])/;

export function* checkMessages(body: JsonObject, model: string): Generator<Problem> {
  const messages = body["messages"];
  if (!isList(messages)) {
    yield at("messages", messages === undefined ? "Field required" : "Input should be a valid list");
    return;
  }
  if (messages.length === 0) {
    yield at("messages", "at least one message is required");
    return;
  }
  for (const [index, message] of messages.entries()) yield* checkMessage(message, index, messages.length);
  const turns = mergeTurns(messages);
  if (turns[0]?.role === "assistant") yield at("messages", 'first message must use the "user" role');
  yield* checkPairing(turns);
  yield* checkEnd(turns, model);
  yield* checkThinkingLoop(turns, body["thinking"]);
  const usesTools = turns.some(({ blocks }) => blocks.some(({ block }) => isToolBlock(block)));
  if (usesTools && listOf(body["tools"]).length === 0) {
    yield {
      path: "tools",
      message: "Requests which include `tool_use` or `tool_result` blocks must define tools",
    };
  }
}

function* checkMessage(message: JsonValue, index: number, count: number): Generator<Problem> {
  const path = `messages.${index}`;
  if (!isJsonObject(message)) {
    yield at(path, "Input should be a valid dictionary");
    return;
  }
  for (const key of Object.keys(message)) {
    if (key !== "role" && key !== "content") yield at(`${path}.${key}`, "Extra inputs are not permitted");
  }
  const { role, content } = message;
  if (role === "system") {
    yield at(
      "messages",
      'Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    );
  } else if (role !== "user" && role !== "assistant") {
    yield at(`${path}.role`, "Input should be 'user' or 'assistant'");
  }
  if (content === undefined) yield at(`${path}.content`, "Field required");
  else if (typeof content === "string") yield* checkText(content, path, index === count - 1, role);
  else if (!isList(content)) yield at(`${path}.content`, "Input should be a valid list");
  else if (content.length === 0) {
    if (role !== "assistant" || index < count - 1) yield emptyMessage(path);
  } else {
    for (const [place, block] of content.entries()) {
      yield* checkBlock(block, `${path}.content.${place}`, textOf(role));
    }
  }
}

function* checkText(
  content: string,
  path: string,
  isLast: boolean,
  role: JsonValue | undefined,
): Generator<Problem> {
  if (content === "") {
    if (role !== "assistant" || !isLast) yield emptyMessage(path);
  } else if (content.trim() === "") {
    yield at("messages", "text content blocks must contain non-whitespace text");
  }
}

function emptyMessage(path: string): Problem {
  return at(path, "all messages must have non-empty content except for the optional final assistant message");
}

function mergeTurns(messages: readonly JsonValue[]): Turn[] {
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (!isJsonObject(message)) continue;
    const path = `messages.${index}`;
    const { role, content } = message;
    const list = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
    const blocks = list.flatMap((block, place) =>
      isJsonObject(block) ? [{ path: `${path}.content.${place}`, block }] : [],
    );
    const last = turns.at(-1);
    if (last !== undefined && last.role === role) {
      turns[turns.length - 1] = { ...last, path, blocks: [...last.blocks, ...blocks] };
    } else turns.push({ role: textOf(role), path, blocks });
  }
  return turns;
}

function* checkPairing(turns: readonly Turn[]): Generator<Problem> {
  const seen = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    if (turn.role === "assistant") {
      const calls = turn.blocks.filter(({ block }) => block["type"] === "tool_use");
      for (const { path, block } of calls) {
        const id = textOf(block["id"]);
        if (seen.has(id)) yield at(path, "`tool_use` ids must be unique");
        seen.add(id);
      }
      yield* checkAnswered(turn, idsOf(turn, "tool_use"), turns[index + 1]);
    } else {
      yield* checkResults(turn, turns[index - 1]);
    }
  }
}

/** The results stand at the head of the next message, in any order; anything else comes after them. */
function* checkAnswered(turn: Turn, ids: readonly string[], next: Turn | undefined): Generator<Problem> {
  const head: string[] = [];
  for (const { block } of next?.role === "user" ? next.blocks : []) {
    if (block["type"] !== "tool_result") break;
    head.push(textOf(block["tool_use_id"]));
  }
  const missing = ids.filter((id) => !head.includes(id));
  if (missing.length === 0) return;
  yield at(
    turn.path,
    `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. ` +
      "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  );
}

function* checkResults(turn: Turn, previous: Turn | undefined): Generator<Problem> {
  const calls = previous?.role === "assistant" ? idsOf(previous, "tool_use") : [];
  const answered = new Set<string>();
  for (const { path, block } of turn.blocks) {
    if (block["type"] !== "tool_result") continue;
    const id = textOf(block["tool_use_id"]);
    if (!calls.includes(id)) {
      yield at(
        path,
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
      );
    } else if (answered.has(id)) {
      yield at(
        path,
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    }
    answered.add(id);
  }
}

function* checkEnd(turns: readonly Turn[], model: string): Generator<Problem> {
  const last = turns.at(-1);
  if (last?.role !== "assistant") return;
  if (NO_PREFILL.test(model)) {
    yield {
      path: last.path,
      message:
        "This model does not support assistant message prefill. The conversation must end with a user message.",
    };
  }
  const block = last.blocks.at(-1)?.block;
  if (block?.["type"] === "text" && /\s$/.test(textOf(block["text"]))) {
    yield at("messages", "final assistant content cannot end with trailing whitespace");
  }
}

/** With a thinking budget, the answer a tool loop goes back to must begin with its thinking. */
function* checkThinkingLoop(turns: readonly Turn[], thinking: JsonValue | undefined): Generator<Problem> {
  for (const turn of turns) {
    const last = turn.blocks.at(-1);
    if (turn.role === "assistant" && last?.block["type"] === "thinking") {
      yield at(turn.path, "The final block in an assistant message cannot be `thinking`.");
    }
  }
  if (!isJsonObject(thinking) || thinking["type"] !== "enabled") return;
  const begin = turns.findLastIndex(({ role, blocks }) => {
    return role === "user" && !blocks.some(({ block }) => block["type"] === "tool_result");
  });
  const first = turns[begin + 1];
  if (first?.role !== "assistant") return;
  const head = first.blocks[0];
  const type = textOf(head?.block["type"]);
  if (type === "thinking" || type === "redacted_thinking") return;
  yield at(
    `${head?.path ?? first.path}.type`,
    `Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final ` +
      "`assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and " +
      "`tool_result` blocks).",
  );
}

function idsOf(turn: Turn, type: string): string[] {
  return turn.blocks.filter(({ block }) => block["type"] === type).map(({ block }) => textOf(block["id"]));
}

function isToolBlock(block: JsonObject): boolean {
  return block["type"] === "tool_use" || block["type"] === "tool_result";
}
