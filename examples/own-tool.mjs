// One request with a custom tool and a scripted model. It needs no key and no network.
// Run it: bun examples/own-tool.mjs, or with Node 22 or newer: node examples/own-tool.mjs
import { checkHistory, latestAnswer, memoryStateManager, processRequest, scriptedModel } from "tunacode";

/** @type {import("tunacode").Tool} */
const fishCount = {
  name: "fish_count",
  description: "How many fish of a kind are in stock.",
  parameters: { type: "object", properties: { kind: { type: "string" } }, required: ["kind"] },
  kind: "read",
  // It touches no file, runs no command and asks no server: nobody has to be asked about it.
  demands: () => [],
  label: ({ kind }) => ({ verb: "Count", subject: String(kind) }),
  execute: async ({ kind }) => ({
    content: `${kind}: 12`,
    details: { type: "data", value: { kind: kind ?? null, count: 12 } },
  }),
};

const model = scriptedModel({
  turns: [[{ call: "fish_count", args: { kind: "tuna" } }], [{ text: "There are 12 tuna in stock." }]],
});

const manager = memoryStateManager({ createModel: async () => model, tools: [fishCount] });
const run = await processRequest("How many tuna do we have?", model, manager, {
  toolResultCallback: (name, status, _args, result) => console.log(`${name} ${status}: ${result}`),
});

console.log(latestAnswer(run.allMessages()));
console.log(`violations: ${checkHistory(run.allMessages()).length}`);
