// What is remembered about a history changes nothing: preparing one that has grown, was cut, or went another way gives
// what preparing it for the first time gives. Copies are what nothing is remembered about.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Conversation } from "../../src/domain/conversation.ts";
import type { Message } from "../../src/domain/message.ts";
import { historyTokens } from "../../src/domain/tokens.ts";
import { prepareHistory } from "../../src/history/prepare.ts";
import { conversation } from "../support/conversation.ts";
import { deepFrozen } from "../support/deep-frozen.ts";
import { damagedHistory } from "../support/history-damage.ts";

const isLong = process.env["TUNACODE_LONG"] === "1";
const RUNS = isLong ? 20_000 : 400;
const settings = { numRuns: RUNS, seed: isLong ? Date.now() : 1 };
const LONG_MS = 1_200_000;

/** In characters: below what clearing frees, and so much that a few of them are cleared. */
const SIZES = [0, 40, 30_000, 90_000, 170_000];

const history = fc
  .tuple(damagedHistory, fc.nat())
  .map(([{ messages }, seed]) => messages.map((message, at) => deepFrozen(sized(message, seed + at))));

test(
  "prepared with what is remembered, and without",
  () => {
    fc.assert(
      fc.property(history, history, fc.nat(), fc.nat(), (some, others, where, other) => {
        for (const list of lists(some, others, where, other)) checkPrepared(list);
      }),
      settings,
    );
  },
  LONG_MS,
);

test(
  "turn after turn, as a session grows",
  () => {
    fc.assert(
      fc.property(fc.array(history, { minLength: 1, maxLength: 4 }), (pieces) => {
        let messages: readonly Message[] = [];
        for (const piece of pieces) {
          const prepared = checkPrepared(messages);
          messages = [...prepared.messages, ...piece];
        }
        checkPrepared(messages);
      }),
      settings,
    );
  },
  LONG_MS,
);

test(
  "a conversation's own count is that of a recount, whatever is appended and replaced",
  () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(history, fc.boolean()), { maxLength: 4 }), history, (steps, others) => {
        const talk = new Conversation();
        for (const [piece, replaces] of steps) {
          const messages = [...talk.messages.slice(1), ...piece];
          if (replaces) talk.fold({ type: "repair", repairs: [], messages });
          else for (const message of piece) talk.fold({ type: "message-end", message });
          expect(talk.totalTokens).toBe(historyTokens(structuredClone(talk.messages.slice())));
          const ids = new Set(callIds(talk.messages));
          for (const id of [...callIds(piece), ...callIds(others)])
            expect(talk.hasCall(id)).toBe(ids.has(id));
        }
      }),
      settings,
    );
  },
  LONG_MS,
);

/** Growing one by one; then cut, mended, robbed, exchanged and gone another way, with the whole one in between. */
function lists(
  some: readonly Message[],
  others: readonly Message[],
  where: number,
  other: number,
): (readonly Message[])[] {
  const at = where % Math.max(1, some.length);
  const foreign = others[other % Math.max(1, others.length)];
  const grown = some.map((_, index) => some.slice(0, index + 1));
  const diverging = [
    some.slice(0, at),
    some.toSpliced(at, 1),
    ...(foreign === undefined ? [] : [some.toSpliced(at, 1, foreign), some.toSpliced(at, 0, foreign)]),
    [...some.slice(0, at), ...others],
    [...some, ...conversation("user:2 text")],
  ];
  return [...grown, ...diverging.flatMap((list) => [list, some])];
}

function checkPrepared(messages: readonly Message[]) {
  for (const newMessage of [true, false]) {
    const copy = structuredClone(messages);
    const prepared = prepareHistory(messages, { newMessage });
    const first = prepareHistory(copy, { newMessage });
    expect(prepared).toEqual(first);
    expect(prepared.messages === messages).toBe(first.messages === copy);
    expect(historyTokens(prepared.messages)).toBe(historyTokens(structuredClone(prepared.messages)));
  }
  return prepareHistory(messages, { newMessage: true });
}

function callIds(messages: readonly Message[]): string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "tool-call" ? [part.toolCallId] : [])),
  );
}

function sized(message: Message, seed: number): Message {
  if (message.kind === "response") return message;
  const parts = message.parts.map((part, at) =>
    part.kind === "tool-return" && typeof part.content === "string"
      ? { ...part, content: part.content.padEnd(SIZES[(seed + at) % SIZES.length] ?? 0, ".") }
      : part,
  );
  return { ...message, parts };
}
