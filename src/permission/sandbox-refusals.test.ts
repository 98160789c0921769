import { expect, test } from "bun:test";
import { readRefusal } from "./sandbox-refusals.ts";
import type { Refusal } from "./sandboxed-command.ts";

test.each<[string, Refusal | null]>([
  ["deny network-outbound a.com:443 (why: x)", { type: "host", host: "a.com", port: 443 }],
  ["deny network-outbound [::1]:80 (why)", { type: "host", host: "[::1]", port: 80 }],
  ["deny openat /home/me/a b", { type: "write", path: "/home/me/a b" }],
  ["node(12) deny(1) file-write-create /private/x", { type: "write", path: "/private/x" }],
  ["node(12) deny(1) file-read-data /private/x", null],
  ["deny http GET http://a/", null],
  ["nothing", null],
])("%s", (line, refusal) => {
  expect(readRefusal(line)).toEqual(refusal);
});
