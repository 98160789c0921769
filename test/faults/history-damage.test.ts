// Damages histories in every way, and in several ways at once. prepareHistory always returns a valid one and loses no
// finished work and no prompt.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { contentText, isBlankContent } from "../../src/domain/content.ts";
import type { Message } from "../../src/domain/message.ts";
import type { ToolCallPart, ToolReturnPart } from "../../src/domain/part.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { prepareHistory } from "../../src/history/prepare.ts";
import { validHistory } from "../support/generated-history.ts";
import { type DamagedHistory, damagedHistory } from "../support/history-damage.ts";

const isLong = process.env["TUNACODE_LONG"] === "1";
const DAMAGED = isLong ? 100_000 : 5_000;
// Some damage leaves a history valid, for example when a whole turn is lost.
const DAMAGED_RUNS = DAMAGED * 1.2;
const VALID_RUNS = isLong ? 20_000 : 1_000;
// The long mode uses random seeds to find new cases. A failure prints its seed, which can be set here.
const settings = (numRuns: number) => ({ numRuns, seed: isLong ? Date.now() : 1 });
const LONG_MS = 1_200_000;

test(
  "a valid history comes back as the same object",
  () => {
    fc.assert(
      fc.property(validHistory, (messages) => {
        expect(checkHistory(messages)).toEqual([]);
        const prepared = prepareHistory(messages);
        expect(prepared.messages).toBe(messages);
        expect(prepared.repairs).toEqual([]);
        if (messages.at(-1)?.kind === "request") return;
        expect(prepareHistory(messages, { newMessage: true }).messages).toBe(messages);
      }),
      settings(VALID_RUNS),
    );
  },
  LONG_MS,
);

test(
  "a damaged history is made valid without losing finished work or a person's words",
  () => {
    let damaged = 0;
    fc.assert(
      fc.property(damagedHistory, fc.boolean(), (history, newMessage) => {
        if (checkHistory(history.messages).length > 0) damaged++;
        checkPrepared(history, newMessage);
      }),
      settings(DAMAGED_RUNS),
    );
    console.log(`${DAMAGED_RUNS} damaged histories prepared, ${damaged} of them invalid before`);
    expect(damaged).toBeGreaterThanOrEqual(DAMAGED);
  },
  LONG_MS,
);

function checkPrepared({ messages }: DamagedHistory, newMessage: boolean): void {
  const before = JSON.stringify(messages);
  const prepared = prepareHistory(messages, { newMessage });
  expect(checkHistory(prepared.messages)).toEqual([]);
  expect(prepared.repairs.length > 0).toBe(prepared.messages !== messages);

  const again = prepareHistory(prepared.messages, { newMessage });
  expect(again.messages).toBe(prepared.messages);
  expect(again.repairs).toEqual([]);

  expect(JSON.stringify(messages)).toBe(before);
  const fromCopy = prepareHistory(structuredClone(messages), { newMessage });
  expect(JSON.stringify(fromCopy)).toBe(JSON.stringify(prepared));

  expect(lostReturns(messages, prepared.messages)).toEqual([]);
  expect(responseTexts(messages).difference(responseTexts(prepared.messages))).toEqual(new Set());
  expect(promptTexts(messages).difference(promptTexts(prepared.messages))).toEqual(new Set());
}

/**
 * A return has its call if both have the same id. If several calls share an id, or share a tool and have no id, as many
 * returns are kept as there are calls for them. Returns right after their calls are all kept.
 */
function lostReturns(messages: readonly Message[], prepared: readonly Message[]): string[] {
  const kept = finishedReturns(prepared).map(contentOf);
  const calls = Map.groupBy(callsIn(messages), pairingKey);
  const inGroups = [...Map.groupBy(finishedReturns(messages), pairingKey)].flatMap(([key, returns]) => {
    const contents = new Set(returns.map(contentOf));
    const expected = Math.min(calls.get(key)?.length ?? 0, returns.length);
    const found = kept.filter((content) => contents.has(content)).length;
    return found < expected ? [`${key}: ${found} of ${expected}`] : [];
  });
  return [...inGroups, ...messages.flatMap((_, at) => returnsInPlace(messages, at).filter(isNotIn(kept)))];
}

/** The returns that a response's calls got in the next request, where the pairing is unambiguous. */
function returnsInPlace(messages: readonly Message[], at: number): string[] {
  const called = Map.groupBy(callsIn(messages.slice(at, at + 1)), idAndTool);
  const returned = Map.groupBy(finishedReturns(messages.slice(at + 1, at + 2)), idAndTool);
  return [...returned].flatMap(([key, returns]) => {
    const contents = [...new Set(returns.map(contentOf))];
    return (called.get(key)?.length ?? 0) >= contents.length ? contents : [];
  });
}

function isNotIn(kept: readonly string[]): (content: string) => boolean {
  return (content) => !kept.includes(content);
}

function idAndTool({ toolCallId, toolName }: ToolCallPart | ToolReturnPart): string {
  return `${toolCallId.trim()} ${toolName}`;
}

function pairingKey({ toolCallId, toolName }: ToolCallPart | ToolReturnPart): string {
  return toolCallId.trim() === "" ? `a ${toolName} without id` : toolCallId;
}

function callsIn(messages: readonly Message[]): ToolCallPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.kind === "tool-call"));
}

function finishedReturns(messages: readonly Message[]): ToolReturnPart[] {
  const returns = messages.flatMap(({ parts }) => parts.filter((part) => part.kind === "tool-return"));
  return returns.filter(({ status }) => status !== "cancelled");
}

function contentOf({ content }: ToolReturnPart): string {
  return contentText(content);
}

function responseTexts(messages: readonly Message[]): Set<string> {
  const texts = messages.flatMap(({ parts }) => parts.filter((part) => part.kind === "text"));
  return new Set(texts.map(({ content }) => content).filter((content) => content.trim() !== ""));
}

function promptTexts(messages: readonly Message[]): Set<string> {
  const prompts = messages.flatMap(({ parts }) => parts.filter((part) => part.kind === "user-prompt"));
  const said = prompts.filter(({ content }) => !isBlankContent(content));
  return new Set(said.map(({ content }) => JSON.stringify(content)));
}
