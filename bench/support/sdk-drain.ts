// The yardstick of everything that speaks to vendors through the SDK: one call, its stream read to the end. With a file,
// the prompt that is in it. Packed like the shipped program, but compiling its code as soon as usual.
import { readFileSync } from "node:fs";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";

const [baseURL = "", model = "", file] = process.argv.slice(2);
const LINE: LanguageModelV4CallOptions = {
  prompt: [{ role: "user", content: [{ type: "text", text: "Say hello." }] }],
};
const options: LanguageModelV4CallOptions =
  file === undefined ? LINE : JSON.parse(readFileSync(file, "utf8"));
const vendor = createOpenAICompatible({ name: "bench", baseURL, apiKey: "none", includeUsage: true })(model);
const { stream } = await vendor.doStream(options);
const reader = stream.getReader();
let text = "";
for (let step = await reader.read(); !step.done; step = await reader.read())
  if (step.value.type === "text-delta") text += step.value.delta;
console.log(text);
