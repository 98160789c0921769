// A conversation as its person saw it: what summaries have replaced is still there, with a mark where each was made.
// For display only. The model gets the messages of the conversation.
import type { AgentEvent } from "../domain/event.ts";
import type { EntryOf } from "../domain/journal-entry.ts";
import type { Message } from "../domain/message.ts";
import { isSummary, type ShownMessage, type SummedUp, shownRequest } from "../domain/summary.ts";
import { nodeDisk } from "./disk.ts";
import type { SessionPaths } from "./paths.ts";
import type { PlacedMessage } from "./ranges.ts";
import { findJournal } from "./read-files.ts";
import type { ReadRecords } from "./read-journal.ts";
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

/**
 * Reads the whole journal, but only where there is a summary. What it no longer holds is not shown. After going back it
 * has to be read again: the summaries may be others.
 */
export async function readShown(
  paths: SessionPaths | undefined,
  messages: readonly Message[],
): Promise<ShownConversation> {
  const shown = new ShownConversation();
  if (!messages.some(holdsSummary) || paths === undefined) return shown;
  const found = await findJournal(nodeDisk, paths.journal);
  if (found.status !== "good") return shown;
  const { made, history } = summariesIn(found.read);
  const followed = followedSummaries(made, history);
  followed.forEach(({ before, after, entry }, at) => {
    const { summary, tokensBefore, tokensAfter } = entry;
    // Later repairs replace messages, so the end of what the summary left is looked for in the history that followed.
    const next = followed[at + 1]?.before ?? history;
    shown.sumUp(before, endOf(after, next), markOf(summary ?? "", tokensBefore, tokensAfter));
  });
  return shown;
}

interface SummaryMade {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  readonly entry: EntryOf<"compaction">;
}

function summariesIn(read: ReadRecords): {
  readonly made: readonly SummaryMade[];
  readonly history: readonly Message[];
} {
  const made: SummaryMade[] = [];
  let before: readonly PlacedMessage[] = [];
  const { history } = replayRecords(emptyReplay(), read, (entry, after) => {
    if (entry.kind === "compaction" && entry.summary !== null)
      made.push({ before: toMessages(before), after: toMessages(after), entry });
    before = after;
  });
  return { made, history: toMessages(history) };
}

/** Those that this conversation has behind it, oldest first: others were left when a person went back. */
function followedSummaries(
  made: readonly SummaryMade[],
  history: readonly Message[],
): readonly SummaryMade[] {
  const held = new Set(history.filter(holdsSummary).map(textOf));
  const at = made.findLastIndex(({ after }) => after.some((message) => held.has(textOf(message))));
  const last = made[at];
  return last === undefined ? [] : [...followedSummaries(made.slice(0, at), last.before), last];
}

/** Going back and forth writes messages anew, so that only their words are the same. */
function endOf(after: readonly Message[], next: readonly Message[]): number {
  const left = new Set(after);
  const end = next.findLastIndex((message) => left.has(message)) + 1;
  if (end > 0) return end;
  const words = new Set(after.map(textOf));
  return next.findLastIndex((message) => words.has(textOf(message))) + 1;
}

function holdsSummary({ kind, parts }: Message): boolean {
  return kind === "request" && parts.some(isSummary);
}

function textOf(message: Message): string {
  return JSON.stringify(message);
}

function toMessages(history: readonly PlacedMessage[]): readonly Message[] {
  return history.map(({ message }) => message);
}

function markOf(summary: string, before: number, after: number): SummedUp {
  return { kind: "summed-up", summary, tokens: { before, after } };
}
