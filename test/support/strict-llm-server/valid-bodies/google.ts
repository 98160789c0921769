// Conversations as Google's Gemini API takes them.
import type { JsonObject } from "../../../../src/base/json.ts";
import { seal } from "../seal.ts";
import { GIF, type ModelScene, PNG, type Scene, type SceneCall, scenesOf, TOOLS } from "./conversation.ts";

/** The rich style gives calls their ids, and schemas as JSON Schema. */
export function googleBody(scenes: readonly Scene[], style: "plain" | "rich"): JsonObject {
  const isRich = style === "rich";
  const contents = scenes.flatMap((scene, index) =>
    scene.kind === "user"
      ? [{ role: "user", parts: userParts(scene.text, scene.images) }]
      : modelContents(scene, String(index), isRich),
  );
  return {
    contents,
    tools: [{ functionDeclarations: declarations(isRich) }],
    ...(isRich
      ? {
          systemInstruction: { parts: [{ text: "You are a coder." }] },
          generationConfig: { maxOutputTokens: 4096, thinkingConfig: { includeThoughts: true } },
          toolConfig: { functionCallingConfig: { mode: "AUTO" } },
        }
      : {}),
  };
}

function userParts(text: string, images: number): JsonObject[] {
  const data = [
    { mimeType: "image/png", data: PNG },
    { mimeType: "image/gif", data: GIF },
  ].slice(0, images);
  return [...data.map((inlineData) => ({ inlineData })), { text }];
}

/** The first call carries the signature; without calls the last words do. */
function modelContents({ thought, text, calls }: ModelScene, mark: string, isRich: boolean): JsonObject[] {
  const thoughtSignature = seal("google", mark);
  const id = (call: SceneCall) => (isRich ? { id: `fc-${call.number}` } : {});
  const parts = [
    ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
    ...(text === undefined ? [] : [{ text, ...(calls.length === 0 ? { thoughtSignature } : {}) }]),
    ...calls.map((call, index) => ({
      functionCall: { ...id(call), name: call.name, args: call.args },
      ...(index === 0 ? { thoughtSignature } : {}),
    })),
  ];
  if (calls.length === 0) return [{ role: "model", parts }];
  const responses = calls.map((call) => ({
    functionResponse: { ...id(call), name: call.name, response: responseOf(call) },
  }));
  const images = calls.some((call) => call.outcome === "image") && isRich ? userParts("seen", 1) : [];
  return [
    { role: "model", parts },
    { role: "user", parts: [...responses, ...images] },
  ];
}

function responseOf({ name, content, outcome }: SceneCall): JsonObject {
  return { name, ...(outcome === "error" ? { error: content } : { content }) };
}

function declarations(asJsonSchema: boolean): JsonObject[] {
  return TOOLS.map(({ name, description, schema }) => {
    const { additionalProperties: _, ...parameters } = schema;
    return { name, description, ...(asJsonSchema ? { parametersJsonSchema: schema } : { parameters }) };
  });
}

export function googleSpecials(): { readonly name: string; readonly body: JsonObject }[] {
  const base = googleBody(scenesOf("user"), "plain");
  const user = { role: "user", parts: [{ text: "go" }] };
  const call = { name: "bash", args: {} };
  const response = { functionResponse: { name: "bash", response: { content: "ok" } } };
  const asking = (thoughtSignature: string, count = 1) => ({
    role: "model",
    parts: Array.from({ length: count }, (_, index) => ({
      functionCall: call,
      ...(index === 0 ? { thoughtSignature } : {}),
    })),
  });
  const signature = seal("google", "special");
  const turns = (...contents: JsonObject[]) => ({ ...base, contents });
  return [
    {
      name: "a signature from elsewhere, skipped",
      body: turns(user, asking("skip_thought_signature_validator"), { role: "user", parts: [response] }),
    },
    {
      name: "the function role",
      body: turns(user, asking(signature), { role: "function", parts: [response] }),
    },
    {
      name: "a call without arguments",
      body: turns(
        user,
        { role: "model", parts: [{ functionCall: { name: "bash" }, thoughtSignature: signature }] },
        { role: "user", parts: [response] },
      ),
    },
    { name: "no role", body: turns({ parts: [{ text: "go" }] }) },
    {
      name: "an empty text with a signature",
      body: turns(
        user,
        { role: "model", parts: [{ text: "Well" }, { text: "", thoughtSignature: signature }] },
        user,
      ),
    },
    {
      name: "unsigned calls of an older turn",
      body: turns(
        user,
        { role: "model", parts: [{ functionCall: call }] },
        { role: "user", parts: [response] },
        { role: "model", parts: [{ text: "done" }] },
        user,
      ),
    },
    {
      name: "words with the responses",
      body: turns(user, asking(signature, 2), {
        role: "user",
        parts: [response, response, { text: "and?" }],
      }),
    },
    {
      name: "no tools",
      body: { contents: [user], generationConfig: { temperature: 0.1, stopSequences: ["x"] } },
    },
    {
      name: "a thinking level",
      body: { ...base, generationConfig: { thinkingConfig: { thinkingLevel: "low" } } },
    },
    {
      name: "thoughts given back",
      body: turns(user, { role: "model", parts: [{ text: "hm", thought: true }, { text: "yes" }] }, user),
    },
  ];
}
