// A tool call in one line: what it does, to what.
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { oneLine } from "./text.ts";

export interface ToolLabel {
  readonly verb: string;
  readonly subject: string;
}

interface Words {
  readonly verb: string;
  /** The argument that says most. */
  readonly subject: string;
  readonly where?: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  bash: { verb: "Run", subject: "command", where: "cwd" },
  read_file: { verb: "Read", subject: "filepath" },
  write_file: { verb: "Write", subject: "filepath" },
  update_file: { verb: "Edit", subject: "filepath" },
  list_dir: { verb: "List", subject: "directory" },
  glob: { verb: "Find", subject: "pattern", where: "directory" },
  grep: { verb: "Search", subject: "pattern", where: "directory" },
  web_fetch: { verb: "Fetch", subject: "url" },
  research_codebase: { verb: "Research", subject: "query" },
  present_plan: { verb: "Plan", subject: "" },
  submit: { verb: "Submit", subject: "summary" },
};

export function toolLabel(toolName: string, args: JsonObject): ToolLabel {
  const words = WORDS[toolName];
  if (words === undefined)
    return { verb: stripTerminalControls(toolName), subject: clean(compactJson(args)) };
  const subject = asText(args[words.subject]);
  const where = words.where === undefined ? "" : asText(args[words.where]);
  return { verb: words.verb, subject: clean(where === "" ? subject : `${subject} in ${where}`) };
}

function clean(text: string): string {
  return oneLine(stripTerminalControls(text));
}

function asText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function compactJson(args: JsonObject): string {
  const text = JSON.stringify(args);
  return text === "{}" ? "" : text;
}
