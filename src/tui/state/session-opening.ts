// Opening a session: what it was is replayed, and what recovery did is said.
import { plural } from "../../base/numbers.ts";
import type { Message } from "../../domain/message.ts";
import { historyTokens } from "../../domain/tokens.ts";
import type { SessionOpening } from "../../front/contract.ts";
import type { EntryBody } from "./entry.ts";
import { replay } from "./replay.ts";

/** As much as a person scrolls back; the whole of it is in the pager. */
const REPLAYED_MESSAGES = 300;

export interface OpenedEntries {
  readonly entries: readonly EntryBody[];
  readonly earlier: readonly Message[];
  readonly contextTokens: number;
}

export function openedEntries({
  messages,
  resumed,
  isCopy,
  notices,
  status,
  descriptions,
}: SessionOpening): OpenedEntries {
  const contextTokens = historyTokens(messages);
  const told = notices.map((text): EntryBody => ({ kind: "notice", tone: "warning", text }));
  if (isCopy || !resumed) return { entries: told, earlier: [], contextTokens };
  const earlier = messages.slice(0, -REPLAYED_MESSAGES);
  const title = status.title === "" ? "" : ` "${status.title}"`;
  const more = earlier.length === 0 ? "" : ` ${plural(earlier.length, "earlier message")}: Ctrl-O shows all.`;
  const head = `Resumed${title}, ${plural(messages.length, "message")}.${more}`;
  const entries: EntryBody[] = [
    { kind: "notice", tone: "quiet", text: head },
    ...replay(messages.slice(-REPLAYED_MESSAGES), descriptions),
    ...told,
  ];
  return { entries, earlier, contextTokens };
}
