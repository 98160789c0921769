// Requests, or responses, in a row become one: nobody's words are thrown away for standing side by side.
import type { Message, Request, Response } from "../domain/message.ts";
import type { Repair } from "../domain/repair.ts";
import type { Repaired } from "./rule.ts";

export function alternation(messages: readonly Message[]): Repaired {
  const repairs: Repair[] = [];
  const joined: Message[] = [];
  for (let at = 0, end = 0; at < messages.length; at = end) {
    while (end < messages.length && messages[end]?.kind === messages[at]?.kind) end++;
    const row = messages.slice(at, end);
    joined.push(...(row.length === 1 ? row : [join(row)]));
    if (row.length === 1) continue;
    const why = `${row.length} ${row[0]?.kind}s stood in a row and are now one.`;
    repairs.push({ kind: "alternation", at, kept: "all", why });
  }
  return { messages: repairs.length === 0 ? messages : joined, repairs };
}

function join(row: readonly Message[]): Message {
  const requests = row.filter((message): message is Request => message.kind === "request");
  const responses = row.filter((message): message is Response => message.kind === "response");
  return responses.length === 0
    ? { ...requests.reduce(describeBoth), parts: requests.flatMap(({ parts }) => parts) }
    : { ...responses.reduce(describeBoth), parts: responses.flatMap(({ parts }) => parts) };
}

/** What is said about a message (usage, finish reason, time) is the later one's: it was made with all of this. */
function describeBoth<M extends Message>(first: M, second: M): M {
  const extra = { ...first.extra, ...second.extra };
  return { ...first, ...second, ...(Object.keys(extra).length === 0 ? {} : { extra }) };
}
