import { expect, test } from "bun:test";
import { reachableHosts } from "./sandbox-hosts.ts";

test.each<[string, string, string]>([
  ["a.com b.com", "", "a.com b.com"],
  ["a.com b.com", "a.com", "b.com"],
  ["a.com", "A.COM", ""],
  ["x.a.com a.com", "*.a.com", "a.com"],
  ["*.a.com b.com", "evil.a.com", "b.com"],
  ["*.a.com", "*.evil.a.com", ""],
  ["*.x.a.com", "*.a.com", ""],
  ["*.a.com", "a.com", "*.a.com"],
  ["*.a.com a.com", "evila.com", "*.a.com a.com"],
  ["a.com", "*", ""],
])("of %s without %s remains %s", (allowed, denied, left) => {
  const words = (text: string) => text.split(" ").filter(Boolean);
  expect(reachableHosts(words(allowed), words(denied))).toEqual(words(left));
});
