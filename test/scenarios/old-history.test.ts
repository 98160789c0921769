// Any history from a file is valid after it was decoded and prepared, and writing it back doesn't change it.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Message } from "../../src/domain/message.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { prepareHistory } from "../../src/history/prepare.ts";
import { decodeMessages, encodeMessages } from "../../src/session/stored-message.ts";
import session from "../fixtures/tunacode-session-v1.json";
import { almostMessages, messages } from "../support/arbitrary-messages.ts";
import { notation } from "../support/conversation.ts";

test("the old program's session comes through preparation, and through the file again", () => {
  const decoded = decodeMessages(session.messages);
  const prepared = prepareHistory(decoded.messages);
  expect(checkHistory(prepared.messages)).toEqual([]);
  // It contains an answer without its call. All text, calls and returns are kept.
  expect(notation(prepared.messages)).toBe(
    [
      "user:list_the_files text:I_will_list_them. call:call_abc123/bash",
      "return:call_abc123/bash=a.ts\nb.ts think:hmm text:There_are_two_files.",
      "call:tc_1/bash return:tc_1/bash=x user:legacy_plain_user_text",
    ].join(" "),
  );
  expect(roundTrip(prepared.messages)).toEqual([...prepared.messages]);
  expect(prepareHistory(roundTrip(prepared.messages)).repairs).toEqual([]);
});

test("any messages, and anything like messages in a file, become a valid history that no longer changes", () => {
  const anyHistory = fc.oneof(
    messages,
    almostMessages.map((json) => decodeMessages(json).messages),
  );
  fc.assert(
    fc.property(anyHistory, fc.boolean(), (history, newMessage) => {
      const prepared = prepareHistory(history, { newMessage });
      expect(checkHistory(prepared.messages)).toEqual([]);
      expect(prepareHistory(prepared.messages, { newMessage }).messages).toBe(prepared.messages);
      expect(checkHistory(roundTrip(prepared.messages))).toEqual([]);
    }),
    { numRuns: process.env["TUNACODE_LONG"] === "1" ? 50_000 : 1_000, seed: 1 },
  );
}, 600_000);

function roundTrip(history: readonly Message[]): Message[] {
  return decodeMessages(JSON.parse(JSON.stringify(encodeMessages(history)))).messages;
}
