// Conversations as Anthropic's Messages API takes them.
import type { JsonObject } from "../../../../src/base/json.ts";
import { seal } from "../seal.ts";
import { GIF, type ModelScene, PNG, type Scene, type SceneCall, scenesOf, TOOLS } from "./conversation.ts";

const MARK = { cache_control: { type: "ephemeral" } };

export function anthropicBody(scenes: readonly Scene[], style: "plain" | "rich"): JsonObject {
  const isRich = style === "rich";
  const messages = messagesOf(scenes, isRich);
  return {
    model: "claude-sonnet-4-5",
    max_tokens: 4096,
    messages,
    ...(isRich || scenes.some((scene) => scene.kind === "model" && scene.calls.length > 0)
      ? { tools: tools(isRich) }
      : {}),
    ...(isRich ? { system: [{ type: "text", text: "You are a coder.", ...MARK }], stream: true } : {}),
    ...(isRich && startsLoopThinking(scenes) ? { thinking: { type: "enabled", budget_tokens: 2048 } } : {}),
  };
}

/** In the rich style text is in blocks and a person's words after returns share their message. */
function messagesOf(scenes: readonly Scene[], isRich: boolean): JsonObject[] {
  const messages: JsonObject[] = [];
  let results: JsonObject[] = [];
  for (const scene of scenes) {
    if (scene.kind === "model") {
      if (results.length > 0) messages.push({ role: "user", content: results });
      messages.push({ role: "assistant", content: modelContent(scene, isRich) });
      results = scene.calls.map(resultOf);
    } else {
      const content = userContent(scene.text, scene.images);
      if (isRich) messages.push({ role: "user", content: [...results, ...content] });
      else {
        if (results.length > 0) messages.push({ role: "user", content: results });
        messages.push({ role: "user", content: scene.images === 0 ? scene.text : content });
      }
      results = [];
    }
  }
  if (results.length > 0) messages.push({ role: "user", content: results });
  return messages;
}

function userContent(text: string, images: number): JsonObject[] {
  return [...Array.from({ length: images }, (_, index) => image(index)), { type: "text", text }];
}

function image(index: number): JsonObject {
  const source =
    index % 2 === 0
      ? { type: "base64", media_type: "image/png", data: PNG }
      : { type: "base64", media_type: "image/gif", data: GIF };
  return { type: "image", source };
}

function modelContent(scene: ModelScene, isRich: boolean): JsonObject[] | string {
  const { thought, text, calls } = scene;
  if (!isRich && thought === undefined && calls.length === 0) return text ?? "";
  return [
    ...(thought === undefined
      ? []
      : [{ type: "thinking", thinking: thought, signature: seal("anthropic", thought) }]),
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...calls.map(({ number, name, args }) => ({
      type: "tool_use",
      id: `toolu_${number}`,
      name,
      input: args,
    })),
  ];
}

function resultOf({ number, content, outcome }: SceneCall): JsonObject {
  const result = { type: "tool_result", tool_use_id: `toolu_${number}` };
  if (outcome === "error") return { ...result, content, is_error: true };
  if (outcome === "image") return { ...result, content: [{ type: "text", text: "seen" }, image(0)] };
  return { ...result, content };
}

function tools(isMarked: boolean): JsonObject[] {
  return TOOLS.map(({ name, description, schema }, index) => ({
    name,
    description,
    input_schema: schema,
    ...(isMarked && index === TOOLS.length - 1 ? MARK : {}),
  }));
}

/** A thinking budget may only be given where the running loop began with thinking, or none is running. */
function startsLoopThinking(scenes: readonly Scene[]): boolean {
  const plain = scenes.findLastIndex((scene, index) => scene.kind === "user" && !hasCalls(scenes[index - 1]));
  const first = scenes[plain + 1];
  return first === undefined || (first.kind === "model" && first.thought !== undefined);
}

function hasCalls(scene: Scene | undefined): boolean {
  return scene?.kind === "model" && scene.calls.length > 0;
}

export function anthropicSpecials(): { readonly name: string; readonly body: JsonObject }[] {
  const base = (notation: string) => anthropicBody(scenesOf(notation), "rich");
  const user = (content: string | JsonObject[]): JsonObject => ({ role: "user", content });
  const calls = [
    { type: "tool_use", id: "toolu_a", name: "bash", input: {} },
    { type: "tool_use", id: "toolu_b", name: "bash", input: {} },
  ];
  const result = (id: string): JsonObject => ({ type: "tool_result", tool_use_id: id, content: "ok" });
  const looped = (...rest: JsonObject[]) => ({
    ...base("user"),
    thinking: { type: "adaptive" },
    messages: [user("go"), { role: "assistant", content: calls }, ...rest],
  });
  const redacted = { type: "redacted_thinking", data: seal("anthropic-redacted", "hidden") };
  const omitted = { type: "thinking", thinking: "", signature: seal("anthropic", "") };
  return [
    { name: "results in another order", body: looped(user([result("toolu_b"), result("toolu_a")])) },
    { name: "results in two messages", body: looped(user([result("toolu_a")]), user([result("toolu_b")])) },
    {
      name: "text after results",
      body: looped(user([result("toolu_a"), result("toolu_b"), { type: "text", text: "and?" }])),
    },
    {
      name: "a result without content",
      body: looped(user([result("toolu_a"), { type: "tool_result", tool_use_id: "toolu_b" }])),
    },
    {
      name: "redacted thinking, and thinking not shown",
      body: {
        ...base("user"),
        messages: [
          user("go"),
          { role: "assistant", content: [redacted, omitted, ...calls.slice(0, 1)] },
          user([result("toolu_a")]),
        ],
      },
    },
    {
      name: "four cache marks, long-lived first",
      body: {
        ...base("user"),
        system: [{ type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h" } }],
        tools: tools(false).map((tool, index) =>
          index === 0 ? { ...tool, cache_control: { type: "ephemeral", ttl: "1h" } } : tool,
        ),
        messages: [
          user([
            { type: "text", text: "one", ...MARK },
            { type: "text", text: "two", ...MARK },
          ]),
        ],
      },
    },
    { name: "tool choice none", body: { ...base("user call text user"), tool_choice: { type: "none" } } },
    {
      name: "one tool forced",
      body: { ...anthropicBody(scenesOf("user call"), "plain"), tool_choice: { type: "tool", name: "bash" } },
    },
    {
      name: "the beginning of an answer",
      body: {
        ...anthropicBody(scenesOf("user"), "plain"),
        messages: [user("go"), { role: "assistant", content: "Well" }],
      },
    },
    {
      name: "system as text",
      body: { ...anthropicBody(scenesOf("user"), "plain"), system: "You are brief.", temperature: 0.3 },
    },
  ];
}
