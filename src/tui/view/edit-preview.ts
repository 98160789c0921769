// What a call to an editing tool would change, as a diff of its arguments. The file itself isn't read here, so line
// numbers mean nothing.
import type { JsonObject } from "../../base/json.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";

const TIMEOUT_MS = 12;
const CONTEXT_LINES = 3;

export async function previewEdit(toolName: string, args: JsonObject): Promise<string | null> {
  const texts = editedTexts(toolName, args);
  if (texts === null) return null;
  const { createTwoFilesPatch } = await import("diff");
  const [before, after] = texts.map(stripTerminalControls);
  const options = { context: CONTEXT_LINES, timeout: TIMEOUT_MS };
  const patch = createTwoFilesPatch("", "", before ?? "", after ?? "", "", "", options);
  return patch === undefined ? replaced(before ?? "", after ?? "") : patch.slice(patch.indexOf("@@"));
}

function editedTexts(toolName: string, args: JsonObject): [before: string, after: string] | null {
  const text = (name: string) => (typeof args[name] === "string" ? args[name] : "");
  if (toolName === "update_file") return [text("old_text"), text("new_text")];
  return toolName === "write_file" ? ["", text("content")] : null;
}

/** Too different to compare in time. */
function replaced(before: string, after: string): string {
  const signed = (text: string, sign: string) => text.split("\n").map((line) => sign + line);
  return ["@@ -1 +1 @@", ...signed(before, "-"), ...signed(after, "+")].join("\n");
}
