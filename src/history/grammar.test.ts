// Every kind of violation is found at its position, and a valid history has none.
import { expect, test } from "bun:test";
import { conversation } from "../../test/support/conversation.ts";
import { checkHistory } from "./grammar.ts";

const CASES: Readonly<Record<string, string>> = {
  "": "",
  user: "",
  "user call:a call:b return:b return:a user:2 text remark text": "",
  "user unknown text unknown": "",
  "image signed text": "",
  "user call:a return:a= text": "",
  "text user text": "no-beginning@0",
  "remark text": "no-beginning@0",
  "user: text": "no-beginning@0 empty-request@0 blank-part@0",
  "user | user text": "alternation@1",
  "user text | text": "alternation@2",
  "user call:a": "unanswered-call@1",
  "user call:a user:2 text": "unanswered-call@1",
  "user call:a user:2 text return:a text": "unanswered-call@1 answer-without-call@4",
  "user call:a return:a return:a text": "duplicate-answer@1",
  "user text return:a text": "answer-without-call@2",
  "user text retry:a text": "answer-without-call@2",
  "user call:a user:2 return:a text": "answer-after-prompt@2",
  "user call:a remark return:a text": "answer-after-prompt@2",
  "user call: return: text": "empty-id@1 empty-id@2",
  "user call:a return:a call:a return:a text": "duplicate-id@3",
  "user call:a call:a return:a text": "duplicate-id@1",
  "user think": "empty-response@1",
  "user response unknown": "empty-response@1",
  "user text request text": "empty-request@2",
  "user text request unknown": "empty-request@2",
  "user text text:_": "blank-part@1",
  "user text think:": "blank-part@1",
  "user remark: text": "blank-part@0",
  "user system text": "system-part@0",
};

for (const [line, expected] of Object.entries(CASES))
  test(`${line || "the empty history"}: ${expected || "valid"}`, () => {
    const violations = checkHistory(conversation(line));
    expect(violations.map(({ kind, at }) => `${kind}@${at}`).join(" ")).toBe(expected);
    for (const { problem } of violations) expect(problem).toEndWith(".");
  });
