import { expect, test } from "bun:test";
import { conversation, notation } from "../../test/support/conversation.ts";
import { Conversation } from "./conversation.ts";
import type { Message } from "./message.ts";
import { historyTokens } from "./tokens.ts";

const START = { type: "request-start", requestId: "r", model: "m" } as const;
const END = { type: "request-end", outcome: { type: "completed" } } as const;

function says(talk: Conversation, words: string): void {
  for (const message of conversation(words)) talk.fold({ type: "message-end", message });
}

function adds(talk: Conversation, words: string): void {
  for (const message of conversation(words)) talk.fold({ type: "addition", message });
}

test("it grows by whole messages and is replaced by a repair or a compaction, with the same objects", () => {
  const talk = new Conversation();
  says(talk, "user call:a return:a text");
  const before = talk.messages.slice();
  const messages = before.slice(1);
  for (const event of [
    { type: "repair", repairs: [], messages },
    { type: "compaction", messages, tokensBefore: 1, tokensAfter: 1, summary: null },
  ] as const) {
    talk.fold(event);
    expect(talk.messages.every((message, at) => message === before[at + 1])).toBe(true);
  }
  says(talk, "user:more");
  // Whoever made the event still holds its list.
  expect(messages).toHaveLength(3);
  expect(talk.messages).toHaveLength(4);
});

test("it copies the list that it is given", () => {
  const given: Message[] = conversation("user text").slice();
  const talk = new Conversation(given);
  given.pop();
  says(talk, "user:2");
  expect(notation(talk.messages)).toBe("user text user:2");
});

test("it knows its size and its calls, asked before and after every change", () => {
  const talk = new Conversation(conversation("user call:a return:a text"));
  const check = (ids: readonly string[]) => {
    expect(talk.totalTokens).toBe(historyTokens(talk.messages.slice()));
    expect(["a", "b"].filter((id) => talk.hasCall(id))).toEqual([...ids]);
  };
  check(["a"]);
  says(talk, "user call:b return:b text");
  check(["a", "b"]);
  talk.fold({ type: "repair", repairs: [], messages: talk.messages.slice(4) });
  check(["b"]);
});

test("what others add during a request follows the request's own messages, otherwise at once", () => {
  const talk = new Conversation();
  adds(talk, "user:before text");
  talk.fold(START);
  says(talk, "user:go");
  adds(talk, "user:during");
  says(talk, "text:done");
  expect(notation(talk.messages)).toBe("user:before text user:go text:done");
  talk.fold(END);
  expect(notation(talk.messages)).toBe("user:before text user:go text:done user:during");
  adds(talk, "text:after");
  expect(notation(talk.messages.slice(-1))).toBe("text:after");
});
