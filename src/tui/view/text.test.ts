// Text in columns.
import { expect, test } from "bun:test";
import { wrapColumns } from "./text.ts";

test("the last column is wrapped under itself", () => {
  expect(wrapColumns("/export  write the conversation to a file", 30)).toEqual([
    "/export  write the",
    "         conversation to a",
    "         file",
  ]);
});

test("a line without columns is wrapped from its start, and so is one whose last column is narrow", () => {
  expect(wrapColumns("just a few words of text", 12)).toEqual(["just a few", "words of", "text"]);
  expect(wrapColumns("a very long first column  and more", 20)[1]).not.toStartWith(" ");
});
