// Fills in everything that a scripted answer may leave out: deltas, call ids, usage, finish reason.
import { mintId } from "./issued-items.ts";
import { deltasOf } from "./pieces.ts";
import type { Answer, CallTurnPart, Finish, Quirk, TurnPart, TurnUsage } from "./turn.ts";
import type { ReplyContext } from "./wire.ts";

export interface ResolvedAnswer {
  readonly parts: readonly ResolvedPart[];
  /** undefined if the answer reports no usage. */
  readonly usage: Required<TurnUsage> | undefined;
  readonly finish: Finish | { readonly raw: string };
  readonly has: (quirk: Quirk) => boolean;
}

export type ResolvedPart = ResolvedText | ResolvedThought | ResolvedCall;

interface Words {
  readonly text: string;
  readonly deltas: readonly string[];
}

export interface ResolvedText extends Words {
  readonly kind: "text";
}

export interface ResolvedThought extends Words {
  readonly kind: "thought";
  readonly redacted: boolean;
}

export interface ResolvedCall {
  readonly kind: "call";
  /** "" if the server gives none. */
  readonly id: string;
  readonly name: string;
  readonly args: CallTurnPart["args"];
  readonly argsText: string;
  readonly deltas: readonly string[];
}

export function resolveAnswer(answer: Answer, context: ReplyContext, idPrefix: string): ResolvedAnswer {
  const quirks = new Set(answer.quirks);
  const sharedId = quirks.has("one-id") ? mintId(idPrefix) : undefined;
  const idOf = (part: CallTurnPart) =>
    quirks.has("no-ids") ? "" : (part.id ?? sharedId ?? mintId(idPrefix));
  const parts = answer.parts.map((part) => resolvePart(part, idOf));
  const hasCalls = parts.some((part) => part.kind === "call");
  return {
    parts,
    usage: quirks.has("no-usage") ? undefined : resolveUsage(answer, context),
    finish: answer.finish ?? (hasCalls ? "tool-calls" : "stop"),
    has: (quirk) => quirks.has(quirk),
  };
}

function resolvePart(part: TurnPart, idOf: (part: CallTurnPart) => string): ResolvedPart {
  if (part.kind === "call") {
    const { name, args } = part;
    const deltas = deltasOf(typeof args === "string" ? args : JSON.stringify(args), part.deltas);
    return { kind: "call", id: idOf(part), name, args, argsText: deltas.join(""), deltas };
  }
  const deltas = deltasOf(part.text, part.deltas);
  const text = deltas.join("");
  if (part.kind === "text") return { kind: "text", text, deltas };
  return { kind: "thought", text, deltas, redacted: part.redacted === true };
}

/** The usual estimate of four characters per token. */
function resolveUsage(answer: Answer, context: ReplyContext): Required<TurnUsage> {
  const tokens = (characters: number) => Math.ceil(characters / 4);
  const usage = answer.usage ?? {
    input: tokens(JSON.stringify(context.request).length),
    output: tokens(JSON.stringify(answer.parts).length),
  };
  return { cached: 0, cacheWrite: 0, thinking: 0, ...usage };
}
