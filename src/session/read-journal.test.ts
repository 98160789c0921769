import { expect, test } from "bun:test";
import { formatLine } from "./line.ts";
import { readJournal } from "./read-journal.ts";

/** "epoch.seq" words as lines: `1.1 1.2 2.3`; "!" before one flips a bit of it. */
function journal(words: string): Buffer {
  const lines = words.split(" ").map((word) => {
    const [epoch = 0, seq = 0] = word.replace("!", "").split(".").map(Number);
    const line = formatLine(epoch, seq, JSON.stringify({ kind: seq === 1 ? "header" : "opened" }));
    return word.startsWith("!") ? line.replace("kind", "kinD") : line;
  });
  return Buffer.from(lines.join(""));
}

function read(words: string): string {
  return readJournal(journal(words))
    .records.map(({ epoch, seq }) => `${epoch}.${seq}`)
    .join(" ");
}

test("records come in the order of their numbers, each once", () => {
  expect(read("1.1 1.2 1.3")).toBe("1.1 1.2 1.3");
  expect(read("1.1 1.3 1.2")).toBe("1.1 1.2 1.3");
  expect(read("1.1 1.2 1.2 1.3")).toBe("1.1 1.2 1.3");
});

test("what a window wrote after it had lost the session is ignored", () => {
  expect(read("1.1 1.2 2.3 1.3 2.4")).toBe("1.1 1.2 2.3 2.4");
  expect(read("1.1 1.2 1.3 2.3 2.4")).toBe("1.1 1.2 2.3 2.4");
  expect(read("1.1 2.2 1.2 1.3 3.3 2.3 1.4")).toBe("1.1 2.2 3.3");
});

test("a record that was moved behind the next holder's first one is still valid", () => {
  expect(read("1.1 2.3 1.2 2.4")).toBe("1.1 1.2 2.3 2.4");
});

test("stale, missing, doubled and moved records are reported", () => {
  const kinds = (words: string) => readJournal(journal(words)).notes.map(({ kind }) => kind);
  expect(kinds("1.1 1.2 2.3 1.3")).toEqual(["stale-record"]);
  expect(kinds("1.1 1.2 1.2")).toEqual(["doubled-record"]);
  expect(kinds("1.1 1.3 1.2")).toEqual(["moved-record"]);
  expect(kinds("1.1 1.3")).toEqual(["missing-record"]);
  expect(kinds("1.1 !1.2 1.3")).toEqual(["damaged-line", "missing-record"]);
  expect(kinds("1.1 1.2 !1.3")).toEqual(["damaged-line"]);
});

test("the next number and epoch follow the valid records, not the stale ones", () => {
  const { nextSeq, highestEpoch } = readJournal(journal("1.1 1.2 2.3 1.3 1.4 1.5"));
  expect({ nextSeq, highestEpoch }).toEqual({ nextSeq: 4, highestEpoch: 2 });
});
