// Conversations as OpenAI's Chat Completions takes them.
import type { JsonObject } from "../../../../src/base/json.ts";
import { GIF, type ModelScene, PNG, type Scene, scenesOf, TOOLS } from "./conversation.ts";

/** The plain style is OpenAI's own, the rich one a server that takes reasoning back. */
export function openaiChatBody(scenes: readonly Scene[], style: "plain" | "rich"): JsonObject {
  const isRich = style === "rich";
  const messages = scenes.flatMap((scene) =>
    scene.kind === "user" ? [userMessage(scene.text, scene.images, isRich)] : modelMessages(scene, isRich),
  );
  return {
    model: isRich ? "qwen3-coder" : "gpt-4.1",
    messages: isRich ? [{ role: "system", content: "You are a coder." }, ...messages] : messages,
    tools: tools(!isRich),
    ...(isRich ? { stream: true, stream_options: { include_usage: true }, max_tokens: 4096 } : {}),
  };
}

function userMessage(text: string, images: number, inParts: boolean): JsonObject {
  if (images === 0 && !inParts) return { role: "user", content: text };
  const urls = [`data:image/png;base64,${PNG}`, `data:image/gif;base64,${GIF}`].slice(0, images);
  const parts = urls.map((url) => ({ type: "image_url", image_url: { url } }));
  return { role: "user", content: [{ type: "text", text }, ...parts] };
}

function modelMessages({ thought, text, calls }: ModelScene, keepsThoughts: boolean): JsonObject[] {
  const message = {
    role: "assistant",
    content: text ?? (calls.length > 0 ? null : ""),
    ...(keepsThoughts && thought !== undefined ? { reasoning_content: thought } : {}),
  };
  if (calls.length === 0) return [message];
  const list = calls.map(({ number, name, args }) => ({
    id: `call_${number}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const returns = calls.map(({ number, content }) => ({
    role: "tool",
    tool_call_id: `call_${number}`,
    content,
  }));
  return [{ ...message, tool_calls: list }, ...returns];
}

function tools(isStrict: boolean): JsonObject[] {
  return TOOLS.map(({ name, description, schema }) => {
    const parameters = isStrict ? { ...schema, required: Object.keys(schema.properties) } : schema;
    return {
      type: "function",
      function: { name, description, parameters, ...(isStrict ? { strict: true } : {}) },
    };
  });
}

export function openaiChatSpecials(): { readonly name: string; readonly body: JsonObject }[] {
  const base = openaiChatBody(scenesOf("user"), "plain");
  const user = { role: "user", content: "go" };
  const calls = ["a", "b"].map((id) => ({ id, type: "function", function: { name: "bash", arguments: "" } }));
  const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
  const asking = { role: "assistant", content: "I look.", tool_calls: calls };
  return [
    {
      name: "answers in another order",
      body: { ...base, messages: [user, asking, result("b"), result("a")] },
    },
    {
      name: "ids used again in a later round",
      body: { ...base, messages: [user, asking, result("a"), result("b"), asking, result("a"), result("b")] },
    },
    {
      name: "content left out beside calls",
      body: { ...base, messages: [user, { role: "assistant", tool_calls: calls }, result("a"), result("b")] },
    },
    {
      name: "answers in parts",
      body: {
        ...base,
        messages: [user, asking, result("a"), { ...result("b"), content: [{ type: "text", text: "ok" }] }],
      },
    },
    {
      name: "developer and name",
      body: {
        ...base,
        messages: [
          { role: "developer", content: "Be brief." },
          { ...user, name: "ann" },
        ],
      },
    },
    {
      name: "a refusal",
      body: { ...base, messages: [user, { role: "assistant", content: null, refusal: "No." }, user] },
    },
    {
      name: "a reasoning model",
      body: { ...base, model: "gpt-5", max_completion_tokens: 500, reasoning_effort: "low" },
    },
    {
      name: "one function forced",
      body: { ...base, tool_choice: { type: "function", function: { name: "bash" } } },
    },
    {
      name: "parallel calls switched off",
      body: { ...base, parallel_tool_calls: false, tool_choice: "auto" },
    },
    {
      name: "ends with the model's words",
      body: { ...base, messages: [user, { role: "assistant", content: "Well" }] },
    },
  ];
}
