// What happens if a model answers with nothing: the person is told, and the model is asked again a few times.
import { type Content, contentText } from "../domain/content.ts";
import type { ToolCall } from "../domain/tool-call.ts";

export const MAX_EMPTY_RESPONSES = 3;
const QUERY_SHOWN = 200;
export const RECENT_TOOLS = 3;

export type EmptyBecause = "empty" | "truncated" | "filtered";

const NOTICES: Readonly<Record<EmptyBecause, string>> = {
  empty: "The model answered with nothing.",
  truncated: "The model used up its output limit without an answer.",
  filtered: "The vendor's content filter held the answer back.",
};

export function emptyResponseNotice(
  prompt: Content,
  recent: readonly ToolCall[],
  why: EmptyBecause,
  isAskedAgain: boolean,
): string {
  const asked = contentText(prompt);
  const query = asked.length > QUERY_SHOWN ? `${asked.slice(0, QUERY_SHOWN)}...` : asked;
  const tools = recent.length === 0 ? "no tools yet" : recent.map((call) => call.toolName).join(", ");
  return [
    NOTICES[why],
    `Asked: ${query}`,
    `Last tools: ${tools}`,
    isAskedAgain
      ? "It is being asked again. If that keeps happening: ask for a smaller step, or switch the model."
      : "It is not asked again: ask for a smaller step, or switch the model.",
  ].join("\n");
}

export function nudge(why: EmptyBecause): string {
  return why === "truncated"
    ? "Your last response reached the output limit before it said anything. Answer briefly, or make the next tool call."
    : "Your last response was empty. Go on with the task: make the next tool call, or answer.";
}
