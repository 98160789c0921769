import { expect, test } from "bun:test";
import { createMask, NO_MASK } from "../base/secrets.ts";
import { PartialText } from "./partial-text.ts";

const WINDOW_MS = 250;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a stream is written at most once per window, and each piece says where it belongs", async () => {
  const written: [number, string][] = [];
  const partial = new PartialText(NO_MASK, (offset, text) => written.push([offset, text]));
  for (const text of ["one ", "two "]) partial.add(text);
  expect(written).toEqual([]);
  await pause(WINDOW_MS + 50);
  partial.add("three");
  await pause(WINDOW_MS + 50);
  expect(written).toEqual([
    [0, "one two "],
    [8, "three"],
  ]);
});

test("text that a message supersedes is never written", async () => {
  const written: string[] = [];
  const partial = new PartialText(NO_MASK, (_offset, text) => written.push(text));
  partial.add("half an answer");
  partial.reset();
  await pause(WINDOW_MS + 50);
  expect(written).toEqual([]);
});

test("a key is never written in halves", async () => {
  const written: string[] = [];
  const partial = new PartialText(createMask(["sk-secret-key-1"]), (_offset, text) => written.push(text));
  partial.add("the key is sk-secr");
  await pause(WINDOW_MS + 50);
  partial.add("et-key-1, and");
  await pause(WINDOW_MS + 50);
  expect(written).toEqual(["the key is ", "[key hidden], and"]);
});
