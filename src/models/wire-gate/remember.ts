// Checks only what is new in a body. Of each conversation it remembers the text up to a message near the end and
// what the grammar knew after that message. A body that begins with the very same text has brought the grammar to
// the very same place, so only the rest has to be read. What doesn't fit is left to the check of the whole body.
import { isJsonObject, type JsonObject, type Parsed } from "../../base/json.ts";
import {
  beginOfLast,
  endsWithFoot,
  type Foot,
  type Read,
  readFoot,
  readHead,
  readMessages,
} from "./body-reader.ts";
import type { Fold, Grammar } from "./check.ts";
import { holdsHalves, mayHoldHalves } from "./half-characters.ts";
import { createReport } from "./report.ts";

/** The beginning of a body in which nothing is wrong. */
interface Beginning {
  /** The body's text up to where the next message begins. */
  readonly text: string;
  /** The fields before the conversation. */
  readonly head: JsonObject;
  /** What followed the conversation when it was last read. */
  readonly foot?: Foot;
  /** How many messages, and what the grammar knows after them. */
  readonly count: number;
  readonly fold: Fold;
}

/**
 * The last messages change from call to call: Anthropic's cache marks move along with the last two user turns, and
 * a remark may go with one call only. So the remembered text ends before them.
 */
const HELD_BACK = 4;

/** The conversation itself, and a few that run beside it: subagents, a summary. */
const MOST_REMEMBERED = 3;

/** True: there is no violation in the body. False: it has to be checked as a whole. */
export type IsKnownSound = (body: string, model: string) => boolean;

export function rememberSound(grammar: Grammar, parse: (json: string) => Parsed): IsKnownSound {
  let remembered: readonly Beginning[] = [];
  return (body, model) => {
    const known = remembered.find(({ text }) => body.startsWith(text));
    // Its fold is used up, so it is taken out before anything can go wrong.
    remembered = remembered.filter((beginning) => beginning !== known);
    const read = readerOf(body, known?.text.length ?? 0, parse);
    const from = known ?? openBody(body, grammar, read);
    const reached = from && goOn(from, body, model, grammar, read);
    if (reached === undefined) return false;
    if (reached.count > 0) remembered = [reached, ...remembered].slice(0, MOST_REMEMBERED);
    return true;
  };
}

/** from: before that the body is known to be whole characters. */
function readerOf(body: string, from: number, parse: (json: string) => Parsed): Read {
  const isDoubtful = mayHoldHalves(body, from);
  return (json) => {
    const parsed = parse(json);
    return parsed.ok && !(isDoubtful && holdsHalves(parsed.value)) ? parsed.value : undefined;
  };
}

function openBody(body: string, { list, begin }: Grammar, read: Read): Beginning | undefined {
  const head = readHead(body, list, read);
  return head && { text: body.slice(0, head.end), head: head.fields, count: 0, fold: begin() };
}

/** What to remember of a body in which nothing is wrong. */
function goOn(
  { text, head, foot: lastFoot, count, fold }: Beginning,
  body: string,
  model: string,
  grammar: Grammar,
  read: Read,
): Beginning | undefined {
  const isLast = lastFoot !== undefined && endsWithFoot(body, text.length, lastFoot);
  const foot = isLast ? lastFoot : readFoot(body, text.length, grammar, read);
  if (foot === undefined) return undefined;
  const footAt = body.length - foot.text.length;
  const messages = readMessages(body, text.length, footAt, read);
  // An empty conversation, or a comma too many.
  if (messages.length === 0) return undefined;
  // Where something is wrong and what it is, the check of the whole body will say.
  let isSound = true;
  const report = createReport(() => {
    isSound = false;
  });
  const settled = Math.max(0, messages.length - HELD_BACK);
  let current = fold;
  for (const [offset, message] of messages.entries()) {
    if (offset === settled) current = fold.fork();
    if (isJsonObject(message)) current.step(message, count + offset, report);
    else isSound = false;
  }
  current.end({ ...head, ...foot.fields }, model, report);
  const end = settled === 0 ? text.length : beginOfLast(body, footAt, messages.slice(settled));
  if (!isSound || end === undefined) return undefined;
  return { text: body.slice(0, end), head, foot, count: count + settled, fold };
}
