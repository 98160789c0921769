// Details of a tool's result on disk, in the file's own way of writing keys. What isn't understood is left to `extra`.
import { defined } from "../base/defined.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { ToolDetails } from "../domain/tool-details.ts";

export function encodeDetails(details: ToolDetails): JsonObject {
  switch (details.type) {
    case "command": {
      const { exitCode, timedOut, earlierLines, ...rest } = details;
      return {
        ...rest,
        exit_code: exitCode,
        ...(timedOut && { timed_out: true }),
        ...defined({ earlier_lines: earlierLines }),
      };
    }
    case "edit":
    case "count":
    case "refusal":
    case "data":
      return { ...details };
  }
}

/** Undefined: not details that we know. */
export function decodeDetails(raw: JsonValue): ToolDetails | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { type, path, diff, created, count, of, by, unasked, value } = raw;
  switch (type) {
    case "command":
      return decodeCommand(raw);
    case "edit":
      return isText(path) && isText(diff) && typeof created === "boolean"
        ? { type, path, diff, created }
        : undefined;
    case "count":
      return typeof count === "number" && (of === "line" || of === "file" || of === "match" || of === "entry")
        ? { type, count, of }
        : undefined;
    case "refusal":
      if (by !== "rule" && by !== "person") return undefined;
      return { type, by, ...(unasked === true && { unasked }) };
    case "data":
      return isJsonObject(value) ? { type, value } : undefined;
    default:
      return undefined;
  }
}

function decodeCommand(raw: JsonObject): ToolDetails | undefined {
  const { exit_code: exitCode, signal, sandboxed, output, timed_out, earlier_lines } = raw;
  if (exitCode !== null && typeof exitCode !== "number") return undefined;
  if (!isText(output) || typeof sandboxed !== "boolean") return undefined;
  return {
    type: "command",
    exitCode,
    ...(isText(signal) && { signal }),
    ...(timed_out === true && { timedOut: true }),
    sandboxed,
    output,
    ...(typeof earlier_lines === "number" && { earlierLines: earlier_lines }),
  };
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}
