// A summary of the earlier conversation: the prompt that holds it, and the mark that a person is shown in its place.
import { contentText } from "./content.ts";
import type { Message, Request } from "./message.ts";
import type { RequestPart, UserPromptPart } from "./part.ts";

/** Starts the prompt that contains a summary, to tell it from a person's own words. */
export const SUMMARY_HEADING = "[Summary of the earlier conversation]";
/** Without it a model could take old prompts for things it still has to do. */
const PROMPTS_ABOVE =
  "The person's messages above are older than this, and what was done about them is in it.";

/** What a person sees of a conversation: all of it, and a mark where it was summed up. */
export type ShownMessage = Message | SummedUp;

export interface SummedUp {
  readonly kind: "summed-up";
  readonly summary: string;
  /** How long the conversation was before and after, where that is known. */
  readonly tokens?: { readonly before: number; readonly after: number };
}

/** The line that stands where a conversation was summed up. */
export function describeSummedUp({ tokens }: SummedUp): string {
  if (tokens === undefined) return "summed up here";
  const [before, after] = [tokens.before, tokens.after].map((count) => count.toLocaleString("en-US"));
  return `summed up here: ${before} → ${after} tokens`;
}

/** `kept`: the person's earlier prompts, which stay word for word and stand before the summary. */
export function summaryParts(summary: string, kept: readonly UserPromptPart[]): readonly UserPromptPart[] {
  const lines = [SUMMARY_HEADING, ...(kept.length === 0 ? [] : [PROMPTS_ABOVE]), summary];
  return [...kept, { kind: "user-prompt", content: lines.join("\n\n") }];
}

export function isSummary(part: RequestPart): boolean {
  return (
    part.kind === "user-prompt" &&
    typeof part.content === "string" &&
    part.content.startsWith(SUMMARY_HEADING)
  );
}

/** The parts that came after what was summed up: all of them where there is no summary. */
export function partsAfterSummary({ parts }: Request): readonly RequestPart[] {
  return parts.slice(parts.findLastIndex(isSummary) + 1);
}

/** A request that holds a summary as it is shown: the prompts before it, the mark, and the rest. */
export function shownRequest(request: Request): readonly ShownMessage[] {
  const at = request.parts.findLastIndex(isSummary);
  const part = request.parts[at];
  if (part?.kind !== "user-prompt") return [request];
  const text = contentText(part.content).slice(SUMMARY_HEADING.length).trimStart();
  const summary = text.startsWith(PROMPTS_ABOVE) ? text.slice(PROMPTS_ABOVE.length).trimStart() : text;
  const before = request.parts.slice(0, at).filter((kept) => !isSummary(kept));
  const after = request.parts.slice(at + 1);
  return [
    ...(before.length === 0 ? [] : [{ ...request, parts: before }]),
    { kind: "summed-up", summary } as const,
    ...(after.length === 0 ? [] : [{ ...request, parts: after }]),
  ];
}
