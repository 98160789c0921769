// One test per sentence of the contract's section on history preparation, in the notation of
// test/support/conversation.ts.
import { describe, expect, test } from "bun:test";
import { conversation, notation } from "../../test/support/conversation.ts";
import type { Message } from "../domain/message.ts";
import type { RepairKind } from "../domain/repair.ts";
import { checkHistory } from "./grammar.ts";
import { type PrepareOptions, prepareHistory } from "./prepare.ts";

/** Compares the prepared history and the kinds of repair it took. */
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
    test(`is returned as the same object: ${line || "empty"}`, () => {
      const messages = conversation(line);
      expect(prepareHistory(messages)).toEqual({ messages, repairs: [] });
      expect(prepareHistory(messages).messages).toBe(messages);
    });

  test("keeps every other message as the same object when one is repaired", () => {
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
  test("leave the answered calls of their response in place", () =>
    check("user call:a call:b return:b text", "user call:b return:b text", "dangling-call"));
  test("are removed with the thinking that led only to them", () =>
    check("user text think call:a", "user text", "dangling-call"));
  test("leave thinking that led to something else in place", () =>
    check("user think call:a text", "user think text", "dangling-call"));
  test("leave the person's prompts when their response is removed", () =>
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
  test("that are retry prompts without a call are removed, too", () =>
    check("user retry:x text", "user text", "orphan-return"));
  test("that are remarks stay", () =>
    check("user remark text user: remark text", "user remark text remark text", "blank-part"));
  test("before their call are moved", () =>
    check("user return:a=1 call:a text", "user call:a text return:a=1", "misplaced-return"));
  test("in the first message are moved, and the beginning is repaired", () =>
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
  test("are put in the order of their calls when they are moved", () =>
    check(
      "user call:a call:b call:c user:2 return:c return:b return:a text",
      "user call:a call:b call:c return:a return:b return:c user:2 text",
      "misplaced-return",
    ));
  test("given twice: the first is kept", () =>
    check("user call:a return:a=1 return:a=2 text", "user call:a return:a=1 text", "duplicate-return"));
  test("given twice: a finished one is kept rather than a cancelled or refused one", () => {
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
  test("that are blank are kept", () =>
    check("user call:a return:a= call:b", "user call:a return:a=", "dangling-call", "empty-message"));
});

describe("ids", () => {
  test("that are empty get new ones, in order, with their returns", () =>
    check(
      "user call: call: return:=1 return:=2 text",
      "user call:call_1 call:call_2 return:call_1=1 return:call_2=2 text",
      "missing-id",
    ));
  test("that are empty are paired by tool name", () =>
    check(
      "user call:/grep call:/bash return:/bash=b return:/grep=g text",
      "user call:call_1/grep call:call_2/bash return:call_2/bash=b return:call_1/grep=g text",
      "missing-id",
    ));
  test("that only the return lost are taken from the call", () =>
    check("user call:a return: text", "user call:a return:a text", "missing-id"));
  test("that only the call lost are replaced in both", () =>
    check("user call: return:a text", "user call:call_1 return:call_1 text", "missing-id"));
  test("that are new are unique", () =>
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
  test("that are repeated are paired with the nearest return after them", () =>
    check(
      "user call:a user:2 call:a return:a=2 text",
      "user user:2 call:a return:a=2 text",
      "dangling-call",
      "empty-message",
      "alternation",
    ));
  test("that are repeated far from their returns are paired with the latest call before them, in order", () =>
    check(
      "user call:a user:2 call:a call:a user:3 text return:a=1 return:a=2 text",
      "user user:2 call:a call:a_2 return:a=1 return:a_2=2 user:3 text text",
      "dangling-call",
      "duplicate-id",
      "empty-message",
      "misplaced-return",
      "alternation",
    ));
  test("that are repeated don't let a duplicated return take another's place", () =>
    check(
      "user call:a call:a return:a=1 return:a=1 return:a=2 text",
      "user call:a call:a_2 return:a=1 return:a_2=2 text",
      "duplicate-return",
      "duplicate-id",
    ));
  test("that are renamed get names not yet in use", () =>
    check(
      "user call:a return:a call:a_2 return:a_2 call:a return:a text",
      "user call:a return:a call:a_2 return:a_2 call:a_3 return:a_3 text",
      "duplicate-id",
    ));
  test("that are repeated and that are empty are not mixed up", () =>
    check(
      "user call: call:call call:call return: return:call return:call text",
      "user call:call_1 call:call call:call_2 return:call_1 return:call return:call_2 text",
      "missing-id",
      "duplicate-id",
    ));
});

describe("blank and empty content", () => {
  test("blank text is removed", () => check("user user:_ text: text think:", "user text", "blank-part"));
  test("blank remarks are removed", () => check("user remark: text", "user text", "blank-part"));
  test("a prompt of images stays", () => check("image text:", "image", "blank-part", "empty-message"));
  test("thinking that only its vendor can read stays", () =>
    check("user signed text:  text", "user signed text", "blank-part"));
  test("a response with only thinking is removed", () =>
    check("user think user:2 text", "user user:2 text", "empty-message", "alternation"));
  test("a request with only unknown parts is removed", () =>
    check("user text:1 request unknown text:2", "user text:1 text:2", "empty-message", "alternation"));
  test("unknown parts stay where they are in a message with content", () =>
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
  test("a history that begins with a response gets a request before it", () =>
    check("text user text", "lost text user text", "lost-beginning"));
  test("a history that begins with orphans only gets a new beginning", () =>
    check(
      "return:x text user text",
      "lost text user text",
      "orphan-return",
      "empty-message",
      "lost-beginning",
    ));
  test("a history that begins with a remark only gets a new beginning", () =>
    check("remark text", "lost remark text", "lost-beginning"));
  test("the metadata of merged messages is kept", () => {
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

describe("a trailing request, when a new message arrives", () => {
  test("is kept if it was never answered, and its turn is closed", () => {
    checkBeforeNewMessage("user text user:2", "user text user:2 interrupted", "unanswered-prompt");
    checkBeforeNewMessage("user remark", "user remark interrupted", "unanswered-prompt");
  });
  const replacing = (options: PrepareOptions) => ({ newMessage: true, ...options });
  test("is replaced by the same words", () => {
    checkWith(replacing({ prompt: " 2\n" }), "user text user:2", "user text", ["unanswered-prompt"]);
    checkWith(replacing({ prompt: [{ type: "text", text: "2" }] }), "user:2", "", ["unanswered-prompt"]);
    checkWith(replacing({ prompt: "3" }), "user:2", "user:2 interrupted", ["unanswered-prompt"]);
  });
  test("beside returns only the same words are replaced", () => {
    const before = "user call:a return:a user:2 user:3";
    const after = "user call:a return:a user:3 interrupted";
    checkWith(replacing({ prompt: "2", replacesUnanswered: true }), before, after, ["unanswered-prompt"]);
  });
  test("is replaced by the prompt that the person got back, whatever it says now", () =>
    checkWith(replacing({ prompt: "changed", replacesUnanswered: true }), "user text user:2", "user text", [
      "unanswered-prompt",
    ]));
  test("is not replaced by the same words without its image", () => {
    const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
    const content = [{ type: "text", text: "look" } as const, image];
    const history: Message[] = [{ kind: "request", parts: [{ kind: "user-prompt", content }] }];
    expect(prepareHistory(history, replacing({ prompt: "look" })).messages).toHaveLength(2);
    expect(prepareHistory(history, replacing({ prompt: content })).messages).toEqual([]);
  });
  test("is removed if it holds only remarks, which are not reported as a prompt", () => {
    checkBeforeNewMessage("user text remark", "user text", "unfinished-turn");
    checkBeforeNewMessage("remark", "", "lost-beginning", "unfinished-turn");
  });
  test("is kept if it holds returns, and its turn is closed", () =>
    checkBeforeNewMessage("user call:a return:a", "user call:a return:a interrupted", "unfinished-turn"));
  test("is kept with a prompt beside its returns", () =>
    checkBeforeNewMessage(
      "user call:a return:a user:2",
      "user call:a return:a user:2 interrupted",
      "unfinished-turn",
    ));
  test("doesn't exist when a response follows", () => checkBeforeNewMessage("user text", "user text"));
  test("is kept without a new message", () => check("user text user:2", "user text user:2"));
  test("any truthy value and missing options are accepted", () => {
    const messages = conversation("user text user:2");
    // A caller in plain JavaScript can pass this.
    const truthy: unknown = { newMessage: "yes" };
    expect(prepareHistory(messages, truthy as PrepareOptions).messages).toHaveLength(4);
    for (const options of [undefined, null, {}, { newMessage: 0 }] as unknown[])
      expect(prepareHistory(messages, options as PrepareOptions).messages).toBe(messages);
  });
});

describe("sanitize", () => {
  test("system parts are stripped", () =>
    check("system user system text system", "user text", "system-part"));
  test("a message with only system parts is removed", () =>
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
