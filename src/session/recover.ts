// Closes what a crash left open, so that the conversation can go on: calls get answers, streamed text is kept, and a
// prompt that was never answered is offered again. Then the history is made valid like any other.
import { isBlank } from "../base/blank.ts";
import { defined } from "../base/defined.ts";
import type { Content } from "../domain/content.ts";
import { interruptedReturn } from "../domain/interrupted.ts";
import { callsOf, INTERRUPTED, type Message, type Response } from "../domain/message.ts";
import { isAnswer, type ToolReturnPart } from "../domain/part.ts";
import { cleanup } from "../history/cleanup.ts";
import type { Replayed } from "./replay.ts";
import type { RecoveryNote, RecoveryReport } from "./report.ts";

export interface Recovered {
  /** A valid history; messages that needed no repair are the same objects. */
  readonly messages: readonly Message[];
  readonly report: RecoveryReport;
  /** A person's words that were never answered; no longer part of the history. */
  readonly unsentPrompt?: Content;
}

export function recover(replayed: Replayed): Recovered {
  const notes: RecoveryNote[] = [...replayed.notes];
  const messages = replayed.history.map((placed) => placed.message);
  answerOpenCalls(messages, replayed, notes);
  const hasPartial = keepPartial(messages, replayed, notes);
  const unsentPrompt = hasPartial ? undefined : takeUnsentPrompt(messages, replayed, notes);
  closeTurn(messages, notes);
  const { messages: valid, repairs } = cleanup(messages);
  return { messages: valid, report: { notes, repairs }, ...defined({ unsentPrompt }) };
}

function answerOpenCalls(messages: Message[], { settled, started }: Replayed, notes: RecoveryNote[]): void {
  const last = messages.at(-1);
  const calls = last?.kind === "response" ? callsOf(last) : [];
  if (calls.length === 0) return;
  const parts = calls.map((call): ToolReturnPart => {
    const finished = settled.get(call.toolCallId);
    if (finished !== undefined) return finished;
    const answer = interruptedReturn(call, started.has(call.toolCallId));
    notes.push({ kind: "closed-call", why: `${call.toolName} (${call.toolCallId}): ${answer.content}` });
    return answer;
  });
  messages.push({ kind: "request", parts });
}

function keepPartial(messages: Message[], { partial }: Replayed, notes: RecoveryNote[]): boolean {
  if (messages.at(-1)?.kind !== "request" || isBlank(partial)) return false;
  messages.push(interruptedResponse(`${INTERRUPTED}\n\n${partial}`));
  notes.push({ kind: "kept-partial", why: `${partial.length} characters of an unfinished answer are kept.` });
  return true;
}

function closeTurn(messages: Message[], notes: RecoveryNote[]): void {
  if (messages.at(-1)?.kind !== "request") return;
  messages.push(interruptedResponse(INTERRUPTED));
  notes.push({ kind: "closed-turn", why: "The last turn was interrupted after its tool calls." });
}

function interruptedResponse(content: string): Response {
  return { kind: "response", parts: [{ kind: "text", content }] };
}

/** Requests at the end without finished work were never answered: a person gets their words back. */
function takeUnsentPrompt(
  messages: Message[],
  { prompt }: Replayed,
  notes: RecoveryNote[],
): Content | undefined {
  const words: Content[] = [];
  for (let last = messages.at(-1); last?.kind === "request"; last = messages.at(-1)) {
    if (last.parts.some(isAnswer)) break;
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
