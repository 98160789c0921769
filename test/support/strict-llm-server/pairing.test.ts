// Calls and returns, judged by all four vendors, with one conversation per line.
import { expect, test } from "bun:test";
import type { JsonObject } from "../../../src/base/json.ts";
import { judge } from "./judge.ts";
import { seal } from "./seal.ts";
import { WIRES, type Wire } from "./wire.ts";

/** Who accepts: c(hat), r(esponses), a(nthropic), g(oogle). */
const TABLE: readonly (readonly [string, string])[] = [
  ["user", "crag"],
  ["user user", "crag"],
  ["user text user", "crag"],
  ["text user", "cr"],
  ["user text", "cra"],
  ["user call:a return:a", "crag"],
  ["user call:a return:a user", "crag"],
  ["user call:a,b return:a,b", "crag"],
  ["user call:a,b return:b,a", "crag"],
  ["user call:a,b return:a return:b", "cra"],
  ["user call:a return:a call:b return:b text user", "crag"],
  ["user call:a", ""],
  ["user call:a user", ""],
  ["user call:a text user", ""],
  ["user call:a call:b return:a,b", "ra"],
  ["user call:a user return:a", "r"],
  ["user call:a text return:a", "ra"],
  ["user return:a", ""],
  ["return:a user", ""],
  ["user return:a call:a", ""],
  ["user call:a return:b", ""],
  ["user call:a return:a return:a", ""],
  ["user call:a return:a,a", ""],
  ["user call:a,b return:a", ""],
  ["user call:a,b return:a user return:b", "r"],
  ["user call:a return:a,b", ""],
  ["user call:a,a return:a,a", ""],
  ["user call:a,a return:a", ""],
  ["user call:a return:a text user return:a", ""],
  ["user call:a return:a call:a return:a", "cg"],
];
const LETTERS: Readonly<Record<Wire, string>> = {
  "openai-chat": "c",
  "openai-responses": "r",
  anthropic: "a",
  google: "g",
};

for (const [notation, accepting] of TABLE) {
  test(`"${notation}" is accepted by ${accepting === "" ? "nobody" : accepting.split("").join(", ")}`, () => {
    const accepted = WIRES.filter((wire) => judge(wire, render(wire, notation)).length === 0);
    expect(accepted.map((wire) => LETTERS[wire]).sort()).toEqual(accepting.split("").sort());
  });
}

function render(wire: Wire, notation: string): JsonObject {
  const messages = notation.split(" ").flatMap((word) => {
    const [kind = "", list] = word.split(":");
    return scene(wire, kind, list?.split(",") ?? []);
  });
  switch (wire) {
    case "openai-chat":
      return { model: "gpt-4.1", messages };
    case "openai-responses":
      return { model: "gpt-5.1", input: messages };
    case "anthropic": {
      const tools = [{ name: "bash", input_schema: { type: "object", properties: {} } }];
      return { model: "claude-sonnet-4-5", max_tokens: 100, messages, tools };
    }
    case "google":
      return { contents: messages };
  }
}

function scene(wire: Wire, kind: string, ids: readonly string[]): JsonObject[] {
  const isUser = kind === "user" || kind === "return";
  switch (wire) {
    case "openai-chat":
      if (kind === "return") return ids.map((id) => ({ role: "tool", tool_call_id: id, content: "ok" }));
      return [
        {
          role: isUser ? "user" : "assistant",
          content: ids.length > 0 ? null : "words",
          ...(ids.length === 0
            ? {}
            : { tool_calls: ids.map((id) => ({ id, type: "function", function: CALL })) }),
        },
      ];
    case "openai-responses":
      if (kind === "return")
        return ids.map((id) => ({ type: "function_call_output", call_id: id, output: "ok" }));
      if (kind === "call") return ids.map((id) => ({ type: "function_call", call_id: id, ...CALL }));
      return [{ role: isUser ? "user" : "assistant", content: "words" }];
    case "anthropic": {
      const blocks = ids.map((id) =>
        kind === "call"
          ? { type: "tool_use", id, name: "bash", input: {} }
          : { type: "tool_result", tool_use_id: id, content: "ok" },
      );
      return [{ role: isUser ? "user" : "assistant", content: ids.length > 0 ? blocks : "words" }];
    }
    case "google": {
      const parts = ids.map((id) =>
        kind === "call"
          ? { functionCall: { id, name: "bash" }, thoughtSignature: seal("google", id) }
          : { functionResponse: { id, name: "bash", response: {} } },
      );
      return [{ role: isUser ? "user" : "model", parts: ids.length > 0 ? parts : [{ text: "words" }] }];
    }
  }
}

const CALL = { name: "bash", arguments: "{}" };
