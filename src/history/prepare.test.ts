// The contract's section on history preparation, a sentence a test, in the notation of test/support/conversation.ts.
import { describe, expect, test } from "bun:test";
import { conversation, notation } from "../../test/support/conversation.ts";
import type { Message } from "../domain/message.ts";
import type { RepairKind } from "../domain/repair.ts";
import { checkHistory } from "./grammar.ts";
import { type PrepareOptions, prepareHistory } from "./prepare.ts";

/** The history before, the history after, and the kinds of repair that led there. */
function check(before: string, after: string, ...kinds: RepairKind[]) {
  checkWith(undefined, before, after, kinds);
}

function checkBeforeNewMessage(before: string, after: string, ...kinds: RepairKind[]) {
  checkWith({ newMessage: true }, before, after, kinds);
}

function checkWith(options: PrepareOptions | undefined, before: string, after: string, kinds: RepairKind[]) {
  const { messages, repairs } = prepareHistory(conversation(before), options);
  expect(notation(messages)).toBe(after);
  expect([...new Set(repairs.map(({ kind }) => kind))]).toEqual(kinds);
  expect(checkHistory(messages)).toEqual([]);
}

describe("a valid history", () => {
  for (const line of [
    "",
    "user",
    "user text",
    "user call:a return:a text",
    "user think call:a call:b return:b return:a text user text",
    "user call:a retry:a call:b return:b user:more text",
    "user remark text remark text",
    "image signed text",
    "user call:a return:a= text",
    "user unknown response unknown text",
    "user call:a request unknown return:a text",
  ])
    test(`is returned as the same object: ${line || "the empty one"}`, () => {
      const messages = conversation(line);
      expect(prepareHistory(messages)).toEqual({ messages, repairs: [] });
      expect(prepareHistory(messages).messages).toBe(messages);
    });

  test("keeps every other message the same object when one is repaired", () => {
    const messages = conversation("user call:a return:a text user call:b text user text");
    const { messages: prepared } = prepareHistory(messages);
    expect(notation(prepared)).toBe("user call:a return:a text user text user text");
    for (const at of [0, 1, 2, 3, 4, 6, 7]) expect(prepared[at]).toBe(messages[at] as Message);
  });
});

describe("calls without an answer", () => {
  test("are removed at the end", () =>
    check("user call:a return:a call:b", "user call:a return:a", "dangling-call", "empty-message"));
  test("are removed in the middle", () =>
    check("user text call:a user:2 text", "user text user:2 text", "dangling-call"));
  test("leave the answered ones of their response", () =>
    check("user call:a call:b return:b text", "user call:b return:b text", "dangling-call"));
  test("take the thinking with them that only led to them", () =>
    check("user text think call:a", "user text", "dangling-call"));
  test("leave thinking that led to something else", () =>
    check("user think call:a text", "user think text", "dangling-call"));
  test("leave the person's words where their response is gone", () =>
    check(
      "user:1 think call:a user:2 text",
      "user:1 user:2 text",
      "dangling-call",
      "empty-message",
      "alternation",
    ));
});

describe("answers", () => {
  test("without their call are removed", () =>
    check("user text user return:x text", "user text user text", "orphan-return"));
  test("of the retry kind too", () => check("user retry:x text", "user text", "orphan-return"));
  test("that are remarks stay", () =>
    check("user remark text user: remark text", "user remark text remark text", "blank-part"));
  test("before their call are moved", () =>
    check("user return:a=1 call:a text", "user call:a text return:a=1", "misplaced-return"));
  test("in the first message are moved, and the beginning is made good", () =>
    check("return:a=1 call:a", "lost call:a return:a=1", "misplaced-return", "lost-beginning"));
  test("after the next user turn are moved", () =>
    check(
      "user call:a user:2 text return:a=1 text",
      "user call:a return:a=1 user:2 text text",
      "misplaced-return",
      "alternation",
    ));
  test("behind a prompt are moved before it", () =>
    check("user call:a user:2 return:a text", "user call:a return:a user:2 text", "misplaced-return"));
  test("in the wrong request are moved to their own", () =>
    check(
      "user call:a request call:b return:a return:b text",
      "user call:a return:a call:b return:b text",
      "empty-message",
      "misplaced-return",
    ));
  test("of adjacent responses go between them", () =>
    check(
      "user call:a | call:b return:b return:a text",
      "user call:a return:a call:b return:b text",
      "misplaced-return",
    ));
  test("come in the order of the calls when they are moved", () =>
    check(
      "user call:a call:b call:c user:2 return:c return:b return:a text",
      "user call:a call:b call:c return:a return:b return:c user:2 text",
      "misplaced-return",
    ));
  test("twice: the first stays", () =>
    check("user call:a return:a=1 return:a=2 text", "user call:a return:a=1 text", "duplicate-return"));
  test("twice: a finished one stays rather than a cancelled or refused one", () => {
    check(
      "user call:a return:a!cancelled=0 return:a=1 text",
      "user call:a return:a=1 text",
      "duplicate-return",
    );
    check("user call:a retry:a return:a=1 text", "user call:a return:a=1 text", "duplicate-return");
    check(
      "user call:a retry:a text user return:a=1 text",
      "user call:a return:a=1 text user text",
      "duplicate-return",
      "empty-message",
      "misplaced-return",
    );
  });
  test("a blank one is an answer", () =>
    check("user call:a return:a= call:b", "user call:a return:a=", "dangling-call", "empty-message"));
});

describe("ids", () => {
  test("that are empty get new ones, in order, with their returns", () =>
    check(
      "user call: call: return:=1 return:=2 text",
      "user call:call_1 call:call_2 return:call_1=1 return:call_2=2 text",
      "missing-id",
    ));
  test("that are empty are paired by the tool", () =>
    check(
      "user call:/grep call:/bash return:/bash=b return:/grep=g text",
      "user call:call_1/grep call:call_2/bash return:call_2/bash=b return:call_1/grep=g text",
      "missing-id",
    ));
  test("that only the return lost come from the call", () =>
    check("user call:a return: text", "user call:a return:a text", "missing-id"));
  test("that only the call lost are new for both", () =>
    check("user call: return:a text", "user call:call_1 return:call_1 text", "missing-id"));
  test("that are new are used by nobody else", () =>
    check(
      "user call: return: call:call_1 return:call_1 text",
      "user call:call_2 return:call_2 call:call_1 return:call_1 text",
      "missing-id",
    ));
  test("that are repeated later are renamed with their return", () =>
    check(
      "user call:a return:a=1 call:a return:a=2 text",
      "user call:a return:a=1 call:a_2 return:a_2=2 text",
      "duplicate-id",
    ));
  test("that are repeated in one response are paired in order", () =>
    check(
      "user call:a call:a return:a=1 return:a=2 text",
      "user call:a call:a_2 return:a=1 return:a_2=2 text",
      "duplicate-id",
    ));
  test("that are repeated belong to the nearest return after them", () =>
    check(
      "user call:a user:2 call:a return:a=2 text",
      "user user:2 call:a return:a=2 text",
      "dangling-call",
      "empty-message",
      "alternation",
    ));
  test("that are repeated far from their returns belong to the latest call before them, in order", () =>
    check(
      "user call:a user:2 call:a call:a user:3 text return:a=1 return:a=2 text",
      "user user:2 call:a call:a_2 return:a=1 return:a_2=2 user:3 text text",
      "dangling-call",
      "duplicate-id",
      "empty-message",
      "misplaced-return",
      "alternation",
    ));
  test("that are repeated keep a return written twice from taking another's place", () =>
    check(
      "user call:a call:a return:a=1 return:a=1 return:a=2 text",
      "user call:a call:a_2 return:a=1 return:a_2=2 text",
      "duplicate-return",
      "duplicate-id",
    ));
  test("that are renamed are free", () =>
    check(
      "user call:a return:a call:a_2 return:a_2 call:a return:a text",
      "user call:a return:a call:a_2 return:a_2 call:a_3 return:a_3 text",
      "duplicate-id",
    ));
  test("that are repeated and empty do not meet", () =>
    check(
      "user call: call:call call:call return: return:call return:call text",
      "user call:call_1 call:call call:call_2 return:call_1 return:call return:call_2 text",
      "missing-id",
      "duplicate-id",
    ));
});

describe("what says nothing", () => {
  test("blank words are removed", () => check("user user:_ text: text think:", "user text", "blank-part"));
  test("blank remarks are removed", () => check("user remark: text", "user text", "blank-part"));
  test("a prompt of images stays", () => check("image text:", "image", "blank-part", "empty-message"));
  test("thinking only its vendor can read stays", () =>
    check("user signed text:  text", "user signed text", "blank-part"));
  test("a response of thinking is removed", () =>
    check("user think user:2 text", "user user:2 text", "empty-message", "alternation"));
  test("a request of unknown parts is removed", () =>
    check("user text:1 request unknown text:2", "user text:1 text:2", "empty-message", "alternation"));
  test("unknown parts stay where they are in what says something", () =>
    check(
      "user unknown text: text unknown user: user:2 text",
      "user unknown text unknown user:2 text",
      "blank-part",
    ));
});

describe("turns", () => {
  test("requests in a row are merged", () =>
    check("user:1 | user:2 text", "user:1 user:2 text", "alternation"));
  test("responses in a row are merged", () =>
    check("user text:1 | think text:2", "user text:1 think text:2", "alternation"));
  test("a beginning with a response gets a request before it", () =>
    check("text user text", "lost text user text", "lost-beginning"));
  test("a beginning with orphans only", () =>
    check(
      "return:x text user text",
      "lost text user text",
      "orphan-return",
      "empty-message",
      "lost-beginning",
    ));
  test("a beginning with a remark only", () => check("remark text", "lost remark text", "lost-beginning"));
  test("what is said about merged messages is kept", () => {
    const [first, second] = [
      { extra: { a: 1 }, timestamp: "1" },
      { extra: { b: 2 }, modelName: "m" },
    ];
    const messages: Message[] = [
      ...conversation("user"),
      { kind: "response", parts: [{ kind: "text", content: "1" }], ...first },
      { kind: "response", parts: [{ kind: "text", content: "2" }], ...second },
    ];
    const merged = prepareHistory(messages).messages[1];
    expect(merged).toMatchObject({ extra: { a: 1, b: 2 }, timestamp: "1", modelName: "m" });
  });
});

describe("a trailing request, when a new message comes", () => {
  test("leaves if it was never answered", () =>
    checkBeforeNewMessage("user text user:2", "user text", "unanswered-prompt"));
  test("leaves with its remarks", () => checkBeforeNewMessage("user remark", "", "unanswered-prompt"));
  test("leaves if it holds remarks only, and is no one's prompt", () => {
    checkBeforeNewMessage("user text remark", "user text", "unfinished-turn");
    checkBeforeNewMessage("remark", "", "lost-beginning", "unfinished-turn");
  });
  test("stays if it holds returns, and its turn is closed", () =>
    checkBeforeNewMessage("user call:a return:a", "user call:a return:a interrupted", "unfinished-turn"));
  test("stays with words beside returns", () =>
    checkBeforeNewMessage(
      "user call:a return:a user:2",
      "user call:a return:a user:2 interrupted",
      "unfinished-turn",
    ));
  test("is no matter where a response follows", () => checkBeforeNewMessage("user text", "user text"));
  test("stays if none comes", () => check("user text user:2", "user text user:2"));
  test("any truthy value and no options are understood", () => {
    const messages = conversation("user text user:2");
    // What a caller in plain JavaScript may do.
    const truthy: unknown = { newMessage: "yes" };
    expect(prepareHistory(messages, truthy as PrepareOptions).messages).toHaveLength(2);
    for (const options of [undefined, null, {}, { newMessage: 0 }] as unknown[])
      expect(prepareHistory(messages, options as PrepareOptions).messages).toBe(messages);
  });
});

describe("sanitize", () => {
  test("system parts are stripped", () =>
    check("system user system text system", "user text", "system-part"));
  test("a message of system parts is removed", () =>
    check("request system | user text", "user text", "empty-message"));
  test("run ids are cleared, and nothing else is touched", () => {
    const [first, second] = conversation("user text");
    if (first === undefined || second === undefined) throw new Error("two messages");
    const { messages, repairs } = prepareHistory([{ ...first, runId: "run" }, second]);
    expect(messages).toEqual([first, second]);
    expect(messages[0]).not.toHaveProperty("runId");
    expect(messages[1]).toBe(second);
    expect(repairs.map(({ kind, at }) => [kind, at])).toEqual([["run-id", 0]]);
  });
});
