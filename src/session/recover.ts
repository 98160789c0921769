// What a crash left open is closed, so that the conversation can go on: calls get answers, streamed text is kept,
// a prompt that nobody answered is offered again. Then the history is made valid like any other.
import type { Content } from "../domain/content.ts";
import { callsOf, INTERRUPTED, type Message, type Response } from "../domain/message.ts";
import { isAnswer, type ToolCallPart, type ToolReturnPart } from "../domain/part.ts";
import { cleanup } from "../history/cleanup.ts";
import type { Replayed } from "./replay.ts";
import type { RecoveryNote, RecoveryReport } from "./report.ts";

export interface Recovered {
  /** Valid; messages that needed nothing are the same objects. */
  readonly messages: readonly Message[];
  readonly report: RecoveryReport;
  /** A person's words that were never answered; no longer part of the history. */
  readonly unsentPrompt?: Content;
}

export const NOT_STARTED = "This call was interrupted before it started: it did not run.";
export const EFFECTS_UNKNOWN =
  "This call was interrupted after it had started: its effects are unknown. Check before you run it again.";

export function recover(replayed: Replayed): Recovered {
  const notes: RecoveryNote[] = [...replayed.notes];
  const messages = replayed.history.map((placed) => placed.message);
  answerOpenCalls(messages, replayed, notes);
  const closed = closeTurn(messages, replayed, notes);
  const unsent = closed ? undefined : takeUnsentPrompt(messages, replayed, notes);
  const { messages: valid, repairs } = cleanup(messages);
  const report = { notes, repairs };
  return { messages: valid, report, ...(unsent === undefined ? {} : { unsentPrompt: unsent }) };
}

function answerOpenCalls(messages: Message[], { settled, started }: Replayed, notes: RecoveryNote[]): void {
  const last = messages.at(-1);
  const calls = last?.kind === "response" ? callsOf(last) : [];
  if (calls.length === 0) return;
  const parts = calls.map((call): ToolReturnPart => {
    const finished = settled.get(call.toolCallId);
    if (finished !== undefined) return finished;
    const why = started.has(call.toolCallId) ? EFFECTS_UNKNOWN : NOT_STARTED;
    notes.push({ kind: "closed-call", why: `${call.toolName} (${call.toolCallId}): ${why}` });
    return interruptedReturn(call, why);
  });
  messages.push({ kind: "request", parts });
}

function interruptedReturn({ toolCallId, toolName }: ToolCallPart, why: string): ToolReturnPart {
  return { kind: "tool-return", toolCallId, toolName, content: why, status: "cancelled" };
}

function closeTurn(messages: Message[], { partial }: Replayed, notes: RecoveryNote[]): boolean {
  const last = messages.at(-1);
  if (last?.kind !== "request") return false;
  if (partial.trim() !== "") {
    messages.push(interruptedResponse(`${INTERRUPTED}\n\n${partial}`));
    notes.push({
      kind: "kept-partial",
      why: `${partial.length} characters of an unfinished answer are kept.`,
    });
    return true;
  }
  if (!last.parts.some(isAnswer)) return false;
  messages.push(interruptedResponse(INTERRUPTED));
  notes.push({ kind: "closed-turn", why: "The last turn was interrupted after its tool calls." });
  return true;
}

function interruptedResponse(content: string): Response {
  return { kind: "response", parts: [{ kind: "text", content }] };
}

/** Requests at the end that hold no finished work were never answered: a person's words go back to them. */
function takeUnsentPrompt(
  messages: Message[],
  { prompt }: Replayed,
  notes: RecoveryNote[],
): Content | undefined {
  const words: Content[] = [];
  for (let last = messages.at(-1); last?.kind === "request"; last = messages.at(-1)) {
    words.unshift(...last.parts.flatMap((part) => (part.kind === "user-prompt" ? [part.content] : [])));
    messages.pop();
  }
  const unsent = words.length === 0 ? prompt?.content : joinContents(words);
  if (unsent !== undefined) notes.push({ kind: "unsent-prompt", why: "The last prompt was never answered." });
  return unsent;
}

function joinContents(contents: readonly Content[]): Content | undefined {
  if (contents.length === 1) return contents[0];
  return contents.flatMap((content) =>
    typeof content === "string" ? [{ type: "text" as const, text: content }] : content,
  );
}
