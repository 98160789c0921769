import { expect, test } from "bun:test";
import fc from "fast-check";
import { validHistory } from "../../test/support/generated-history.ts";
import { PNG } from "../../test/support/small-images.ts";
import { sha256 } from "../base/digest.ts";
import type { Message } from "../domain/message.ts";
import type { SimplerForm } from "../domain/simpler-form.ts";
import { checkHistory } from "./grammar.ts";
import { countLeftOut, inSimplerForm } from "./simplify.ts";

const data = PNG.toString("base64");
const image = { type: "image", mediaType: "image/png", data } as const;
const HISTORY: readonly Message[] = [
  { kind: "request", parts: [{ kind: "user-prompt", content: [{ type: "text", text: "Look." }, image] }] },
  {
    kind: "response",
    parts: [
      { kind: "thinking", content: "Hm.", providerDetails: { a: { signature: "s" } } },
      { kind: "tool-call", toolCallId: "1", toolName: "bash", args: { command: "ls" } },
      { kind: "tool-call", toolCallId: "2", toolName: "read_file", args: {} },
    ],
  },
  {
    kind: "request",
    parts: [
      { kind: "tool-return", toolCallId: "1", toolName: "bash", content: "a.txt" },
      { kind: "tool-return", toolCallId: "2", toolName: "read_file", content: [image] },
    ],
  },
];

function form(
  leftOut: readonly string[],
  count = HISTORY.length,
  more: Partial<SimplerForm> = {},
): SimplerForm {
  return { provider: "a", leftOut, count, ...more };
}

const sent = (given: SimplerForm) => JSON.stringify(inSimplerForm(HISTORY, given));

test("images become words: all, those of a type, or one", () => {
  for (const name of ["image", "image/png", sha256(data)]) expect(sent(form([name]))).not.toContain(data);
  for (const name of ["image/gif", sha256("other"), "tool-of-tomorrow"])
    expect(sent(form([name]))).toContain(data);
  expect(sent(form(["image"]))).toContain("[An image (image/png) is not shown: the vendor refused it.]");
});

test("calls become text with their returns: all, or one", () => {
  const one = inSimplerForm(HISTORY, form(["1"]));
  expect(checkHistory(one)).toEqual([]);
  expect(JSON.stringify(one)).toContain(
    '<tool_call>\\n{\\"name\\":\\"bash\\",\\"arguments\\":{\\"command\\":\\"ls\\"}}',
  );
  expect(countLeftOut(HISTORY, form(["1"]))).toEqual({ images: 0, thoughts: 0, calls: 1 });
  expect(countLeftOut(HISTORY, form(["image", "thinking", "tool"]))).toEqual({
    images: 2,
    thoughts: 1,
    calls: 2,
  });
});

test("later messages go whole, but the answer to the form belongs to it, and its returns follow their calls", () => {
  const messages = inSimplerForm(HISTORY, form(["image", "tool", "thinking"], 1));
  expect(checkHistory(messages)).toEqual([]);
  expect(JSON.stringify(messages.slice(0, 2))).not.toContain("signature");
  // A new image is shown.
  expect(JSON.stringify(messages[2])).toContain(data);
  expect(inSimplerForm(HISTORY, form(["tool"], 0)).at(0)).toBe(HISTORY[0] as Message);
});

test("what was refused again is left out of everything", () => {
  const messages = inSimplerForm([...HISTORY, ...HISTORY.slice(1)], form([], 0, { always: ["thinking"] }));
  expect(JSON.stringify(messages)).not.toContain("signature");
});

test("a message is simplified once", () => {
  const given = form(["image"]);
  const [first, again] = [inSimplerForm(HISTORY, given), inSimplerForm(HISTORY, { ...given })];
  expect(first.every((message, at) => message === again[at])).toBe(true);
});

test("the newest messages go behind a summary, with the prompts of their turn", () => {
  const messages = inSimplerForm(HISTORY, form(["tool"], 3, { summary: { text: "It began.", from: 1 } }));
  expect(messages.map(({ kind }) => kind)).toEqual(["request", "response", "request"]);
  expect(JSON.stringify(messages[0])).toMatch(/It began\..*Look\./);
});

test("any valid history is valid in any form", () => {
  const names = fc.subarray(["image", "thinking", "tool", "image/png"]);
  fc.assert(
    fc.property(validHistory, names, fc.nat(12), fc.option(fc.nat(12)), (history, leftOut, count, from) => {
      const summary = from === null ? {} : { summary: { text: "Before.", from } };
      const messages = inSimplerForm(history, form(leftOut, count, summary));
      expect(checkHistory(messages)).toEqual([]);
    }),
    { numRuns: process.env["TUNACODE_LONG"] === "1" ? 20_000 : 300, seed: 15 },
  );
}, 600_000);
