// Opening a session: what it was is replayed, what recovery did is said, what was never answered comes back.
import { historyTokens } from "../domain/tokens.ts";
import type { TerminalAgent } from "./ports.ts";
import type { EntryBody } from "./state/entry.ts";
import type { OpenedView } from "./state/fold.ts";
import { replay } from "./state/replay.ts";
import { plural } from "./view/numbers.ts";

/** As much as a person scrolls back; the whole of it is in the pager. */
const REPLAYED_MESSAGES = 300;

/** isOnScreen: what is opened is a copy of what the screen shows. */
export function openedView(agent: TerminalAgent, isOnScreen: boolean): OpenedView {
  const messages = agent.messages();
  return {
    id: agent.session.id,
    title: agent.title(),
    model: agent.model(),
    mode: agent.permissionMode(),
    usage: agent.usage(),
    contextTokens: historyTokens(messages),
    entries: isOnScreen ? noticesOf(agent) : openingEntries(agent),
    ...(isOnScreen ? {} : { earlier: agent.session.resumed ? messages.slice(0, -REPLAYED_MESSAGES) : [] }),
  };
}

function openingEntries(agent: TerminalAgent): EntryBody[] {
  const { session } = agent;
  const messages = agent.messages();
  const notices = noticesOf(agent);
  if (!session.resumed) return notices;
  const earlier = Math.max(0, messages.length - REPLAYED_MESSAGES);
  const title = agent.title() === "" ? "" : ` "${agent.title()}"`;
  const more = earlier === 0 ? "" : ` ${plural(earlier, "earlier message")}: Ctrl-O shows all.`;
  const head = `Resumed${title}, ${plural(messages.length, "message")}.${more}`;
  return [
    { kind: "notice", tone: "quiet", text: head },
    ...replay(messages.slice(earlier), agent.describeCall),
    ...notices,
  ];
}

function noticesOf({ session }: TerminalAgent): EntryBody[] {
  return session.notices.map((text): EntryBody => ({ kind: "notice", tone: "warning", text }));
}
