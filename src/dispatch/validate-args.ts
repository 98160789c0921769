// A tool's own check of its arguments. One that throws has refused them: it must not end the request. One that hangs
// must not outstay it.
import { untilAbort } from "../base/abort.ts";
import type { JsonObject } from "../base/json.ts";
import { errorMessage } from "../domain/error.ts";
import type { Tool, Validation } from "../domain/tool.ts";

/** Rejects only when the request is aborted before the tool has answered. */
export async function validateArgs(tool: Tool, args: JsonObject, signal: AbortSignal): Promise<Validation> {
  try {
    return await untilAbort(Promise.resolve(tool.validate(args)), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return { ok: false, problem: errorMessage(error) };
  }
}
