// Many request bodies that a vendor accepts: every conversation in a plain and a rich style, and what is
// special to a wire. For Google the model is in the address: its bodies hold for every model.
import type { JsonObject } from "../../../../src/base/json.ts";
import type { Wire } from "../wire.ts";
import { anthropicBody, anthropicSpecials } from "./anthropic.ts";
import { CONVERSATIONS, type Scene, scenesOf } from "./conversation.ts";
import { googleBody, googleSpecials } from "./google.ts";
import { openaiChatBody, openaiChatSpecials } from "./openai-chat.ts";
import { openaiResponsesBody, openaiResponsesSpecials } from "./openai-responses.ts";

export interface NamedBody {
  readonly name: string;
  readonly body: JsonObject;
}

export type Style = "plain" | "rich";

interface Source {
  readonly body: (scenes: readonly Scene[], style: Style) => JsonObject;
  readonly specials: () => readonly NamedBody[];
}

const SOURCES: Readonly<Record<Wire, Source>> = {
  "openai-chat": { body: openaiChatBody, specials: openaiChatSpecials },
  "openai-responses": { body: openaiResponsesBody, specials: openaiResponsesSpecials },
  anthropic: { body: anthropicBody, specials: anthropicSpecials },
  google: { body: googleBody, specials: googleSpecials },
};

/** A conversation of any length as a wire renders it. */
export function bodyOf(wire: Wire, scenes: readonly Scene[], style: Style): JsonObject {
  return SOURCES[wire].body(scenes, style);
}

export function validBodies(wire: Wire): readonly NamedBody[] {
  const { body, specials } = SOURCES[wire];
  const styles: readonly Style[] = ["plain", "rich"];
  const rendered = CONVERSATIONS.flatMap((notation) =>
    styles.map((style) => ({ name: `${style}: ${notation}`, body: body(scenesOf(notation), style) })),
  );
  // A wire that has no place for thoughts renders some conversations alike.
  const unique = new Map([...rendered, ...specials()].map((named) => [JSON.stringify(named.body), named]));
  return [...unique.values()];
}
