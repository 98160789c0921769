// Judges a body by a vendor's grammar, without a server.
import type { JsonObject } from "../../../src/base/json.ts";
import { type IssuedItems, noIssuedItems } from "./issued-items.ts";
import { hasLoneSurrogate, textOf } from "./json-access.ts";
import { SPEAKERS } from "./speakers.ts";
import type { Problem, Wire } from "./wire.ts";

/** Google needs `model`, because its model is in the address. */
export function judge(
  wire: Wire,
  body: JsonObject,
  model: string = textOf(body["model"]) || "gemini-3-pro",
  issued: IssuedItems = noIssuedItems(),
): Problem[] {
  const speaker = SPEAKERS[wire];
  if (hasLoneSurrogate(body)) return [speaker.notJson("no low surrogate in string")];
  return [...speaker.grammar(body, { model, issued })];
}
