// --output for commands that answer at once: text, or json.
import { TunacodeError } from "../domain/error.ts";
import type { FlagValues } from "./flags.ts";

export function wantsJson(flags: FlagValues): boolean {
  if (flags.output === "stream-json") throw new TunacodeError("usage", "--output stream-json is for run.");
  return flags.output === "json" || flags["output-json"] === true;
}
