// What a running request counts of its conversation as it grows is what a recount says.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Message } from "../../src/domain/message.ts";
import { historyTokens } from "../../src/domain/tokens.ts";
import { LoopHistory } from "../../src/loop/request-context.ts";
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
  "the loop's own count is that of a recount, whatever is appended and replaced",
  () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(history, fc.boolean()), { maxLength: 4 }), history, (steps, others) => {
        const loop = new LoopHistory([]);
        for (const [piece, replaces] of steps) {
          if (replaces) loop.replace([...loop.messages.slice(1), ...piece]);
          else for (const message of piece) loop.append(message);
          expect(loop.tokens).toBe(historyTokens(structuredClone(loop.messages)));
          const ids = new Set(callIds(loop.messages));
          for (const id of [...callIds(piece), ...callIds(others)])
            expect(loop.hasCall(id)).toBe(ids.has(id));
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
