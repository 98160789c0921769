// A tool's own check of its arguments. One that throws has refused them: it must not end the request.
import type { JsonObject } from "../base/json.ts";
import { errorMessage } from "../domain/error.ts";
import type { Tool, Validation } from "../domain/tool.ts";

export function validateArgs(tool: Tool, args: JsonObject): Validation {
  try {
    return tool.validate(args);
  } catch (error) {
    return { ok: false, problem: errorMessage(error) };
  }
}
