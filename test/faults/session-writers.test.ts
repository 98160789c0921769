// Several processes open one session. One writes and the others are told. A dead holder is replaced at once, and a
// stopped one is fenced off when it resumes.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readRecordLines } from "../../src/session/line.ts";
import { readSession } from "../../src/session/open.ts";
import { findSession, listSessions } from "../../src/session/store.ts";
import { drive, waitFor, withFolder, wordsSeen } from "../support/driven-session.ts";
import { wordsOfSession } from "../support/scripted-session.ts";
import { HELD_EXIT } from "../support/session-driver.ts";

const WINDOWS = 8;

test("one of 8 processes writes the session, the others are told, and no writes interleave", async () => {
  await withFolder(async (folder) => {
    await drive(folder, 1).done;
    const windows = Array.from({ length: WINDOWS }, () => drive(folder, 15, "--pause", "5"));
    const codes = await Promise.all(windows.map(async (window) => (await window.done).code));
    const writers = windows.filter((_, at) => codes[at] === 0);
    expect(codes.every((code) => code === 0 || code === HELD_EXIT)).toBe(true);
    // On a busy machine a late process may start after the first has finished, but never two write at a time.
    expect(writers.length).toBeGreaterThanOrEqual(1);
    const [session] = await listSessions(folder);
    if (session === undefined) throw new Error("There is no session.");
    expect(await listSessions(folder)).toHaveLength(1);
    const { records, damaged } = readRecordLines(readFileSync(session.paths.journal));
    expect(damaged).toEqual([]);
    // Numbers without gaps and rising epochs prove that no two wrote at the same time.
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, at) => at + 1));
    const epochs = records.map(({ epoch }) => epoch);
    expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
    expect(new Set(epochs).size).toBe(1 + writers.length);
    const loaded = await readSession(session.paths);
    if (loaded === undefined) throw new Error("The session did not load.");
    const found = wordsOfSession(loaded);
    const shown = writers.flatMap((writer) => wordsSeen(writer.lines));
    expect(shown.filter((word) => !found.has(word))).toEqual([]);
    console.log(`writers: ${WINDOWS} processes, ${writers.length} wrote in turn, ${records.length} records`);
  });
}, 60_000);

test("when the holder is killed, another takes over within 2 s", async () => {
  await withFolder(async (folder) => {
    const holder = drive(folder, 10_000, "--pause", "2");
    await waitFor("the first turn", () => holder.lines.includes("turn 1"));
    expect((await drive(folder, 1).done).code).toBe(HELD_EXIT);
    holder.child.kill("SIGKILL");
    await holder.done;
    const killed = performance.now();
    const next = drive(folder, 1);
    await waitFor("the next holder", () => next.lines.some((line) => line.startsWith("open")));
    expect(performance.now() - killed).toBeLessThan(2_000);
    expect(await next.done).toEqual({ code: 0, errors: "" });
  });
}, 60_000);

test.each([
  ["has finished", 3, "0"],
  ["is still at it", 100, "5"],
])(
  "a stopped holder wakes up when the next one %s: it goes on in a fork, and both are whole",
  async (_, turns, pause) => {
    await withFolder(async (folder) => {
      const stopped = drive(folder, 20, "--pause", "5");
      await waitFor("the first turn", () => stopped.lines.includes("turn 1"));
      stopped.child.kill("SIGSTOP");
      const next = drive(folder, turns, "--pause", pause);
      await waitFor(
        "the next holder's turns",
        () => next.lines.filter((line) => line.startsWith("turn")).length >= 3,
      );
      if (turns === 3) expect(await next.done).toEqual({ code: 0, errors: "" });
      const afterNext = sessionId(next.lines);
      stopped.child.kill("SIGCONT");
      expect(await stopped.done).toEqual({ code: 0, errors: "" });
      next.child.kill("SIGKILL");
      await next.done;
      const fork = stopped.lines.find((line) => line.startsWith("fork"))?.split(" ")[1];
      if (fork === undefined) throw new Error("It was not told.");
      const original = await load(folder, afterNext);
      const forked = await load(folder, fork);
      expect(wordsSeen(next.lines).filter((word) => !original.has(word))).toEqual([]);
      expect(wordsSeen(stopped.lines).filter((word) => !forked.has(word))).toEqual([]);
    });
  },
  60_000,
);

function sessionId(lines: readonly string[]): string {
  return lines.find((line) => line.startsWith("open"))?.split(" ")[1] ?? "";
}

async function load(folder: string, id: string): Promise<Set<string>> {
  const found = await findSession(folder, id);
  if (found.type !== "found") throw new Error(`${id} is ${found.type}.`);
  const session = await readSession(found.paths);
  if (session === undefined) throw new Error(`${id} did not load.`);
  return wordsOfSession(session);
}
