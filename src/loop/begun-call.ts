// Where a text breaks off inside a tool call that is written as text. Such a beginning is dropped like any other call
// that has not arrived whole, because its two halves might make another call than the one that was meant.
import { parseJson } from "../base/json.ts";
import type { ToolSpec } from "../domain/tool.ts";

/** The text up to the call that it breaks off in, or all of it. */
export function withoutBegunCall(text: string, tools: readonly ToolSpec[]): string {
  const starts = [
    unclosed(text, "<tool_call>", "</tool_call>"),
    unclosed(text, "<function=", "</function>"),
    text.lastIndexOf("[TOOL_CALLS]"),
    begunObject(text, tools),
  ];
  const found = starts.filter((start) => start >= 0);
  return found.length === 0 ? text : text.slice(0, Math.min(...found));
}

function unclosed(text: string, opening: string, closing: string): number {
  const start = text.lastIndexOf(opening);
  return text.indexOf(closing, start) < 0 ? start : -1;
}

const OBJECT =
  /(?:^|\n)[ \t]*(?:```(?:json)?\s*)?\{\s*"(?:name|tool|function|arguments|args|parameters)"\s*:/g;
const NAME = /"(?:name|tool|function)"\s*:\s*"([^"]*)"/;

/** An unfinished JSON object that names one of the tools, or begins with the arguments of one. */
function begunObject(text: string, tools: readonly ToolSpec[]): number {
  const last = [...text.matchAll(OBJECT)].at(-1);
  if (last === undefined) return -1;
  const object = text.slice(text.indexOf("{", last.index));
  const isWhole = parseJson(object.slice(0, object.lastIndexOf("}") + 1)).ok;
  const named = NAME.exec(object)?.[1];
  const isCall = named === undefined ? !/"(name|tool|function)"/.test(object) : isTool(named, tools);
  return !isWhole && isCall ? last.index : -1;
}

function isTool(name: string, tools: readonly ToolSpec[]): boolean {
  return tools.some((tool) => tool.name === name);
}
