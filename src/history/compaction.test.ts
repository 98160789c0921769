// Where a long history is cut. Both the cut and the summary leave it valid.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { conversation, notation } from "../../test/support/conversation.ts";
import { validHistory } from "../../test/support/generated-history.ts";
import type { Message } from "../domain/message.ts";
import { applySummary, compactionCut, olderPrompts, planCompaction } from "./compaction.ts";
import { checkHistory } from "./grammar.ts";
import { keepNewest } from "./kept-prompts.ts";
import { prepareHistory } from "./prepare.ts";

const SUMMED_UP = /^\[Summary of the earlier conversation\].*so far$/s;

/** Every prompt, text and return of the history has 10 tokens. `^` marks the expected cut. */
function checkCut(line: string, keepTokens: number) {
  const messages = conversation(line.replace("^", "").replaceAll("#", "x".repeat(40)));
  const expected = conversation(line.split("^")[0] ?? "").length;
  expect(compactionCut(messages, keepTokens)).toBe(line.includes("^") ? expected : 0);
}

test("nothing is cut if everything fits", () => checkCut("user:# text:# user:# text:#", 40));
test("as many whole turns as fit are kept", () => {
  checkCut("user:# text:# ^ user:# text:# user:# text:#", 49);
  checkCut("user:# text:# user:# text:# ^ user:# text:#", 39);
  checkCut("user:# text:# user:# text:# ^ user:#", 19);
});
test("a turn that fits is kept whole", () => checkCut("user:# text:# ^ user:# call:a return:a=# text:#", 35));
test("a turn that is too big is cut before a response", () => {
  checkCut("user:# call:a return:a=# ^ call:b return:b=# call:c return:c=#", 25);
  checkCut("user:# text:# user:# call:a return:a=# call:b return:b=# ^ call:c return:c=#", 15);
});
test("if not even the last step fits, only that step is kept", () =>
  checkCut("user:# call:a return:a=# ^ call:b return:b=#", 1));
test("the cut is never at a prompt beside returns", () =>
  checkCut("user:# call:a return:a=# user:# ^ call:b return:b=# text:#", 25));
test("a turn of one step is kept, and everything before it is cut off", () => {
  checkCut("user:# text:# ^ user:# call:a return:a=#", 15);
  checkCut("user:# call:a return:a=#", 15);
});

/** Summed up at the cut, with every prompt kept. */
function summed(messages: readonly Message[], cut: number, summary = "so far"): readonly Message[] {
  return applySummary({ messages, cut, kept: keepNewest(olderPrompts(messages, cut), 1_000) }, summary);
}

test("between turns the summary stands before the prompt, and the person's older prompts before the summary", () => {
  const summarised = summed(conversation("user:1 text user:2 text"), 2);
  expect(promptsOf(summarised[0])).toEqual(["1", expect.stringMatching(SUMMED_UP), "2"]);
  expect(notation(summarised.slice(1))).toBe("text");
});

test("inside a turn its prompts are kept in full, but not an earlier summary", () => {
  const messages = conversation("user:0 text user:1 call:a return:a user:2 call:b return:b text");
  const twice = summed(summed(messages, 2, "first"), 3, "second");
  expect(promptsOf(twice[0])).toEqual(["0", expect.stringMatching(/second$/), "1", "2"]);
  expect(notation(twice.slice(1))).toBe("call:b return:b text");
});

test("a summary and the prompts beside it outlive an unanswered prompt that is replaced", () => {
  const summarised = summed(conversation("user:1 text user:2"), 2);
  const { messages } = prepareHistory(summarised, { newMessage: true, replacesUnanswered: true });
  expect(promptsOf(messages[0])).toEqual(["1", expect.stringMatching(SUMMED_UP)]);
  expect(notation(messages.slice(1))).toBe("interrupted");
  expect(prepareHistory(messages, { newMessage: true }).messages).toBe(messages);
});

test("with nothing to cut, the same array is returned", () => {
  const messages = conversation("user text");
  expect(summed(messages, 0)).toBe(messages);
});

test("a valid history stays valid at every cut, and the kept end loses no call or return", () => {
  fc.assert(
    fc.property(validHistory, fc.nat({ max: 200 }), (messages, keepTokens) => {
      const cut = compactionCut(messages, keepTokens);
      const summarised = summed(messages, cut);
      expect(checkHistory(summarised)).toEqual([]);
      if (cut === 0) return;
      const isTurn = messages[cut]?.kind === "request";
      expect(summarised.slice(1)).toEqual(messages.slice(isTurn ? cut + 1 : cut));
    }),
    { numRuns: 1_000, seed: 1 },
  );
});

test("where even an empty summary would not be shorter, there is nothing to do", () => {
  expect(planCompaction(conversation("user:hi text:hello user:you text:me"), 2, 1_000)).toBeNull();
  const long = `text:${"word_".repeat(50)}`;
  expect(planCompaction(conversation(`user:hi ${long} user:you text:me`), 2, 1_000)).not.toBeNull();
});

function promptsOf(message: Message | undefined) {
  return message?.parts.map((part) => (part.kind === "user-prompt" ? part.content : part.kind));
}
