// --output for commands without a stream of events: text or json.
import { TunacodeError } from "../domain/error.ts";
import type { FlagValues } from "./flags.ts";

export function wantsJson(flags: FlagValues): boolean {
  if (flags.output === "stream-json")
    throw new TunacodeError("usage", "--output stream-json works with run only.");
  return flags.output === "json" || flags["output-json"] === true;
}
