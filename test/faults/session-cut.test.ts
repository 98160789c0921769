// A journal cut at any byte loads, loses nothing that was complete, and says what it dropped.
import { expect, test } from "bun:test";
import { checkHistory } from "../../src/history/grammar.ts";
import { wordsOfSession } from "../support/scripted-session.ts";
import { linesOf, loadFiles, writeSession } from "../support/session-files.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";
const TURNS = 55;
const MARK = /\b(?:prompt|plan|call|result|answer)-[\d-]+\./g;

test("a journal cut at any byte keeps every complete record and reports the torn one", async () => {
  const { journal, lines, words } = await writeSession(TURNS);
  expect(words.length).toBeGreaterThan(200);
  const cuts = LONG ? everyByte(journal.length) : sample(journal.length, lines);
  let torn = 0;
  for (const cut of cuts) {
    const left = journal.subarray(0, cut);
    const session = await loadFiles({ journal: left });
    const found = wordsOfSession(session);
    for (const word of completeWords(left)) {
      if (!found.has(word)) throw new Error(`Cut at ${cut}: ${word} is lost.`);
    }
    const violations = checkHistory(session.state.conversation.messages);
    if (violations.length > 0) throw new Error(`Cut at ${cut}: ${JSON.stringify(violations)}`);
    const isTorn = cut > 0 && left.at(-1) !== 10 && !isWholeLine(left);
    const said = session.report.notes.some(({ kind }) => kind === "torn-end" || kind === "unreadable-file");
    if (isTorn && !said) throw new Error(`Cut at ${cut}: nothing was said.`);
    if (isTorn) torn++;
  }
  console.log(`cut: ${cuts.length} cuts of ${journal.length} bytes, ${torn} in the middle of a record`);
}, 600_000);

/** The records that were complete before the cut. The last line needs no newline. */
function completeWords(journal: Buffer): string[] {
  const lines = linesOf(journal);
  const last = lines.at(-1);
  if (last !== undefined && last.at(-1) !== 10 && !isJson(last)) lines.pop();
  return lines.flatMap((line) => {
    const text = line.toString("utf8");
    return /"kind":"(?:prompt|message|settled)"/.test(text) ? (text.match(MARK) ?? []) : [];
  });
}

function isWholeLine(journal: Buffer): boolean {
  return isJson(linesOf(journal).at(-1) ?? Buffer.alloc(0));
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function everyByte(length: number): number[] {
  return Array.from({ length: length + 1 }, (_, cut) => cut);
}

/** Every 7th byte of the last 20 records, and 2,000 bytes elsewhere. Trying every byte would take most of CI's time. */
function sample(length: number, lines: readonly Buffer[]): number[] {
  const tail = lines.slice(-20).reduce((sum, line) => sum + line.length, 0);
  const cuts: number[] = [];
  for (let cut = length - tail; cut <= length; cut++) cuts.push(cut);
  for (let at = 0; at < 2_000; at++) cuts.push(Math.floor((at / 2_000) * (length - tail)));
  return cuts;
}
