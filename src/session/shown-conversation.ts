// A conversation as its person saw it: what summaries have replaced is still there, with a mark where each was made.
// For display only. The model gets the messages of the conversation.
import type { AgentEvent } from "../domain/event.ts";
import type { Message } from "../domain/message.ts";
import { isSummary, type ShownMessage, type SummedUp, shownRequest } from "../domain/summary.ts";
import { nodeDisk } from "./disk.ts";
import type { SessionPaths } from "./paths.ts";
import { findJournal } from "./read-files.ts";
import { emptyReplay, replayRecords } from "./replay.ts";

export class ShownConversation {
  readonly #earlier: ShownMessage[] = [];
  /** How many messages at the beginning of the conversation are shown by what is earlier. */
  #covered = 0;

  /** `before`: the messages that the event found. */
  fold(event: AgentEvent, before: readonly Message[]): void {
    if (event.type === "repair") this.#covered = Math.min(this.#covered, event.messages.length);
    if (event.type !== "compaction" || event.summary === null) return;
    const { tokensBefore, tokensAfter, summary, messages } = event;
    this.sumUp(before, messages.length, markOf(summary, tokensBefore, tokensAfter));
  }

  sumUp(before: readonly Message[], covered: number, mark: SummedUp): void {
    this.#earlier.push(...this.#rest(before), mark);
    this.#covered = covered;
  }

  list(messages: readonly Message[]): readonly ShownMessage[] {
    return [...this.#earlier, ...this.#rest(messages)];
  }

  #rest(messages: readonly Message[]): ShownMessage[] {
    return messages
      .slice(this.#covered)
      .flatMap((message) => (message.kind === "request" ? shownRequest(message) : [message]));
  }
}

/** Reads the whole journal, but only where there is a summary. What it no longer holds is not shown. */
export async function readShown(
  paths: SessionPaths | undefined,
  messages: readonly Message[],
): Promise<ShownConversation> {
  const shown = new ShownConversation();
  const hasSummary = messages.some(({ kind, parts }) => kind === "request" && parts.some(isSummary));
  if (!hasSummary || paths === undefined) return shown;
  const found = await findJournal(nodeDisk, paths.journal);
  if (found.status !== "good") return shown;
  const { history, summaries = [] } = replayRecords({ ...emptyReplay(), summaries: [] }, found.read);
  summaries.forEach(({ before, after, entry }, at) => {
    const { summary, tokensBefore, tokensAfter } = entry;
    // Later repairs replace messages, so the end of what the summary left is looked for in the history that followed.
    const next = summaries[at + 1]?.before ?? history.map(({ message }) => message);
    const left = new Set(after);
    const covered = next.findLastIndex((message) => left.has(message)) + 1;
    shown.sumUp(before, covered, markOf(summary ?? "", tokensBefore, tokensAfter));
  });
  return shown;
}

function markOf(summary: string, before: number, after: number): SummedUp {
  return { kind: "summed-up", summary, tokens: { before, after } };
}
