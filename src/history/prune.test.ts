// When old tool returns are cleared, and which.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { conversation, notation } from "../../test/support/conversation.ts";
import type { Message } from "../domain/message.ts";
import { checkHistory } from "./grammar.ts";
import { prepareHistory } from "./prepare.ts";
import { CLEARED_RETURN, type PruneLimits, prune, pruneReturns } from "./prune.ts";

/**
 * Takes a history in the usual notation, in which `return:ID=NUMBER` has that many tokens, and returns the ids of the
 * cleared returns.
 */
function clearedIn(line: string, limits?: PruneLimits): string {
  const { messages } = limits === undefined ? prune(sized(line)) : pruneReturns(sized(line), limits);
  const returns = messages.flatMap(({ parts }) => parts.filter((part) => part.kind === "tool-return"));
  return returns
    .filter(({ content }) => content === CLEARED_RETURN)
    .map((part) => part.toolCallId)
    .join(" ");
}

function sized(line: string): Message[] {
  return conversation(line).map((message) =>
    message.kind === "response"
      ? message
      : {
          ...message,
          parts: message.parts.map((part) =>
            part.kind === "tool-return" && part.content !== CLEARED_RETURN
              ? { ...part, content: "x".repeat(Number(part.content) * 4) }
              : part,
          ),
        },
  );
}

const RETURN = { kind: "tool-return", toolCallId: "p", toolName: "tool" } as const;
const TWO_TURNS = "user text user";

describe("before a request", () => {
  test("returns older than the newest 40,000 tokens are cleared", () =>
    expect(clearedIn(`${TWO_TURNS} call:a return:a=25000 call:b return:b=20000 call:c return:c=20000`)).toBe(
      "a",
    ));
  test("the return that crosses the limit is cleared", () => {
    const line = `${TWO_TURNS} call:a return:a=20000 call:b return:b=20 call:c return:c=`;
    expect(clearedIn(`${line}39980`)).toBe("a");
    expect(clearedIn(`${line}39981`)).toBe("a b");
  });
  test("nothing is cleared for less than 20,000 tokens", () => {
    expect(clearedIn(`${TWO_TURNS} call:a return:a=19999 call:b return:b=40000`)).toBe("");
    expect(clearedIn(`${TWO_TURNS} call:a return:a=20000 call:b return:b=40000`)).toBe("a");
  });
  test("nothing is cleared in the first turn", () =>
    expect(clearedIn("user call:a return:a=90000 call:b return:b=40000")).toBe(""));
  test("the newest return stays, regardless of its size", () =>
    expect(clearedIn(`${TWO_TURNS} call:a call:b return:a=30000 return:b=90000`)).toBe("a"));
  test("cleared returns no longer count", () => {
    expect(clearedIn(`${TWO_TURNS} call:z cleared:z call:a return:a=19999 call:b return:b=40000`)).toBe("z");
    expect(clearedIn(`${TWO_TURNS} call:a return:a=30000 call:b return:b=40000 call:c cleared:c`)).toBe(
      "a c",
    );
  });
  test("a return shorter than the note that would replace it stays", () =>
    expect(clearedIn(`${TWO_TURNS} call:a return:a=2 call:b return:b=30000 call:c return:c=40000`)).toBe(
      "b",
    ));
  test("with nothing to do, the same array is returned", () => {
    const messages = sized(`${TWO_TURNS} call:a return:a=40000`);
    expect(prune(messages).messages).toBe(messages);
  });
  test("only the cleared messages are new objects, and one repair reports them all", () => {
    const messages = sized(`${TWO_TURNS} call:a return:a=20000 call:b return:b=20000 call:c return:c=40000`);
    const pruned = prune(messages);
    expect(pruned.messages.flatMap((message, at) => (message === messages[at] ? [] : [at]))).toEqual([4, 6]);
    expect(pruned.repairs).toHaveLength(1);
    expect(pruned.repairs[0]).toMatchObject({ kind: "pruned-return", at: 4 });
  });
  test("pictures are cleared too", () => {
    const image = { type: "image", mediaType: "image/png", data: "" } as const;
    const messages = sized(`${TWO_TURNS} call:p return:p=9 call:b return:b=40000`).map(
      (message, at): Message =>
        at === 4
          ? { kind: "request", parts: [{ ...RETURN, content: Array.from({ length: 15 }, () => image) }] }
          : message,
    );
    expect(notation(prune(messages).messages)).toContain("cleared:p");
  });
});

test("a caller can set limits that ignore turns and gain", () => {
  const limits = { protectTokens: 100, minimumGain: 0, minimumTurns: 0 };
  expect(clearedIn("user call:a return:a=50 call:b return:b=60 call:c return:c=50", limits)).toBe("a b");
  expect(clearedIn("user call:a return:a=40 call:b return:b=60", limits)).toBe("");
});

test("preparing prunes and is idempotent, even if a repair makes a return old", () => {
  const late = `user call:a text user call:b return:b=19000 text return:a=25000 text user call:c return:c=15000 text`;
  expect(prune(sized(late)).repairs).toEqual([]);
  const first = prepareHistory(sized(late));
  expect(first.repairs.map(({ kind }) => kind)).toContain("pruned-return");
  expect(checkHistory(first.messages)).toEqual([]);
  expect(prepareHistory(first.messages).messages).toBe(first.messages);
});

test("counting forwards as the history grows clears the same returns as looking back", () => {
  const size = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 120 }));
  const request = fc.array(size, { minLength: 1, maxLength: 3 });
  const limits = fc.record({
    protectTokens: fc.integer({ min: 0, max: 200 }),
    minimumGain: fc.integer({ min: 0, max: 100 }),
    minimumTurns: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 8 }), fc.nat(2), limits, (requests, prompts, given) => {
      const line = [
        ...Array.from({ length: prompts }, () => "user text"),
        ...requests.flatMap((sizes, at) => [
          ...sizes.map((_, index) => `call:${at}.${index}`),
          ...sizes.map((tokens, index) => `return:${at}.${index}=${tokens}`),
        ]),
      ].join(" ");
      expect(clearedIn(line, given)).toBe(foundLookingBack(requests, prompts, given));
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

/** The comments on PruneLimits, taken literally. */
function foundLookingBack(
  requests: readonly (readonly number[])[],
  prompts: number,
  { protectTokens, minimumGain, minimumTurns }: PruneLimits,
): string {
  const returns = requests.flatMap((sizes, at) =>
    sizes.map((tokens, index) => ({ id: `${at}.${index}`, tokens })),
  );
  let seen = 0;
  const beyond = returns
    .toReversed()
    .filter(({ tokens }, index) => {
      if (tokens * 4 <= CLEARED_RETURN.length) return false;
      seen += tokens;
      return index > 0 && seen > protectTokens;
    })
    .toReversed();
  const gain = beyond.reduce((sum, { tokens }) => sum + tokens, 0);
  const isCleared = prompts >= minimumTurns && gain >= minimumGain;
  return isCleared ? beyond.map(({ id }) => id).join(" ") : "";
}
