// A call that goes on where an earlier one ended: the SDK is handed only what is new, and what it writes of that is put
// behind the text that was sent before. So a call costs no more in a long conversation than in a short one. The gate
// judges the whole body, as ever.
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { isJsonObject, type JsonValue, parseJson } from "../base/json.ts";
import type { Wire } from "./settings.ts";
import { readFoot, readHead } from "./wire-gate/body-reader.ts";
import type { Grammar } from "./wire-gate/check.ts";
import { openaiChat } from "./wire-gate/openai-chat.ts";
import { openaiResponses } from "./wire-gate/openai-responses.ts";

/**
 * Where the SDK writes each message by itself, whatever stands before it, and the system prompt as the first of them.
 * Anthropic's joins neighbours, and its cache marks move; Google's looks back at what it has written.
 */
const GRAMMARS: Readonly<Partial<Record<Wire, Grammar>>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};

/** The conversation itself, and a few that run beside it: subagents, a summary. */
const MOST_REMEMBERED = 3;

/** One call's. */
export interface GrownBody {
  /** For the SDK to write. */
  readonly prompt: LanguageModelV4Prompt;
  /** From what it wrote to the body that is sent. Throws an UnexpectedBodyError if it wrote something else. */
  readonly complete: (written: string) => string;
}

/** Nothing is lost: the call is made again with the whole prompt. */
export class UnexpectedBodyError extends Error {
  constructor() {
    super("The SDK wrote a body that can't be joined to an earlier one.");
    this.name = "UnexpectedBodyError";
  }
}

export type GrowBody = (prompt: LanguageModelV4Prompt) => GrownBody;

export function wholeBody(prompt: LanguageModelV4Prompt): GrownBody {
  return { prompt, complete: (written) => written };
}

interface Sent {
  readonly prompt: LanguageModelV4Prompt;
  readonly body: Body;
}

export function createGrowBody(wire: Wire): GrowBody {
  const grammar = GRAMMARS[wire];
  if (grammar === undefined) return wholeBody;
  let remembered: readonly Sent[] = [];
  return (prompt) => {
    const before = remembered.find((sent) => goesOn(prompt, sent.prompt));
    const isSystem = prompt[0]?.role === "system";
    const remember = (body: Body) => {
      const others = remembered.filter((sent) => sent !== before);
      remembered = [{ prompt, body }, ...others].slice(0, MOST_REMEMBERED);
    };
    const complete = (written: string): string => {
      if (before === undefined) {
        const body = takeApart(written, grammar);
        if (body !== undefined) remember(body);
        return written;
      }
      const earlier = before.body.entries;
      const body = takeApartAs(before.body, written) ?? takeApart(written, grammar);
      const added = body && addedTo(earlier, body.entries, isSystem);
      if (body === undefined || added === undefined) throw new UnexpectedBodyError();
      const whole = `${body.head}${added === "" ? earlier : `${earlier},${added}`}${body.foot}`;
      // A part of the text that is sent, so that it is in memory once.
      remember({ ...body, entries: whole.slice(body.head.length, -body.foot.length) });
      return whole;
    };
    if (before === undefined) return { prompt, complete };
    const fresh = prompt.slice(before.prompt.length);
    return { prompt: isSystem ? [...prompt.slice(0, 1), ...fresh] : fresh, complete };
  };
}

/** The very same messages, and at least one more. Ten thousand references are compared in ten microseconds. */
function goesOn(prompt: LanguageModelV4Prompt, sent: LanguageModelV4Prompt): boolean {
  if (sent.length === 0 || prompt.length <= sent.length) return false;
  for (let at = 0; at < sent.length; at++) if (!isSame(prompt[at], sent[at])) return false;
  return true;
}

/** Only the system prompt is made anew for each call. */
function isSame(one: LanguageModelV4Message | undefined, other: LanguageModelV4Message | undefined): boolean {
  if (one === other) return true;
  return one?.role === "system" && other?.role === "system" && one.content === other.content;
}

interface Body {
  readonly head: string;
  /** The conversation as it was written, without its brackets. */
  readonly entries: string;
  readonly foot: string;
}

/** With what was around another conversation. What is between them has to be read as one, too. */
function takeApartAs({ head, foot }: Body, body: string): Body | undefined {
  const fits = body.length >= head.length + foot.length && body.startsWith(head) && body.endsWith(foot);
  return fits ? { head, entries: body.slice(head.length, -foot.length), foot } : undefined;
}

/** Undefined: not written as the SDKs write. */
function takeApart(body: string, grammar: Grammar): Body | undefined {
  const head = readHead(body, grammar.list, read);
  const foot = head && readFoot(body, head.end, grammar, read);
  if (head === undefined || foot === undefined) return undefined;
  return {
    head: body.slice(0, head.end),
    entries: body.slice(head.end, -foot.text.length),
    foot: foot.text,
  };
}

/** What is new: all, or what follows the system prompt, if that is what the entries begin with, the same as before. */
function addedTo(earlier: string, entries: string, isAfterSystem: boolean): string | undefined {
  const list = read(`[${entries}]`);
  if (!Array.isArray(list)) return undefined;
  if (!isAfterSystem) return entries;
  const [first] = list;
  if (!isJsonObject(first) || (first["role"] !== "system" && first["role"] !== "developer")) return undefined;
  const text = JSON.stringify(first);
  if (!entries.startsWith(text) || !earlier.startsWith(text)) return undefined;
  return entries.slice(text.length + ",".length);
}

function read(json: string): JsonValue | undefined {
  const parsed = parseJson(json);
  return parsed.ok ? parsed.value : undefined;
}
