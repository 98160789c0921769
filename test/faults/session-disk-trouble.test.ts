// With a full, broken, read-only or vanished disk, the person is told at once, the conversation continues, and
// everything is written as soon as possible.
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { checkHistory } from "../../src/history/grammar.ts";
import { readRecordLines } from "../../src/session/line.ts";
import { createSession, openSession, readSession } from "../../src/session/open.ts";
import type { SaveStatus } from "../../src/session/save-queue.ts";
import { withFolder } from "../support/driven-session.ts";
import { type Fault, MemoryDisk } from "../support/memory-disk.ts";
import { playTurn, wordsOf, wordsOfSession } from "../support/scripted-session.ts";
import { FOLDER, linesOf, PATHS, PROJECT, SESSION } from "../support/session-files.ts";

const LONG = process.env["TUNACODE_LONG"] === "1";

function troubledSession(disk: MemoryDisk, told: SaveStatus[]) {
  return createSession({
    disk,
    folder: FOLDER,
    projectId: PROJECT,
    sessionId: SESSION,
    workingDirectory: "/project",
    model: "demo:scripted",
    onStatus: (status) => void told.push(status),
  });
}

/** Fails `operations` operations in a row, starting with the given one. */
const between =
  (first: number, operations: number, code: string): Fault =>
  () =>
    count++ >= first && count <= first + operations ? code : undefined;
let count = 0;

test("a failure at any operation, of any kind and length, loses nothing and is reported", async () => {
  const quiet = new MemoryDisk();
  const undisturbed = troubledSession(quiet, []);
  for (const turn of [1, 2]) await playTurn(undisturbed, turn);
  const operations = quiet.log.length;
  const words = new Set(wordsOf(undisturbed.state.conversation.messages));
  const lengths = LONG ? [1, 2, 3, 5, 8, 13] : [1, 4];
  let runs = 0;
  for (const code of ["ENOSPC", "EACCES", "EIO", "EROFS", "ENOENT"]) {
    for (const length of lengths) {
      for (let first = 0; first < operations; first++) {
        const disk = new MemoryDisk();
        const told: SaveStatus[] = [];
        const session = troubledSession(disk, told);
        count = 0;
        disk.fault = between(first, length, code);
        for (const turn of [1, 2]) await playTurn(session, turn);
        disk.fault = () => undefined;
        await session.writer.close();
        const loaded = await readSession(PATHS, withoutSnapshot(disk));
        if (loaded === undefined) throw new Error(`${code} at ${first}: nothing was saved.`);
        const found = wordsOfSession(loaded);
        const lost = [...words].filter((word) => !found.has(word));
        if (lost.length > 0) throw new Error(`${code} at ${first}, ${length} long: ${lost.join(" ")} lost.`);
        expect(checkHistory(loaded.state.conversation.messages)).toEqual([]);
        expect(session.writer.status).toEqual({ type: "saved" });
        runs++;
      }
    }
  }
  console.log(`disk trouble: ${runs} runs of ${operations} operations, nothing lost`);
}, 600_000);

test("a short write is completed on a new line", async () => {
  for (const cut of [0, 1, 17, 60]) {
    const disk = new MemoryDisk();
    const told: SaveStatus[] = [];
    const session = troubledSession(disk, told);
    await playTurn(session, 1);
    let cuts = 0;
    disk.fault = ({ type }) => {
      if (type !== "write" || cuts > 1) return undefined;
      return cuts++ === 0 ? cut : "ENOSPC";
    };
    await playTurn(session, 2);
    await session.writer.close();
    expect(told.map(({ type }) => type)).toEqual(["unsaved", "saved"]);
    const journal = disk.bytes(PATHS.journal) ?? Buffer.alloc(0);
    expect(linesOf(journal).filter(isRecord)).toHaveLength(readRecordLines(journal).records.length);
    const loaded = await readSession(PATHS, withoutSnapshot(disk));
    const words = wordsOf(session.state.conversation.messages);
    expect(words.filter((word) => !wordsOfSession(loaded ?? session).has(word))).toEqual([]);
  }
});

test("with a disk that never recovers, the conversation continues under a permanent warning", async () => {
  const disk = new MemoryDisk();
  const told: SaveStatus[] = [];
  const session = troubledSession(disk, told);
  await playTurn(session, 1);
  disk.fault = () => "ENOSPC";
  for (const turn of [2, 3]) await playTurn(session, turn);
  expect(session.writer.status).toMatchObject({ type: "unsaved", code: "ENOSPC" });
  // The warning is given once, at the first failure.
  expect(told).toHaveLength(1);
  await session.writer.close();
  expect(wordsOf(session.state.conversation.messages)).toContain("answer-3.");
  const loaded = await readSession(PATHS, disk);
  expect(wordsOf(loaded?.state.conversation.messages ?? [])).toContain("answer-1.");
});

test("a session that can't be written is opened, and is saved once the disk allows it", async () => {
  const disk = new MemoryDisk();
  const first = troubledSession(disk, []);
  await playTurn(first, 1);
  await first.writer.close();
  disk.fault = () => "EROFS";
  const told: SaveStatus[] = [];
  const opening = await openSession(PATHS, { disk, onStatus: (status) => void told.push(status) });
  if (opening.type !== "open") throw new Error(`The session is ${opening.type}.`);
  await playTurn(opening.session, 2);
  expect(told.map(({ type }) => type)).toEqual(["unsaved"]);
  disk.fault = () => undefined;
  await playTurn(opening.session, 3);
  await opening.session.writer.close();
  expect(told.map(({ type }) => type)).toEqual(["unsaved", "saved"]);
  const loaded = await readSession(PATHS, withoutSnapshot(disk));
  expect(wordsOf(loaded?.state.conversation.messages ?? [])).toEqual(
    wordsOf(opening.session.state.conversation.messages),
  );
});

test("a folder that vanishes is created again, with the whole session in it", async () => {
  await withFolder(async (folder) => {
    const session = createSession({
      folder,
      projectId: PROJECT,
      workingDirectory: "/",
      model: "demo:scripted",
    });
    await playTurn(session, 1);
    rmSync(folder, { recursive: true });
    await playTurn(session, 2);
    await session.writer.close();
    const loaded = await readSession(session.writer.paths);
    expect(wordsOf(loaded?.state.conversation.messages ?? [])).toEqual(
      wordsOf(session.state.conversation.messages),
    );
  });
});

/** True for a line with one complete record and nothing else. */
function isRecord(line: Buffer): boolean {
  return readRecordLines(line).records.length === 1 && readRecordLines(line).damaged.length === 0;
}

/** The messages that the journal alone contains. */
function withoutSnapshot(disk: MemoryDisk): MemoryDisk {
  const copy = new MemoryDisk();
  copy.put(PATHS.journal, disk.bytes(PATHS.journal) ?? Buffer.alloc(0));
  return copy;
}
