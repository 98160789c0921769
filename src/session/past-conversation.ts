// A conversation as it was at an earlier moment, from the ledger, as messages that the session can go on with.
import type { Sequence } from "../domain/journal-entry.ts";
import type { Message } from "../domain/message.ts";
import { haveSameWords, isPersonsPrompt } from "../history/trailing-request.ts";
import { type ChangeLedger, type LedgerTurn, lineTo, type PastHistory } from "./change-ledger.ts";
import type { PlacedMessage } from "./ranges.ts";

/** `known`: those that are still in the conversation stay the same objects, so that the journal only names them. */
export function messagesOf(
  { list, length }: PastHistory,
  known: ReadonlyMap<Sequence, Message>,
): readonly Message[] {
  return list
    .slice(0, length)
    .map(({ seq, message, made }) => (made === true ? message : (known.get(seq) ?? message)));
}

/**
 * The conversation before this prompt; null where nobody knows it any more. A journal that was written anew has only
 * the conversation of that time, in which the prompts are looked for by their words, from the end.
 */
export function historyBefore(turn: LedgerTurn, { tip, now }: ChangeLedger): PastHistory | null {
  let { list, length } = now;
  for (const later of lineTo(tip).toReversed()) {
    if (later.before !== null) ({ list, length } = later.before);
    else if (length >= 0)
      length = list.slice(0, length).findLastIndex((placed) => holdsPrompt(placed, later));
    if (later === turn) return length < 0 ? null : { list, length };
  }
  return turn.before;
}

function holdsPrompt({ message }: PlacedMessage, { prompt }: LedgerTurn): boolean {
  return (
    message.kind === "request" &&
    message.parts.some((part) => isPersonsPrompt(part) && haveSameWords(part.content, prompt))
  );
}
