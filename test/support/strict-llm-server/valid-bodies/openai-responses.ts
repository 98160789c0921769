// Conversations as OpenAI's Responses API takes them.
import type { JsonObject } from "../../../../src/base/json.ts";
import { encryptedFor } from "../openai-responses/encrypted-content.ts";
import { GIF, type ModelScene, PNG, type Scene, type SceneCall, scenesOf, TOOLS } from "./conversation.ts";

/** The rich style gives items their ids and content in parts. */
export function openaiResponsesBody(scenes: readonly Scene[], style: "plain" | "rich"): JsonObject {
  const isRich = style === "rich";
  const input = scenes.flatMap((scene, index) =>
    scene.kind === "user"
      ? [userItem(scene.text, scene.images, isRich)]
      : modelItems(scene, String(index).padStart(3, "0"), isRich),
  );
  return {
    model: "gpt-5.1",
    input: isRich ? [{ role: "developer", content: "You are a coder." }, ...input] : input,
    store: false,
    include: ["reasoning.encrypted_content"],
    tools: tools(isRich),
    ...(isRich
      ? { stream: true, max_output_tokens: 4096, reasoning: { effort: "low", summary: "auto" } }
      : { instructions: "You are a coder." }),
  };
}

function userItem(text: string, images: number, isRich: boolean): JsonObject {
  if (images === 0 && !isRich) return { role: "user", content: text };
  const urls = [`data:image/png;base64,${PNG}`, `data:image/gif;base64,${GIF}`].slice(0, images);
  const parts = urls.map((url) => ({ type: "input_image", image_url: url }));
  return {
    ...(isRich ? { type: "message" } : {}),
    role: "user",
    content: [{ type: "input_text", text }, ...parts],
  };
}

/** What is thought is kept only where something follows it. */
function modelItems({ thought, text, calls }: ModelScene, mark: string, isRich: boolean): JsonObject[] {
  const id = `rs_${mark}`;
  const reasoning = {
    type: "reasoning",
    id,
    summary: [{ type: "summary_text", text: thought ?? "" }],
    encrypted_content: encryptedFor(id),
  };
  const message = isRich
    ? {
        type: "message",
        id: `msg_${mark}`,
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: text ?? "" }],
      }
    : { role: "assistant", content: text ?? "" };
  return [
    ...(thought === undefined ? [] : [reasoning]),
    ...(text === undefined ? [] : [message]),
    ...calls.map(({ number, name, args }) => ({
      type: "function_call",
      ...(isRich ? { id: `fc_${number}` } : {}),
      call_id: `call_${number}`,
      name,
      arguments: JSON.stringify(args),
    })),
    ...calls.map(outputOf),
  ];
}

function outputOf({ number, content, outcome }: SceneCall): JsonObject {
  const item = { type: "function_call_output", call_id: `call_${number}` };
  if (outcome !== "image") return { ...item, output: content };
  const image = { type: "input_image", image_url: `data:image/png;base64,${PNG}` };
  return { ...item, output: [{ type: "input_text", text: "seen" }, image] };
}

function tools(isStrict: boolean): JsonObject[] {
  return TOOLS.map(({ name, description, schema }) => {
    const parameters = isStrict ? { ...schema, required: Object.keys(schema.properties) } : schema;
    return { type: "function", name, description, parameters, strict: isStrict };
  });
}

export function openaiResponsesSpecials(): { readonly name: string; readonly body: JsonObject }[] {
  const base = openaiResponsesBody(scenesOf("user"), "plain");
  const user = { role: "user", content: "go" };
  const call = (id: string) => ({ type: "function_call", call_id: id, name: "bash", arguments: "{}" });
  const output = (id: string) => ({ type: "function_call_output", call_id: id, output: "ok" });
  const reasoning = { type: "reasoning", summary: [], encrypted_content: encryptedFor("rs_x") };
  return [
    { name: "input as text", body: { ...base, input: "go" } },
    {
      name: "outputs in another order",
      body: { ...base, input: [user, call("a"), call("b"), output("b"), output("a")] },
    },
    {
      name: "each output behind its call",
      body: { ...base, input: [user, call("a"), output("a"), call("b"), output("b")] },
    },
    {
      name: "words between call and output",
      body: { ...base, input: [user, call("a"), { role: "assistant", content: "wait" }, output("a")] },
    },
    { name: "reasoning without id", body: { ...base, input: [user, reasoning, call("a"), output("a")] } },
    {
      name: "two reasoning items",
      body: {
        ...base,
        input: [
          user,
          reasoning,
          { ...reasoning, encrypted_content: encryptedFor("rs_y") },
          call("a"),
          output("a"),
        ],
      },
    },
    {
      name: "a refusal",
      body: {
        ...base,
        input: [user, { role: "assistant", content: [{ type: "refusal", refusal: "No." }] }, user],
      },
    },
    {
      name: "system and phase",
      body: {
        ...base,
        input: [
          { role: "system", content: [{ type: "input_text", text: "Brief." }] },
          user,
          { role: "assistant", content: "Hm", phase: "commentary" },
          user,
        ],
      },
    },
    { name: "no tools", body: { model: "gpt-4.1", input: [user], temperature: 0.2 } },
    { name: "tool choice", body: { ...base, tool_choice: "auto", parallel_tool_calls: true } },
  ];
}
