// Describes a call in one line. Its arguments may be of any type, because a call that can't run is shown too.
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { CallLabel } from "../domain/tool.ts";

/** `subject` and `where` name arguments. */
export function labelOf(verb: string, subject: string, where?: string): (args: JsonObject) => CallLabel {
  return (args) => {
    const place = where === undefined ? "" : textOf(args[where]);
    return { verb, subject: textOf(args[subject]) + (place === "" ? "" : ` in ${place}`) };
  };
}

export function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
