// Summarises the older part of a conversation with the model itself, in pieces that fit its window.
import { defined } from "../base/defined.ts";
import { headAndTail } from "../base/head-and-tail.ts";
import { contentText } from "../domain/content.ts";
import { EmptyResponseError } from "../domain/error.ts";
import type { Message } from "../domain/message.ts";
import type { Model, ModelRequest } from "../domain/model.ts";
import type { Part } from "../domain/part.ts";
import { CHARACTERS_PER_TOKEN } from "../domain/tokens.ts";
import type { LoopSettings } from "../loop/request-context.ts";
import { type UnbrokenPorts, unbrokenCall } from "../loop/unbroken-call.ts";

const INSTRUCTIONS = `You condense the record of a coding session so that the work can go on without it.
Keep: what the person asked for and decided, in their words where it matters; facts found out; files read or changed, and how; commands and their results; errors and what solved them; what is left to do.
Keep every fact of an earlier summary that is still true. Leave out greetings, repetition and long outputs. Write plain text, at most 800 words.`;

/** The share of the window that one piece may fill. The rest is for the answer and the error of the estimate. */
const PIECE_SHARE = 0.5;
const DEFAULT_WINDOW = 32_000;
/** The most of one part, in characters and as a share of a piece. Longer parts are outputs, and lose their middle. */
const MAX_PART_CHARACTERS = 4_000;
const MAX_PART_SHARE = 0.25;

export function summariseWith(
  model: Model,
  { maxOutputTokens }: LoopSettings,
): (messages: readonly Message[], ports: UnbrokenPorts) => Promise<string> {
  const ask = async (prompt: string, ports: UnbrokenPorts): Promise<string> => {
    const request: ModelRequest = {
      system: INSTRUCTIONS,
      messages: [{ kind: "request", parts: [{ kind: "user-prompt", content: prompt }] }],
      tools: [],
      ...defined({ maxOutputTokens }),
    };
    let text = "";
    for await (const event of unbrokenCall(request, model, ports))
      if (event.type === "part" && event.part.kind === "text") text += event.part.content;
    if (text.trim() === "") throw new EmptyResponseError(1);
    return text.trim();
  };
  return async (messages, ports) => {
    const budget = (model.contextWindow ?? DEFAULT_WINDOW) * PIECE_SHARE * CHARACTERS_PER_TOKEN;
    let text = "";
    for (const piece of pieces(messages, budget)) {
      const earlier = text === "" ? "" : `Summary of what came before:\n${text}\n\n`;
      text = await ask(`${earlier}The record to condense:\n\n${piece}`, ports);
    }
    return text;
  };
}

function pieces(messages: readonly Message[], budget: number): string[] {
  const result: string[] = [];
  let piece = "";
  for (const message of messages) {
    const lines = message.parts.map((part) => line(part, budget)).filter((text) => text !== "");
    const text = lines.map((entry) => `${entry}\n`).join("");
    if (piece !== "" && piece.length + text.length > budget) {
      result.push(piece);
      piece = "";
    }
    piece += text;
  }
  return piece === "" ? result : [...result, piece];
}

function line(part: Part, budget: number): string {
  const most = Math.min(MAX_PART_CHARACTERS, budget * MAX_PART_SHARE);
  switch (part.kind) {
    case "user-prompt":
      // A person's words and earlier summaries are kept whole if they fit into a piece.
      return `PERSON: ${shorten(contentText(part.content), budget)}`;
    case "text":
      return `AGENT: ${shorten(part.content, most)}`;
    case "tool-call":
      return `CALL ${part.toolName} ${shorten(JSON.stringify(part.args), most)}`;
    case "tool-return":
      return `RESULT of ${part.toolName}: ${shorten(contentText(part.content), most)}`;
    case "retry-prompt":
      return typeof part.content === "string" ? `REMARK: ${shorten(part.content, most)}` : "";
    case "thinking":
    case "unknown":
      return "";
  }
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : headAndTail(text, most, "[...]");
}
