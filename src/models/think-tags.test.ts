import { expect, test } from "bun:test";
import { splitThinkTags } from "./think-tags.ts";

/** "a|b" arrives in two pieces; thoughts come out in brackets. */
function split(text: string): string {
  const tags = splitThinkTags();
  const pieces = [...text.split("|").flatMap((delta) => tags.push(delta)), ...tags.end()];
  let out = "";
  for (const { kind, text: piece } of pieces) out += kind === "thinking" ? `[${piece}]` : piece;
  return out.replaceAll("][", "");
}

test.each([
  ["Hello|, you", "Hello, you"],
  ["<think>so</think>Hello", "[so]Hello"],
  ["<th|ink>s|o</th|ink>\n\nHel|lo", "[so]Hello"],
  ["\n<think>\nso\n</think>\nHello", "[\nso\n]Hello"],
  ["<|t|h|i|n|k|>|a|<|/|t|h|i|n|k|>|b", "[a]b"],
  ["<think>a < b </ c</think>d", "[a < b </ c]d"],
  ["<think>never closed", "[never closed]"],
  ["<think>cut in the tag</thi", "[cut in the tag</thi]"],
  ["<thing>is text", "<thing>is text"],
  ["<thi", "<thi"],
  ["Later <think>is text</think>", "Later <think>is text</think>"],
  ["<think></think>Hello", "Hello"],
  ["<think>a</think>b<think>c</think>", "[a]b<think>c</think>"],
  ["", ""],
])("%j becomes %j", (text, expected) => {
  expect(split(text)).toBe(expected);
});
