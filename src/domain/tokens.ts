// Tokens are estimated: characters / 4, rounded down.
import { type Content, contentText } from "./content.ts";
import type { Message } from "./message.ts";
import type { Part } from "./part.ts";
import type { ToolSpec } from "./tool.ts";

export const CHARACTERS_PER_TOKEN = 4;
/** Vendors bill an image by its area; this is what a full-size one costs with most of them. */
const IMAGE_CHARACTERS = 1_600 * CHARACTERS_PER_TOKEN;

export function estimateTokens(characters: number): number {
  return Math.floor(characters / CHARACTERS_PER_TOKEN);
}

export function historyTokens(messages: readonly Message[]): number {
  let characters = 0;
  for (const message of messages) characters += messageCharacters(message);
  return estimateTokens(characters);
}

export function messageCharacters(message: Message): number {
  let characters = 0;
  for (const part of message.parts) characters += partCharacters(part);
  return characters;
}

/** What a tool takes up in a prompt. */
export function toolCharacters({ name, description, parameters }: ToolSpec): number {
  return name.length + description.length + JSON.stringify(parameters).length;
}

export function contentCharacters(content: Content): number {
  if (typeof content === "string") return content.length;
  let characters = 0;
  for (const item of content)
    characters += item.type === "image" ? IMAGE_CHARACTERS : contentText([item]).length;
  return characters;
}

function partCharacters(part: Part): number {
  switch (part.kind) {
    case "user-prompt":
    case "tool-return":
      return contentCharacters(part.content);
    case "retry-prompt":
      return typeof part.content === "string" ? part.content.length : JSON.stringify(part.content).length;
    case "text":
    case "thinking":
      return part.content.length;
    case "tool-call":
      return part.toolName.length + JSON.stringify(part.rawArgs ?? part.args).length;
    case "unknown":
      return 0;
  }
}
