// Merges consecutive requests, or consecutive responses, into one message. No part is dropped.
import type { Message, Request, Response } from "../domain/message.ts";
import type { Repair } from "../domain/repair.ts";
import type { Repaired } from "./rule.ts";

export function alternation(messages: readonly Message[]): Repaired {
  const repairs: Repair[] = [];
  const joined: Message[] = [];
  for (let at = 0, end = 1; at < messages.length; at = end++) {
    const first = messages[at];
    if (first === undefined) break;
    while (messages[end]?.kind === first.kind) end++;
    const row = messages.slice(at, end);
    joined.push(row.length === 1 ? first : join(row));
    const why = `${row.length} ${first.kind}s in a row were merged into one.`;
    if (row.length > 1) repairs.push({ kind: "alternation", at, kept: "all", why });
  }
  return { messages: joined, repairs };
}

function join(row: readonly Message[]): Message {
  const requests = row.filter((message): message is Request => message.kind === "request");
  const responses = row.filter((message): message is Response => message.kind === "response");
  return responses.length === 0
    ? { ...requests.reduce(describeBoth), parts: requests.flatMap(({ parts }) => parts) }
    : { ...responses.reduce(describeBoth), parts: responses.flatMap(({ parts }) => parts) };
}

/** The later message's usage, finish reason and time win, because it was produced with all of the merged parts. */
function describeBoth<M extends Message>(first: M, second: M): M {
  const extra = { ...first.extra, ...second.extra };
  return { ...first, ...second, ...(Object.keys(extra).length === 0 ? {} : { extra }) };
}
