// What a conversation counts of itself as it grows equals a recount.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Conversation } from "../../src/domain/conversation.ts";
import type { Message } from "../../src/domain/message.ts";
import { historyTokens } from "../../src/domain/tokens.ts";
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
