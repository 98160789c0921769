import { expect, test } from "bun:test";
import type { Message } from "./message.ts";
import { formsAfterRewrite } from "./simpler-form.ts";

/** "abc" are three messages; a message with the same letter is the same object. */
const objects = new Map<string, Message>();
function messages(letters: string): Message[] {
  return [...letters].map((letter) => {
    const message = objects.get(letter) ?? { kind: "request", parts: [], runId: letter };
    objects.set(letter, message);
    return message;
  });
}

/** Where the border of "abc|de" is afterwards. */
function moved(before: string, after: string): string {
  const count = before.indexOf("|");
  const form = { provider: "p", leftOut: ["image"], count };
  const [found] = formsAfterRewrite([form], messages(before.replace("|", "")), messages(after));
  const border = found?.count ?? -1;
  return `${after.slice(0, border)}|${after.slice(border)}`;
}

test.each([
  ["unchanged", "abcd|ef", "abcd|ef"],
  ["one changed before it", "abcd|ef", "aXcd|ef"],
  ["the last one before it changed", "abcd|ef", "abcX|ef"],
  ["the first one after it changed", "abcd|ef", "abcd|Xf"],
  ["both neighbours changed", "abcd|ef", "abcX|Yf"],
  ["older ones summed up", "abcd|ef", "Sd|ef"],
  ["all that it covers summed up with the prompt after it", "abcd|ef", "|Sf"],
  ["two merged before it", "abcd|ef", "abX|ef"],
  ["a response closes the end", "abcd|", "abcd|X"],
  ["everything new", "abcd|ef", "XYZ|"],
  ["the end taken back", "abcd|ef", "abcd|"],
  ["the end taken back, and more", "abcd|ef", "abc|"],
])("%s: %s -> %s", (_, before, after) => {
  expect(moved(before, after.replace("|", ""))).toBe(after);
});
