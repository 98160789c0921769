// Takes back what a request changed, and brings it back again. The model is a scripted one: no key, no network.
// Run it: bun examples/take-back.mjs, or with Node 22 or newer: node examples/take-back.mjs
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAgent, openUndo, processRequest, scriptedModel } from "tunacode";

const folder = mkdtempSync(join(tmpdir(), "take-back-"));
const model = scriptedModel({
  turns: [[{ call: "write_file", args: { filepath: "tuna.txt", content: "12\n" } }], [{ text: "Written." }]],
});
const agent = await openAgent({
  cwd: folder,
  // Sessions, and what is kept of files, go into the data folder.
  env: { ...process.env, XDG_DATA_HOME: join(folder, "data") },
  session: { type: "new" },
  models: { scripted: model },
  permission: { mode: "yolo", rules: [], sandbox: "off" },
  trusted: false,
  notify: console.error,
});
try {
  await processRequest("Note that we have 12 tuna.", model, agent.manager);
  const undo = openUndo(agent);
  for (const { number, prompt, lines } of await undo.turns())
    console.log(`${number}. ${prompt} +${lines?.added} -${lines?.removed}`);
  const back = await undo.goBack({ target: { type: "last" }, scope: "both" });
  console.log(`${back.changes.length} file taken back; there now: ${existsSync(join(folder, "tuna.txt"))}`);
  await undo.goBack({ target: { type: "redo" }, scope: "both" });
  console.log(`redone; there now: ${existsSync(join(folder, "tuna.txt"))}`);
} finally {
  await agent.close();
  rmSync(folder, { recursive: true });
}
