// Closes what a crash left open, so that the conversation can go on: calls get answers, streamed text is kept, and so
// is a prompt that was never answered. Then the history is made valid like any other.
import { isBlank } from "../base/blank.ts";
import { typedText } from "../domain/content.ts";
import { interruptedReturn } from "../domain/interrupted.ts";
import { callsOf, INTERRUPTED, type Message, type Response } from "../domain/message.ts";
import { isAnswer, type ToolReturnPart } from "../domain/part.ts";
import { cleanup } from "../history/cleanup.ts";
import { isPersonsPrompt, trailingRequest, unansweredPrompts } from "../history/trailing-request.ts";
import type { Replayed } from "./replay.ts";
import type { RecoveryNote, RecoveryReport } from "./report.ts";

export interface Recovered {
  /** A valid history; messages that needed no repair are the same objects. */
  readonly messages: readonly Message[];
  readonly report: RecoveryReport;
  /** A person's words that were never answered: the end of the history. Blank if they sent only images. */
  readonly unsentPrompt?: string;
}

export function recover(replayed: Replayed): Recovered {
  const notes: RecoveryNote[] = [...replayed.notes];
  let messages: readonly Message[] = replayed.history.map((placed) => placed.message);
  messages = answerOpenCalls(messages, replayed, notes);
  messages = restorePrompt(messages, replayed);
  messages = keepPartial(messages, replayed, notes);
  messages = closeTurn(messages, notes);
  const { messages: valid, repairs } = cleanup(messages);
  const report = { notes, repairs };
  const unanswered = unansweredPrompts(valid);
  if (unanswered.length === 0) return { messages: valid, report };
  notes.push({ kind: "unsent-prompt", why: "The last prompt was never answered." });
  const unsentPrompt = unanswered.map(({ content }) => typedText(content)).join("\n\n");
  return { messages: valid, report, unsentPrompt };
}

function answerOpenCalls(
  messages: readonly Message[],
  { settled, started }: Replayed,
  notes: RecoveryNote[],
): readonly Message[] {
  const last = messages.at(-1);
  const calls = last?.kind === "response" ? callsOf(last) : [];
  if (calls.length === 0) return messages;
  const parts = calls.map((call): ToolReturnPart => {
    const finished = settled.get(call.toolCallId);
    if (finished !== undefined) return finished;
    const answer = interruptedReturn(call, started.has(call.toolCallId));
    notes.push({ kind: "closed-call", why: `${call.toolName} (${call.toolCallId}): ${answer.content}` });
    return answer;
  });
  return [...messages, { kind: "request", parts }];
}

/** A prompt is recorded before it joins the history: the crash may have come in between. */
function restorePrompt(messages: readonly Message[], { prompt, promptTaken }: Replayed): readonly Message[] {
  if (prompt === undefined || promptTaken) return messages;
  const { content, at: timestamp } = prompt;
  const settled = trailingRequest(messages, { prompt: content });
  return [
    ...settled.messages,
    { kind: "request", parts: [{ kind: "user-prompt", content, ...(timestamp !== "" && { timestamp }) }] },
  ];
}

function keepPartial(
  messages: readonly Message[],
  { partial }: Replayed,
  notes: RecoveryNote[],
): readonly Message[] {
  if (messages.at(-1)?.kind !== "request" || isBlank(partial)) return messages;
  notes.push({ kind: "kept-partial", why: `${partial.length} characters of an unfinished answer are kept.` });
  return [...messages, interruptedResponse(`${INTERRUPTED}\n\n${partial}`)];
}

/** A prompt beside or after the finished work stays open: if the person sends it again, it replaces this one. */
function closeTurn(messages: readonly Message[], notes: RecoveryNote[]): readonly Message[] {
  const begin = messages.findLastIndex(({ kind }) => kind === "response") + 1;
  const at = messages.findLastIndex(({ parts }, index) => index >= begin && parts.some(isAnswer));
  const work = messages[at];
  const isPrompted = work?.kind === "request" && work.parts.some(isPersonsPrompt);
  if (work === undefined || (isPrompted && at === messages.length - 1)) return messages;
  notes.push({ kind: "closed-turn", why: "The last turn was interrupted after its tool calls." });
  return messages.toSpliced(at + 1, 0, interruptedResponse(INTERRUPTED));
}

function interruptedResponse(content: string): Response {
  return { kind: "response", parts: [{ kind: "text", content }] };
}
