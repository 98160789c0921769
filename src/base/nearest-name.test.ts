// The name that was probably meant, and none where nothing is near.
import { expect, test } from "bun:test";
import { editDistance, nearestName } from "./nearest-name.ts";

const NAMES = ["model", "models", "sessions", "config", "run"];

test.each([
  ["modle", "model"],
  ["MODEL", "model"],
  ["sesions", "sessions"],
  ["confg", "config"],
  ["rnu", undefined],
  ["ru", "run"],
  ["frobnicate", undefined],
])("%s: %s", (wanted, expected) => expect(nearestName(wanted, NAMES)).toBe(expected));

test("distance counts letters that were put in, left out or changed", () => {
  expect(["", "abc", "abd", "bc", "xabc"].map((other) => editDistance("abc", other))).toEqual([
    3, 0, 1, 1, 1,
  ]);
});

test("a name too long to be a typo has no match", () => {
  expect(nearestName("x".repeat(10_000), NAMES)).toBeUndefined();
});
